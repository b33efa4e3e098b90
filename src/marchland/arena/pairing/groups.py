"""What several formats share: who has met whom how often, and checks of the field."""

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence

from marchland.arena.fixtures import Field, Meeting, Pairing
from marchland.errors import MarchlandError

Pair = tuple[str, str]


def pairs_of(group: Iterable[str]) -> list[Pair]:
    """Every pair of a group, each in alphabetical order."""
    return list(itertools.combinations(sorted(group), 2))


def count_pairs(meetings: Iterable[Meeting]) -> Counter[Pair]:
    """How many bundles each pair has shared, planned ones included."""
    return Counter(pair for meeting in meetings for pair in pairs_of(meeting.pairing.group))


def count_bundles(field: Field, meetings: Iterable[Meeting]) -> Counter[str]:
    """How many bundles each entrant has, planned ones included."""
    counts = Counter(dict.fromkeys(field.entrants, 0))
    counts.update(entrant for meeting in meetings for entrant in meeting.pairing.group)
    return counts


def next_round(meetings: Sequence[Meeting]) -> int:
    """The number of the round to be planned."""
    return 1 + max((meeting.round for meeting in meetings), default=-1)


def least_met_group(field: Field, first: str, pool: Sequence[str], met: Counter[Pair]) -> tuple[str, ...]:
    """A full group around ``first``: again and again the one of the pool that has met the group's members least."""
    group = [first]
    while len(group) < field.players:
        rest = [entrant for entrant in pool if entrant not in group]
        group.append(
            min(rest, key=lambda name: (sum(met[pair] for pair in pairs_of((*group, name))), pool.index(name)))
        )
    return tuple(group)


def check_size(field: Field, least: int | None = None) -> None:
    """Refuse a field that is too small for one match, and names that occur twice."""
    least = field.players if least is None else least
    if len(field.entrants) < least:
        raise MarchlandError(f"{least} bots are needed for this, not {len(field.entrants)}: name more with --bots.")
    if len(set(field.entrants)) < len(field.entrants):
        raise MarchlandError("Two bots of a tournament have the same name.")


def shared_seed(pairings: Iterable[tuple[tuple[str, ...], str]], seed_index: int) -> list[Pairing]:
    """Pairings on one seed, so that all groups of a round are compared on equal terms."""
    return [Pairing(group, seed_index, why) for group, why in pairings]
