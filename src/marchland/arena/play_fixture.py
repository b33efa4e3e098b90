"""Plays one fixture in this process: the only place where a tournament meets the engine and the bots."""

import time
from pathlib import Path
from typing import Any

import msgspec

from marchland import registry
from marchland.arena.bots import load_bot, names_of
from marchland.arena.local import play
from marchland.arena.sides import sides_of
from marchland.bots import DEFAULT_OPTIONS, SECONDS, BotStats, Level, ProcessOptions, Sandbox
from marchland.core.game import Game
from marchland.core.recording import Recording
from marchland.errors import MarchlandError


class BotLimits(msgspec.Struct, frozen=True):
    """What each user bot may use, and where it runs."""

    seconds: float = SECONDS
    memory: int = DEFAULT_OPTIONS.memory
    file_size: int = DEFAULT_OPTIONS.file_size
    variables: tuple[str, ...] = ()
    log_folder: str | None = None
    sandbox: Level = "open"

    def process_options(self) -> ProcessOptions:
        """The limits as the process of a rated bot takes them."""
        return ProcessOptions(
            memory=self.memory,
            file_size=self.file_size,
            variables=self.variables,
            log_folder=None if self.log_folder is None else Path(self.log_folder),
            sandbox=Sandbox(self.sandbox),
        ).for_rating()


class MatchSetup(msgspec.Struct, frozen=True):
    """What all matches of a tournament share."""

    game: str
    players: int
    """Seats of a match."""
    config: dict[str, Any]
    maps: list[Any]
    """A map by name or content for each seed in turn; None is the game's default."""
    bots: dict[str, str]
    """By entrant, how its bot is loaded."""
    limits: BotLimits = BotLimits()

    def map_of(self, seed_index: int) -> Any:
        """The map that belongs to a seed."""
        return self.maps[seed_index % len(self.maps)]


class Job(msgspec.Struct, frozen=True):
    """A fixture as a referee gets it."""

    fixture: str
    seed_index: int
    seed: int
    seating: tuple[str, ...]
    """The entrant of each side."""


class SideResult(msgspec.Struct, frozen=True):
    """What became of one side."""

    place: int
    failures: int
    note: str


class PlayedMatch(msgspec.Struct, frozen=True):
    """A fixture that was played to its end."""

    turns: int
    digest: str
    sides: list[SideResult]
    seats: list[str]
    """The name of each seat."""
    entrants: list[str]
    """The entrant of each seat."""
    replay: bytes
    began: float
    ended: float
    level: Level
    """The sandbox of its user bots."""


def play_fixture(setup: MatchSetup, job: Job) -> PlayedMatch:
    """Play a fixture. ``marchland play`` with the same bots, seed and map plays the same match."""
    began = time.time()
    kind = registry.find(setup.game)
    entrants = [job.seating[side] for side in _seat_sides(kind, setup, job)]
    game = _new_game(kind, setup, job, names_of(entrants, kind.max_name_length(kind.config_type.build(setup.config))))
    options = setup.limits.process_options()
    bots = [
        load_bot(setup.bots[entrant], kind, job.seed + seat, setup.limits.seconds, options)
        for seat, entrant in enumerate(entrants)
    ]
    recording = Recording(game)
    played = play(game, bots, recording=recording)
    if game.outcome is None:
        raise MarchlandError(f"The match ended after {played.turns} turns without an outcome.")
    return PlayedMatch(
        turns=played.turns,
        digest=game.digest(),
        sides=_results(game, played.stats),
        seats=list(game.players),
        entrants=entrants,
        replay=recording.to_bytes(film=False),
        began=began,
        ended=time.time(),
        level=setup.limits.sandbox,
    )


def count_sides(setup: MatchSetup) -> int:
    """How many entrants a match has: one for each seat, or for each team."""
    kind = registry.find(setup.game)
    if not kind.team_figure:
        return setup.players
    return 1 + max(_seat_sides(kind, setup, Job("", 0, 0, ())))


def _seat_sides(kind: type[Game], setup: MatchSetup, job: Job) -> list[int]:
    if not kind.team_figure:
        return list(range(setup.players))
    return sides_of(_new_game(kind, setup, job, setup.players))


def _new_game(kind: type[Game], setup: MatchSetup, job: Job, players: int | list[str]) -> Game:
    return kind.new(players, seed=job.seed, config=setup.config, map=setup.map_of(job.seed_index))


def _results(game: Game, stats: list[BotStats]) -> list[SideResult]:
    """By side its best place, and what went wrong with its bots."""
    assert game.outcome is not None
    places = {standing.player: standing.place for standing in game.outcome.ranking}
    sides = sides_of(game)
    results = []
    for side in range(max(sides) + 1):
        seats = [seat for seat, of in enumerate(sides) if of == side]
        failures = sum(stats[seat].failures for seat in seats)
        note = next((stats[seat].first_failure for seat in seats if stats[seat].failures), "")
        results.append(SideResult(min(places[seat] for seat in seats), failures, note))
    return results
