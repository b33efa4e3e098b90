"""Swiss system: in each round entrants with equal scores meet, no pair twice, until the first is clear.

Two in a match: within a score group the upper half plays the lower half, as in FIDE's Dutch system. A pairing that was
played before is avoided by looking at the next opponents in order, with backtracking. More in a match: neighbours in
the table form groups, exchanged so that few pairs meet again.
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from marchland.arena.fixtures import Field, Meeting, Pairing, scores_of
from marchland.arena.pairing.groups import Pair, count_pairs, next_round, pairs_of, shared_seed
from marchland.arena.pairing.groups import check_size as check

__all__ = ["check", "count_rounds", "plan"]

_BYE: Final = 1.0
"""What a round without an opponent counts."""
_MOST_TRIALS: Final = 20_000


def count_rounds(entrants: int) -> int:
    """Enough that one entrant at most can win every match, and two more for the places behind it."""
    return min(math.ceil(math.log2(max(entrants, 2))) + 2, max(entrants - 1, 1))


def plan(field: Field, meetings: Sequence[Meeting]) -> list[Pairing]:
    """The next round; empty after the last."""
    number = next_round(meetings)
    if number >= count_rounds(len(field.entrants)):
        return []
    byes = count_byes(field, meetings)
    points = points_of(field, meetings)
    table = sorted(field.entrants, key=lambda entrant: (-points[entrant], field.entrants.index(entrant)))
    resting = _choose_byes(field, table, byes)
    playing = [entrant for entrant in table if entrant not in resting]
    met = count_pairs(meetings)
    if field.players == 2:
        groups = _pair(playing, points, met)
    else:
        groups = [tuple(group) for group in _neighbours(playing, field.players, met)]
    left_out = f"; no opponent is left for {', '.join(resting)}" if resting else ""
    return shared_seed(((group, _why(number, group, points, met) + left_out) for group in groups), number)


def points_of(field: Field, meetings: Sequence[Meeting]) -> dict[str, float]:
    """One point for each round that was won; byes count as won."""
    points = {entrant: _BYE * byes for entrant, byes in count_byes(field, meetings).items()}
    for meeting in meetings:
        for entrant, score in scores_of(meeting.results).items():
            points[entrant] += score
    return points


def count_byes(field: Field, meetings: Sequence[Meeting]) -> Counter[str]:
    """How many rounds each entrant was without an opponent."""
    byes = Counter(dict.fromkeys(field.entrants, next_round(meetings)))
    byes.subtract(entrant for meeting in meetings for entrant in meeting.pairing.group)
    return byes


def _choose_byes(field: Field, table: Sequence[str], byes: Counter[str]) -> list[str]:
    """The last of the table among those who rested least."""
    count = len(table) % field.players
    return sorted(table, key=lambda entrant: (byes[entrant], -table.index(entrant)))[:count]


def _pair(table: Sequence[str], points: dict[str, float], met: Counter[Pair]) -> list[tuple[str, ...]]:
    """Pair from the top; if too many trials fail, pairs that met least."""
    trials = iter(range(_MOST_TRIALS))
    for most in range(max(met.values(), default=0) + 1):
        found = _complete(list(table), points, met, most, trials)
        if found is not None:
            return found
    return _pair_least_met(table, met)


def _complete(
    waiting: list[str], points: dict[str, float], met: Counter[Pair], most: int, trials: Iterator[int]
) -> list[tuple[str, ...]] | None:
    """Pairs for all of them without a pair that met more than ``most`` times; None if there are none."""
    if not waiting:
        return []
    first = waiting[0]
    for other in _opponents(waiting, points):
        if met[pairs_of((first, other))[0]] > most:
            continue
        if next(trials, None) is None:
            return None
        rest = _complete([entrant for entrant in waiting if entrant not in (first, other)], points, met, most, trials)
        if rest is not None:
            return [(first, other), *rest]
    return None


def _opponents(waiting: Sequence[str], points: dict[str, float]) -> list[str]:
    """Whom the first may meet, best first: from the middle of its score group on, then the groups below."""
    size = sum(points[entrant] == points[waiting[0]] for entrant in waiting)
    group, below = list(waiting[1:size]), list(waiting[size:])
    half = (size - 1) // 2
    return [*group[half:], *reversed(group[:half]), *below]


def _pair_least_met(table: Sequence[str], met: Counter[Pair]) -> list[tuple[str, ...]]:
    waiting, groups = list(table), list[tuple[str, ...]]()
    while waiting:
        first = waiting.pop(0)
        other = min(waiting, key=lambda entrant: (met[pairs_of((first, entrant))[0]], waiting.index(entrant)))
        waiting.remove(other)
        groups.append((first, other))
    return groups


def _neighbours(table: Sequence[str], players: int, met: Counter[Pair]) -> list[list[str]]:
    """Groups of neighbours; members of adjacent groups are exchanged while that leaves fewer pairs that met."""
    groups = [list(table[start : start + players]) for start in range(0, len(table), players)]
    for upper, lower in itertools.pairwise(groups):
        for place in range(players - 1, 0, -1):
            for other in range(players):
                before = _repeats(upper, met) + _repeats(lower, met)
                upper[place], lower[other] = lower[other], upper[place]
                if _repeats(upper, met) + _repeats(lower, met) >= before:
                    upper[place], lower[other] = lower[other], upper[place]
    return groups


def _repeats(group: Sequence[str], met: Counter[Pair]) -> int:
    return sum(met[pair] for pair in pairs_of(group))


def _why(number: int, group: Sequence[str], points: dict[str, float], met: Counter[Pair]) -> str:
    scores = " : ".join(f"{points[entrant]:g}" for entrant in group)
    repeats = _repeats(group, met)
    again = f", of whom {repeats} pairs met before because no others are left" if repeats else ""
    return f"swiss: round {number + 1}, scores {scores}{again}"
