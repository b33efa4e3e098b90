"""The menu of BoidVoid's legal orders. It asks the rules themselves: what it offers was tried on a copy."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from marchland.core.orders import LEFT_OUT, encode_cell
from marchland.games.boidvoid.position.units import row_of_id
from marchland.games.boidvoid.rules.constants import (
    ALONE,
    FREE,
    GONE,
    IDLE,
    ITEMS,
    KINDS,
    LOCKED,
    NFT_KINDS,
    NO_TEAM,
    STRUCTURES_AT,
    SWARMS_AT,
    TROOPER,
    UNITS,
)
from marchland.games.boidvoid.rules.orders import VERBS
from marchland.games.boidvoid.rules.state import Cells as CellArrays
from marchland.games.boidvoid.rules.state import Items, Players, Units
from marchland.messages import Cells, Choices, Menu, Pieces, Range, Step

if TYPE_CHECKING:
    from marchland.board import Board
    from marchland.games.boidvoid.game import BoidVoid

PARAMETERS: dict[str, tuple[str, ...]] = {
    "move": ("unit", "to"),
    "capture": ("unit",),
    "build": ("unit", "nft"),
    "stack": ("at", "nft", "mode"),
    "spawn": ("unit", "at"),
    "detonate": ("unit",),
    "attack": ("unit", "target"),
    "create_swarm": ("unit", "name"),
    "join_swarm": ("unit", "swarm"),
    "leave_swarm": ("unit", "to"),
    "boost": ("target", "nft", "mode"),
    "equip": ("unit", "nft"),
    "cancel": ("unit",),
}
"""What is picked for each verb, in this order; a path and automode periods are optional and not offered."""

NAMES = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta")
_VERBS = {str(verb.__struct_config__.tag): number for number, verb in enumerate(VERBS, 1)}
_MODES = ("burn", "stake")


def menu(game: "BoidVoid", player: int, verb: str, given: Mapping[str, Any]) -> Menu | None:
    """What may be picked next for ``verb``."""
    locked = bool(game.head[LOCKED])
    if verb == "battery":
        ratio = int(game.arrays(Units).ratio[game.ship_of(player)])
        return None if "attack" in given else Range("attack", 0, -1 if locked else 100, ratio)
    if verb == "automode":
        return None if "on" in given else Choices("on", [] if locked else [False, True])
    parameters = PARAMETERS[verb]
    chosen = [given[name] for name in parameters if name in given]
    if len(chosen) == len(parameters) or "path" in given:
        return None
    following = parameters[len(chosen)]
    asked = MenuBuilder(game, player, verb)
    found = [] if locked else [value for value in asked.candidates(chosen) if asked.is_possible([*chosen, value])]
    if following in ("to", "at"):
        cells = [(value[0], value[1]) for value in found]
        return Cells(following, cells, asked.steps(chosen[0]) if verb == "move" and cells else [])
    if following in ("name", "mode"):
        return Choices(following, found)
    return Pieces(following, found, [asked.name(following, value) for value in found])


class MenuBuilder:
    """The candidates for the parameters of one verb of one player."""

    def __init__(self, game: "BoidVoid", player: int, verb: str) -> None:
        self.game, self.player, self.verb = game, player, verb
        self.units: Units = game.arrays(Units)
        self.ship = game.ship_of(player)
        self.team = int(game.arrays(Players).team[player])

    def is_possible(self, chosen: list[Any]) -> bool:
        """Whether some order that begins so would be accepted."""
        if len(chosen) < len(PARAMETERS[self.verb]):
            return any(self.is_possible([*chosen, value]) for value in self.candidates(chosen))
        if self.verb in ("move", "spawn"):  # its candidates are exact, and may be thousands
            return chosen[0] in self._unit([])
        row, pool = self._packed(chosen)
        return self.game.accepts(self.player, row, pool)

    def _packed(self, chosen: list[Any]) -> tuple[list[int], list[int]]:
        pool: list[int] = []
        values = []
        for name, value in zip(PARAMETERS[self.verb], chosen, strict=True):
            if name in ("to", "at"):
                values.append(encode_cell(self.game.board.dialect, *value))
            elif name == "name":
                values.append(0)
                encoded = value.encode()
                pool += [len(encoded), *encoded]
            else:
                values.append(_MODES.index(value) if name == "mode" else value)
        unused = 0 if self.verb != "move" else LEFT_OUT
        return [_VERBS[self.verb], *values, *[unused] * (3 - len(values))], pool

    def candidates(self, chosen: list[Any]) -> list[Any]:
        """What might be picked next."""
        return list(getattr(self, f"_{PARAMETERS[self.verb][len(chosen)]}")(chosen))

    def steps(self, unit: int) -> list[Step]:
        """Every tile that the unit of that id can walk to or through, and how."""
        row, board = self._row(unit), self.game.board
        start = int(self.units.cell[row])
        return [
            Step(board.at(cell), cost, None if parent == start else board.at(parent))
            for cell, cost, parent in self.game.destinations(row)
            if cell != start
        ]

    def name(self, parameter: str, id: int) -> str:
        """What a unit or an NFT is called: it may stand on no tile."""
        if parameter == "nft":
            items: Items = self.game.arrays(Items)
            (row,) = (items.id[: int(self.game.head[ITEMS])] == id).nonzero()[0].tolist()
            return f"{NFT_KINDS[items.kind[row]]} NFT {id}"
        row = self._row(id)
        if row == self.ship:
            return "your ship"
        team = int(self.units.team[row])
        return f"{KINDS[self.units.kind[row]]} {id}" + (f" of team {team}" if team not in (self.team, NO_TEAM) else "")

    # ---------------------------------------------------------------- one for each parameter

    def _unit(self, chosen: list[Any]) -> Iterator[int]:
        yield int(self.units.id[self.ship])
        if self.game.arrays(Players).role[self.player] != TROOPER:
            yield int(self.units.id[self.team])
            yield from self._swarms()

    def _swarms(self) -> Iterator[int]:
        for row in range(int(self.game.head[SWARMS_AT]), int(self.game.head[STRUCTURES_AT])):
            if self.units.status[row] != GONE and self.units.team[row] == self.team:
                yield int(self.units.id[row])

    def _target(self, chosen: list[Any]) -> Iterator[int]:
        if self.verb == "attack":
            yield from targets_of(self.game, self._row(chosen[0]))
            return
        yield from self._unit(chosen)
        for row in range(int(self.game.head[STRUCTURES_AT]), int(self.game.head[UNITS])):
            if self.units.status[row] != GONE and self.units.team[row] == self.team:
                yield int(self.units.id[row])

    def _row(self, name: int) -> int:
        return row_of_id(self.game, name)

    def _swarm(self, chosen: list[Any]) -> Iterator[int]:
        cell = int(self.units.cell[self.ship])
        own = set(self._swarms())
        for beside in self.game.board.neighbours(cell) if cell >= 0 else ():
            row = int(self.game.arrays(CellArrays).unit[beside])
            if row >= 0 and int(self.units.id[row]) in own:
                yield int(self.units.id[row])

    def _nft(self, chosen: list[Any]) -> Iterator[int]:
        items: Items = self.game.arrays(Items)
        for row in range(int(self.game.head[ITEMS])):
            if items.player[row] == self.player and items.use[row] == FREE:
                yield int(items.id[row])

    def _mode(self, chosen: list[Any]) -> Iterator[str]:
        yield from _MODES

    def _name(self, chosen: list[Any]) -> Iterator[str]:
        yield from NAMES

    def _at(self, chosen: list[Any]) -> Iterator[list[int]]:
        game = self.game
        cells: CellArrays = game.arrays(CellArrays)
        if self.verb == "stack":
            found = [
                cell
                for cell in (cells.structure >= 0).nonzero()[0].tolist()
                if self._is_own(int(cells.structure[cell]))
            ]
        else:
            found = game.spawn_cells(self._row(chosen[0]))
        yield from (game.board.coords[cell].tolist() for cell in found)

    def _is_own(self, row: int) -> bool:
        return bool(self.units.team[row] == self.team)

    def _to(self, chosen: list[Any]) -> Iterator[list[int]]:
        game = self.game
        unit = self._row(chosen[0])
        cells: CellArrays = game.arrays(CellArrays)
        if self.verb == "leave_swarm":
            swarm = int(self.units.swarm[unit]) if unit == self.ship else -1
            found = game.board.neighbours(int(self.units.cell[swarm])) if swarm >= 0 else []
        elif self.units.status[unit] == ALONE and self.units.task[unit] == IDLE:
            found = [cell for cell, _, _ in game.destinations(unit) if cells.unit[cell] < 0]
        else:
            found = []
        yield from (game.board.coords[cell].tolist() for cell in found)


def distances(board: "Board", cell: int, cells: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """How far each of ``cells`` is from ``cell``."""
    axes = np.asarray(board.tables.axes).reshape(-1, 3)
    found: npt.NDArray[np.int64] = np.abs(axes[cells] - axes[cell]).max(axis=1)
    return found


def targets_of(game: "BoidVoid", unit: int) -> list[int]:
    """The ids of the foreign units in range of the unit of that row."""
    units: Units = game.arrays(Units)
    if units.status[unit] != ALONE:
        return []
    count = int(game.head[UNITS])
    there = np.flatnonzero((units.status[:count] == ALONE) & (units.team[:count] != units.team[unit]))
    near = there[distances(game.board, int(units.cell[unit]), units.cell[there]) <= game.range_of(unit)]
    return units.id[near].tolist()  # type: ignore[no-any-return]
