"""Standings: the points of all runs of a round, added up."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from marchland.messages import RoundCreate, RoundStanding, Scoring
from marchland.registry import find
from marchland.server.rounds.queries import SeatResult


class _Total(NamedTuple):
    name: str
    account: str | None
    points: int
    played: int
    figures: dict[str, int]


def scoring_of(request: RoundCreate) -> Scoring:
    """The scoring of a round: as announced, otherwise the game's own."""
    return request.scoring or find(request.template.game).default_scoring()


def points_for(scoring: Scoring, result: SeatResult) -> int:
    """The points of one result: by place, one less for each place beyond the table; or the figure itself."""
    if scoring.figure:
        return result.figures.get(scoring.figure, 0)
    if result.place <= len(scoring.points):
        return scoring.points[result.place - 1]
    beyond = (scoring.points[-1] if scoring.points else 0) - (result.place - len(scoring.points))
    least = 1 if not scoring.earned_by or result.figures.get(scoring.earned_by, 0) > 0 else 0
    return max(beyond, least)


def compute_standings(results: Iterable[tuple[Scoring, SeatResult]]) -> list[RoundStanding]:
    """All players by their points; equal ones share a place, and the next one is skipped."""
    totals: dict[tuple[str | None, str], _Total] = {}
    ties: tuple[str, ...] = ()
    for scoring, result in results:
        ties = scoring.ties
        who = (result.account, "" if result.account else result.name)
        before = totals.get(who, _Total(result.name, result.account, 0, 0, {}))
        figures = {name: before.figures.get(name, 0) + value for name, value in result.figures.items()}
        points = before.points + points_for(scoring, result)
        totals[who] = _Total(result.name, result.account, points, before.played + 1, {**before.figures, **figures})
    ordered = sorted(totals.values(), key=lambda total: (_key(ties, total), total.name))
    keys = [_key(ties, total) for total in ordered]
    return [
        RoundStanding(
            keys.index(_key(ties, total)) + 1, total.account, total.name, total.points, total.played, total.figures
        )
        for total in ordered
    ]


def _key(ties: Sequence[str], total: _Total) -> tuple[int, ...]:
    return (-total.points, *(total.figures.get(name, 0) for name in ties))
