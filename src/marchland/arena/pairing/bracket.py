"""Bracket: single elimination. The entrants' order is their seeding; the best ones skip rounds that are not full.

The score over a meeting's bundles decides. A tie plays another bundle, up to `MOST_BUNDLES`; then the better seed goes
on, which the reason of the next pairing says.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from marchland.arena.fixtures import Field, Meeting, Pairing, scores_of
from marchland.arena.pairing.groups import check_size
from marchland.errors import MarchlandError

FIRST_BUNDLES: Final = 3
"""Bundles of a meeting, if they decide it."""
MOST_BUNDLES: Final = 7
_STAGES: Final = {1: "final", 2: "semi-final", 4: "quarter-final"}
_INDEXES_A_STAGE: Final = 100


class Duel(NamedTuple):
    """A meeting of two in a stage of the bracket; the other is None if the first skips the stage."""

    one: str
    other: str | None


def check(field: Field) -> None:
    """Refuse more than two in a match."""
    check_size(field)
    if field.players != 2:
        raise MarchlandError("A bracket is for two bots in a match; swiss pairs more.")


def plan(field: Field, meetings: Sequence[Meeting]) -> list[Pairing]:
    """The bundles that decide the present stage; empty when there is a winner."""
    stage, duels = 0, first_duels(field.entrants)
    while True:
        pairings = [pairing for duel in duels for pairing in _next_bundles(field, duel, stage, len(duels), meetings)]
        if pairings or len(duels) == 1:
            return pairings
        winners = [winner_of(field, duel, meetings) for duel in duels]
        duels = [Duel(*pair) for pair in zip(winners[::2], winners[1::2], strict=True)]
        stage += 1


def first_duels(entrants: Sequence[str]) -> list[Duel]:
    """The first stage: the first two seeds can meet in the final only, the first four in the semi-finals, and so on."""
    order = [0]
    while len(order) < len(entrants):
        order = [seed for place in order for seed in (place, 2 * len(order) - 1 - place)]
    seated = [entrants[seed] if seed < len(entrants) else None for seed in order]
    return [Duel(one or "", other) for one, other in zip(seated[::2], seated[1::2], strict=True)]


def winner_of(field: Field, duel: Duel, meetings: Sequence[Meeting]) -> str:
    """Who goes on; the better seed if the scores are equal."""
    if duel.other is None:
        return duel.one
    margin = _margin(duel, _met(duel, meetings))
    if margin == 0:
        return min(duel.one, duel.other, key=field.entrants.index)
    return duel.one if margin > 0 else duel.other


def _met(duel: Duel, meetings: Sequence[Meeting]) -> list[Meeting]:
    return [meeting for meeting in meetings if set(meeting.pairing.group) == {duel.one, duel.other}]


def _margin(duel: Duel, met: Sequence[Meeting]) -> float:
    """The sum of the first one's scores above a half."""
    return sum(scores_of(meeting.results).get(duel.one, 0.5) - 0.5 for meeting in met)


def _next_bundles(field: Field, duel: Duel, stage: int, duels: int, meetings: Sequence[Meeting]) -> list[Pairing]:
    if duel.other is None:
        return []
    met = _met(duel, meetings)
    count = FIRST_BUNDLES - len(met)
    if count <= 0:
        count = 1 if _margin(duel, met) == 0 and len(met) < MOST_BUNDLES else 0
    round_name = _STAGES.get(duels, f"last {2 * duels}")
    seeds = " and ".join(f"{name} (seed {field.entrants.index(name) + 1})" for name in duel if name is not None)
    again = f", equal after {len(met)}" if met else ""
    return [
        Pairing(
            (duel.one, duel.other),
            stage * _INDEXES_A_STAGE + number,
            f"bracket: {round_name}, {seeds}, bundle {number + 1}{again}",
        )
        for number in range(len(met), len(met) + count)
    ]
