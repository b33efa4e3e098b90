"""Hand-made DatsPulse positions: a hexagon of empty land, two nests far apart, and a few ants."""

from collections.abc import Mapping, Sequence
from typing import Any

import marchland
from marchland.games.datspulse.game import Datspulse
from marchland.games.datspulse.rules.state import FOODS, KINDS, Ants, Cells, Nests, Teams
from marchland.games.datspulse.views import Ant, ants_of_team

At = tuple[int, int]

SPOTS: tuple[At, ...] = ((-8, 0), (8, 0), (0, -8), (0, 8))
QUIET: dict[str, Any] = {"growth_percent": 0, "spawn": (100, 0, 0)}
"""Nothing grows; where a worker stands on the spot nothing hatches either."""


def ant(team: int, kind: str, at: At, **more: Any) -> dict[str, Any]:
    return {"team": team, "type": kind, "at": list(at), **more}


def match(
    ants: Sequence[dict[str, Any]] = (),
    *,
    land: Mapping[At, str] | None = None,
    food: Sequence[tuple[At, str, int]] = (),
    nectar: Mapping[int, tuple[int, int, int]] | None = None,
    spots: Sequence[At] = SPOTS[:2],
    radius: int = 12,
    rules: str = "seed",
    key: str = "5",
    **config: Any,
) -> Datspulse:
    """A match at turn 1 on empty land of radius 12; ``land`` draws other hexes, ``nectar`` is by team."""
    drawn = dict(land or {})
    rows = []
    for r in range(-radius, radius + 1):
        first = -radius + abs(r) // 2
        rows.append("".join(drawn.get((q, r), ".") for q in range(first, first + 2 * radius + 1 - abs(r))))
    teams = [
        {"name": "ABCDEFGH"[seat], "spot": list(spot), "nectar": list((nectar or {}).get(seat, (0, 0, 0)))}
        for seat, spot in enumerate(spots)
    ]
    piles = [{"at": list(at), "type": kind, "amount": amount} for at, kind, amount in food]
    game = marchland.from_position(
        {
            "game": "datspulse",
            "teams": teams,
            "map": rows,
            "ants": list(ants),
            "food": piles,
            "key": key,
            "config": {"rules": rules, **QUIET, **config},
        }
    )
    assert isinstance(game, Datspulse)
    return game


def play_bots(turns: int, *, teams: int = 4, seed: int = 1, **config: Any) -> Datspulse:
    """A match between the game's own bots after some turns, as the public server would have played it."""
    settings = {"radius": 14, **config}
    game = marchland.new("datspulse", teams, seed=seed, rules="upstream", config=settings, map="jitter")
    bots = [game.bots[name](seed=seat) for seat, name in zip(range(teams), ["greedy", "random"] * teams, strict=False)]
    for _ in range(turns):
        game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
    assert isinstance(game, Datspulse)
    return game


def move(number: int, *path: At) -> dict[str, Any]:
    return {"do": "move", "ant": number, "path": [list(at) for at in path]}


def find(game: Datspulse, number: int) -> Ant:
    """The ant of that id."""
    return next(one for team in range(len(game.players)) for one in ants_of_team(game, team) if one.id == number)


def listed(game: Datspulse) -> list[int]:
    return [one.id for team in range(len(game.players)) for one in ants_of_team(game, team)]


def at(game: Datspulse, number: int) -> At:
    return game.board.at(find(game, number).cell)


def health(game: Datspulse, number: int) -> int:
    return find(game, number).health


def cargo(game: Datspulse, number: int) -> tuple[str, int]:
    one = find(game, number)
    return FOODS[one.food], one.amount


def pile(game: Datspulse, place: At) -> tuple[str, int]:
    cells: Cells = game.arrays(Cells)
    cell = game.board.index(*place)
    return FOODS[cells.food[cell]], int(cells.amount[cell])


def nectar(game: Datspulse, team: int) -> list[int]:
    stored: list[int] = game.arrays(Nests).nectar[3 * team : 3 * team + 3].tolist()
    return stored


def living(game: Datspulse, team: int) -> int:
    return int(game.arrays(Teams).living[team])


def kinds(game: Datspulse, team: int) -> list[str]:
    rows = slice(team * game.slots, team * game.slots + int(game.arrays(Teams).ants[team]))
    return [KINDS[kind] for kind in game.arrays(Ants).kind[rows]]


def reasons(report: Any, team: int = 0) -> list[str]:
    return [result.reason for result in report.results[team]]


def events(report: Any, name: str) -> list[dict[str, Any]]:
    return [event for event in report.events if event["event"] == name]


def balance(game: Datspulse) -> int:
    """Ruling 13: all scores and the nectar that is in no store, less all that was ever delivered. Always 0."""
    from marchland.games.datspulse.rules.state import DESTROYED, NECTAR

    cells: Cells = game.arrays(Cells)
    ants: Ants = game.arrays(Ants)
    teams: Teams = game.arrays(Teams)
    loose = int(cells.amount[cells.food == NECTAR].sum() + ants.amount[ants.food == NECTAR].sum())
    worth = game.config.calories[NECTAR - 1]
    difference: int = sum(game.scores()) + worth * (loose + int(game.head[DESTROYED])) - int(teams.delivered.sum())
    return difference
