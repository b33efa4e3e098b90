"""Places and points of a round, and the standing over the final ones (seed: "Who wins"; rulings 19, 20)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from marchland.games.datspulse.rules.config import DatspulseConfig

_USUAL = DatspulseConfig().place_points


class Result(NamedTuple):
    """What one team achieved in one round."""

    calories: int
    lost: int = 0
    """Ants."""
    walked: int = 0
    """Hexes."""


class Ranked(NamedTuple):
    """One team's place in the standing."""

    team: str
    place: int
    points: int
    lost: int
    walked: int


def places(calories: Sequence[int]) -> list[int]:
    """Each team's place by calories: ties share, and the next place is skipped."""
    return [1 + sum(other > own for other in calories) for own in calories]


def points(place: int, calories: int, place_points: Sequence[int] = _USUAL) -> int:
    """The points for a place: by the table, then one less a place; at least 1 for any calories at all."""
    if place <= len(place_points):
        return place_points[place - 1]
    beyond = place_points[-1] - (place - len(place_points))
    return max(beyond, 1 if calories > 0 else 0)


def standing(final_rounds: Sequence[Mapping[str, Result]], place_points: Sequence[int] = _USUAL) -> list[Ranked]:
    """Teams by points over all final rounds, then fewest ants lost, then the shortest path walked."""
    totals: dict[str, tuple[int, int, int]] = {}
    for results in final_rounds:
        ranks = places([result.calories for result in results.values()])
        for (team, result), place in zip(results.items(), ranks, strict=True):
            had, lost, walked = totals.get(team, (0, 0, 0))
            gained = points(place, result.calories, place_points)
            totals[team] = (had + gained, lost + result.lost, walked + result.walked)
    keys = {team: (-total, lost, walked) for team, (total, lost, walked) in totals.items()}
    return [
        Ranked(team, 1 + sum(other < keys[team] for other in keys.values()), *totals[team])
        for team in sorted(keys, key=lambda team: keys[team])
    ]
