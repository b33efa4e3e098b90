"""What is to be played: bundles and fixtures, named by hashes of what determines them.

A bundle is one seed and map with every rotation of its group over the seats, so that no entrant profits from a seat. A
fixture is one match of it. Planning the same bundle twice gives the same ids, so a plan can be repeated after a crash.
"""

import hashlib
import itertools
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from marchland.ratings import Result

_ALL_ORDERS_UP_TO: Final = 3
"""Groups of so many play every order of seats, larger ones every rotation."""
_SEEDS: Final = 1_000_000_000
"""Seeds are short enough to type: ``marchland play --seed`` plays a fixture again."""
_SEPARATOR: Final = "\x1f"


class Pairing(NamedTuple):
    """A group that is to play each other, and the reason in words."""

    group: tuple[str, ...]
    seed_index: int
    """Which of the tournament's seeds and maps they play on."""
    why: str


class Bundle(NamedTuple):
    """One seed and map with all rotations of a group."""

    tournament: str
    round: int
    """Bundles of a round are planned together, from the results of earlier rounds."""
    group: tuple[str, ...]
    seed_index: int
    seed: int
    why: str

    @property
    def id(self) -> str:
        """A hash of tournament, seed and group."""
        return hash_of(self.tournament, str(self.seed_index), *sorted(self.group))

    @property
    def pairing(self) -> Pairing:
        """What was paired, and why."""
        return Pairing(self.group, self.seed_index, self.why)

    def fixtures(self) -> list["Fixture"]:
        """A match for each seating."""
        return [Fixture(self.id, self.seed_index, self.seed, seating) for seating in seatings_of(self.group)]


class Fixture(NamedTuple):
    """One match to be played: an entrant for each side, that is for each seat or for each team."""

    bundle: str
    seed_index: int
    seed: int
    seating: tuple[str, ...]

    @property
    def id(self) -> str:
        """A hash of the bundle and the seating."""
        return hash_of(self.bundle, *self.seating)


class Meeting(NamedTuple):
    """A planned pairing with its results: none while its bundle is not complete."""

    pairing: Pairing
    round: int
    results: tuple[Result, ...] = ()


class Field(NamedTuple):
    """Who takes part, by name, in the order of their seeding."""

    entrants: tuple[str, ...]
    players: int = 2
    """Entrants in one match."""
    seed: int = 0
    owners: tuple[str, ...] = ()
    """The owner of each entrant; two entrants of one owner never meet in a ladder. Empty: all are independent."""


def make_bundle(tournament: str, seed: int, round: int, pairing: Pairing) -> Bundle:
    """The bundle of a pairing; the tournament's ``seed`` and the pairing's index give the seed of its matches."""
    drawn = int(hash_of("seed", str(seed), str(pairing.seed_index)), 16) % _SEEDS
    return Bundle(tournament, round, pairing.group, pairing.seed_index, drawn, pairing.why)


def seatings_of(group: Sequence[str]) -> list[tuple[str, ...]]:
    """Every order of a small group, every rotation of a larger one."""
    if len(group) <= _ALL_ORDERS_UP_TO:
        return list(itertools.permutations(group))
    return [tuple(group[start:]) + tuple(group[:start]) for start in range(len(group))]


def hash_of(*parts: str) -> str:
    """Sixteen hexadecimal digits that name the parts; they fit the ids of matches."""
    return hashlib.blake2b(_SEPARATOR.join(parts).encode(), digest_size=8).hexdigest()


def scores_of(results: Iterable[Result]) -> dict[str, float]:
    """Each entrant's mean score: the share of its opponents that it was placed above, equal places as half."""
    sums: dict[str, list[float]] = {}
    for result in results:
        for version, place in zip(result.versions, result.places, strict=True):
            behind = sum(1.0 if other > place else 0.5 for other in result.places if other >= place) - 0.5
            sums.setdefault(version, []).append(behind / (len(result.places) - 1))
    return {version: sum(scores) / len(scores) for version, scores in sums.items()}
