"""Results of orders, and the outcome of a match."""

from collections import Counter
from typing import Any, Literal

import msgspec

ResultState = Literal["done", "no_effect", "refused"]


class Result(msgspec.Struct, frozen=True):
    """The result of one order. ``sentence`` says in English why it was refused or what it did.

    In other languages, the words of a legend have a template for ``code``, to be filled with ``arguments``.
    """

    order: Any
    ok: bool
    """It was not refused."""
    reason: str
    """``OK``, or why it was refused."""
    sentence: str
    state: ResultState = "done"
    """``no_effect`` for an order that was legal and failed, like an attack that was repelled."""
    code: str = "OK"
    arguments: dict[str, Any] = {}


class TurnReport(msgspec.Struct, frozen=True):
    """What else a game tells a player about a turn, such as a battle: in words, and as data of the game's own form."""

    sentence: str
    facts: dict[str, Any]


class Standing(msgspec.Struct, frozen=True):
    """One player's place at the end; equal players share a place and the next one is skipped."""

    player: int
    name: str
    place: int
    figures: dict[str, int]


class Outcome(msgspec.Struct, frozen=True):
    """How a match ended."""

    ranking: list[Standing]
    reason: str
    """In English; in other languages, the words' ``outcomes`` have a template for ``code``."""
    code: str = ""
    """Empty in matches of earlier versions."""
    arguments: dict[str, Any] = {}

    @property
    def winners(self) -> list[int]:
        """The players in first place."""
        return [standing.player for standing in self.ranking if standing.place == 1]


def ranking_of(outcome: Outcome | None) -> list[Standing] | None:
    """What two outcomes must agree in: the wording of a reason may change from release to release."""
    return None if outcome is None else outcome.ranking


def rank_players(figures: list[tuple[str, dict[str, int]]], keys: list[tuple[int, ...]]) -> list[Standing]:
    """Players by descending key; ``figures`` holds a name and the figures to show for each."""
    places = places_by_key(keys)
    order = sorted(range(len(keys)), key=lambda player: keys[player], reverse=True)
    return [Standing(player, figures[player][0], places[player], figures[player][1]) for player in order]


def places_by_key(keys: list[tuple[int, ...]]) -> list[int]:
    """By player its place, the highest key first; equal players share a place and the next one is skipped."""
    counts = Counter(keys)
    places, taken = {}, 0
    for key in sorted(counts, reverse=True):
        places[key] = taken + 1
        taken += counts[key]
    return [places[key] for key in keys]
