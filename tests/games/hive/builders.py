"""Small Hive matches from drawn maps, and short words for orders."""

from typing import Any, cast

import marchland
from marchland.core.report import Report
from marchland.games.hive.game import Hive

STILL: dict[str, Any] = {"influence_wins": False, "last_standing": False}
"""Settings under which a small board does not end the match at once."""


def match(drawn: str, flowers: tuple[int, ...] = (0, 0), turn: int = 0, key: int = 1, **config: Any) -> Hive:
    """The match on a drawn map, whose slots are the seats; ``flowers`` holds each player's reserve."""
    position = {
        "game": "hive",
        "turn": turn,
        "key": f"{key:032x}",
        "config": {**STILL, **config},
        "players": [{"name": name, "flowers": count} for name, count in zip("ABCDEF", flowers, strict=False)],
        "map": drawn.strip("\n").splitlines(),
    }
    return cast(Hive, marchland.from_position(position))


def order(verb: str, unit: Any, way: str = "") -> dict[str, Any]:
    return {"do": verb, "unit": list(unit) if isinstance(unit, tuple) else unit} | ({"dir": way} if way else {})


def reasons(report: Report, player: int = 0) -> list[str]:
    return [result.reason for result in report.results[player]]


def give(game: Hive, *orders: dict[str, Any], player: int = 0) -> list[str]:
    """One turn with the orders of one player; what became of them."""
    return reasons(game.step({player: list(orders)}), player)


def at(game: Hive, row: int, column: int) -> dict[str, Any] | None:
    """The entity on a cell."""
    return next((one for one in game.view()["entities"] if one["at"] == [row, column]), None)


def kind_at(game: Hive, row: int, column: int) -> str | None:
    found = at(game, row, column)
    return found["kind"] if found else None


def entity(game: Hive, id_: int) -> dict[str, Any] | None:
    return next((one for one in game.view()["entities"] if one["id"] == id_), None)


def purse(game: Hive, player: int = 0) -> int:
    return int(game.view()["players"][player]["flowers"])


def left(game: Hive, row: int, column: int) -> int:
    """The flowers in a field."""
    return int(next(cell for cell in game.view()["cells"] if cell["at"] == [row, column])["flowers"])


def why_over(game: Hive) -> str:
    """Why the match ended; empty while it runs."""
    return game.outcome.reason if game.outcome else ""


def winners(game: Hive) -> list[int]:
    assert game.outcome is not None
    return game.outcome.winners
