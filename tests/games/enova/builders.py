"""Small positions of Enova, and what became of them."""

from collections.abc import Mapping
from typing import Any

import marchland
from marchland.core.game import Game
from marchland.core.report import Report
from marchland.core.state import NO_PLAYER
from marchland.games.enova.reports import battle_reports
from marchland.games.enova.rules.state import Cells, Players

Land = Mapping[tuple[int, int], tuple[int, int]]
Order = dict[str, Any]


def position(*rows: str, land: Land, players: int = 2, torus: bool = False, **config: Any) -> Game:
    """A match on a map of ``rows``; ``land`` says for a tile (x, y) whose it is and with how many units."""
    tiles = [{"at": list(at), "owner": owner, "units": units} for at, (owner, units) in land.items()]
    names = [f"player {seat}" for seat in range(players)]
    return marchland.from_position(
        {"game": "enova", "players": names, "map": list(rows), "land": tiles, "torus": torus, "config": config}
    )


def move(start: tuple[int, int], to: tuple[int, int], units: int | None = None) -> Order:
    order: Order = {"do": "move", "from": list(start), "to": list(to)}
    return order if units is None else {**order, "units": units}


def defend(x: int, y: int) -> Order:
    return {"do": "defend", "at": [x, y]}


def support(x: int, y: int) -> Order:
    return {"do": "support", "at": [x, y]}


def owned(game: Game) -> dict[tuple[int, int], tuple[int, int]]:
    """Every owned tile: whose it is, and how many units are there."""
    cells: Cells = game.arrays(Cells)
    columns = zip(game.board.coords.tolist(), cells.owner.tolist(), cells.units.tolist(), strict=True)
    return {(x, y): (owner, units) for (x, y), owner, units in columns if owner != NO_PLAYER}


def standing(game: Game) -> int:
    """How many units there are."""
    return int(game.arrays(Cells).units.sum())


def counted(game: Game) -> list[tuple[int, int, int]]:
    """Castles, tiles and units of each player, as the match keeps count."""
    players: Players = game.arrays(Players)
    return list(zip(players.castles.tolist(), players.tiles.tolist(), players.units.tolist(), strict=True))


def named(report: Report, name: str) -> list[dict[str, Any]]:
    """The events of one kind."""
    return [event for event in report.events if event["event"] == name]


def battles(report: Report) -> list[dict[str, Any]]:
    return battle_reports(report.events)


def reasons(report: Report, player: int = 0) -> list[str]:
    return [result.reason for result in report.results[player]]
