"""Moves as teams send them, judged as they come (ruling 5)."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
import numpy as np

from marchland.board import Board
from marchland.board.lattices import LATTICES
from marchland.games.datspulse.rules.ants import NO_WAY
from marchland.games.datspulse.rules.state import NEIGHBOURS, Ants, Teams
from marchland.games.datspulse.wire.ids import uuids_of

if TYPE_CHECKING:
    from marchland.games.datspulse.game import Datspulse

Place = tuple[int, int]

_DIRECTIONS: Final = tuple(
    {(p + (odd + r >> 1), r): number for number, (p, r) in enumerate(LATTICES[NEIGHBOURS].steps)} for odd in (0, 1)
)
"""For even and odd rows the direction that leads to a neighbour, by the difference of columns and rows."""


class Move(msgspec.Struct):
    """One entry of a move: the ant by UUID and its way."""

    ant: str
    path: list["Hex"]


class Hex(msgspec.Struct):
    """A hex by column and row."""

    q: int
    r: int


class Judged(NamedTuple):
    """The moves of one request that may stand, as orders, and a message for each that may not."""

    orders: list[dict[str, Any]]
    errors: list[str]
    ways: dict[int, int]
    """By ant, what those orders are to the state: see `arena_bytes`."""


class Walker(NamedTuple):
    """An ant as the turn begins."""

    cell: int
    kind: int
    health: int
    place: Place


class Walkers:
    """The ants of a team as the turn begins, by id; checks moves for them."""

    def __init__(self, game: "Datspulse", team: int) -> None:
        ants: Ants = game.arrays(Ants)
        first = team * game.slots
        rows = slice(first, first + int(game.arrays(Teams).ants[team]))
        self.ids: list[int] = ants.id[rows].tolist()
        cells = ants.cell[rows]
        columns = (cells, ants.kind[rows], ants.health[rows], game.board.coords[cells])
        walkers = map(Walker, *(column.tolist() for column in columns))
        self._ants = dict(zip(self.ids, walkers, strict=True))
        self._board: Board = game.board
        self._beside = np.asarray(game.board.tables.neighbours).data
        self._speed = game.config.speed

    def judge(self, number: int | None, path: Sequence[Sequence[int]]) -> tuple[str, int]:
        """What is wrong with that path for that ant, or nothing, and the way that it is to the state."""
        ant = None if number is None else self._ants.get(number)
        if ant is None:
            return "not found", 0
        if ant.health == 0:
            return "is dead", 0
        speed = self._speed[ant.kind]
        if len(path) > speed:
            return f"cannot move more than {speed} tiles, but tried to move {len(path)} tiles", 0
        here, (q, r) = ant.cell, ant.place
        way = 0
        for step, (to_q, to_r) in enumerate(path):
            direction = _DIRECTIONS[r & 1].get((to_q - q, to_r - r), -1)
            here = self._beside[NEIGHBOURS * here + direction] if direction >= 0 else -1
            if here < 0:
                return self._no_step((q, r), (to_q, to_r)), 0
            way += direction << 3 * step
            q, r = to_q, to_r
        return "", way + (NO_WAY << 3 * len(path)) if path else 0

    def _no_step(self, here: Place, there: Place) -> str:
        if self._board.index(*there) < 0:
            return f"cannot move to {{{there[0]} {there[1]}}}, tile not found"
        return f"cannot move from {{{here[0]} {here[1]}}} to {{{there[0]} {there[1]}}}, not adjacent coordinates"


def judge(game: "Datspulse", team: int, moves: Sequence[Move]) -> Judged:
    """Each move is checked as it is sent; a bad one is dropped alone, with a message. The last for each ant counts."""
    walkers = Walkers(game, team)
    ants = dict(zip(uuids_of(game, walkers.ids), walkers.ids, strict=True))
    orders: dict[int, dict[str, Any]] = {}
    errors: list[str] = []
    ways: dict[int, int] = {}
    for move in moves:
        ant, path = ants.get(move.ant), [[tile.q, tile.r] for tile in move.path]
        problem, way = walkers.judge(ant, path)
        if problem or ant is None:
            errors.append(f"ant {move.ant} {problem}")
        else:
            orders[ant] = {"do": "move", "ant": ant, "path": path}
            ways[ant] = way
    return Judged(list(orders.values()), errors, ways)


class _Order(msgspec.Struct):
    ant: int
    path: list[tuple[int, int]]
    do: str = "move"


def ways_of(game: "Datspulse", team: int, orders: Iterable[Any]) -> dict[int, int]:
    """The ways of orders that came by another API; what is no order is skipped."""
    walkers = Walkers(game, team)
    found: dict[int, int] = {}
    for data in orders:
        try:
            order = msgspec.convert(data, _Order)
        except msgspec.ValidationError:
            continue
        problem, way = walkers.judge(order.ant, order.path)
        if not problem:
            found[order.ant] = way
    return found
