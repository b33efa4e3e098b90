"""The menu of BoidVoid's legal orders. It asks the rules themselves: what it offers was tried on a copy."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from marchland.core.game_functions import ResourceLevel
from marchland.core.orders import LEFT_OUT, encode_cell
from marchland.games.boidvoid.position.units import row_of_id, swarm_name
from marchland.games.boidvoid.rules.constants import (
    ALONE,
    FREE,
    GONE,
    HUNDREDTHS,
    IDLE,
    IN_SWARM,
    ITEMS,
    LOCKED,
    NFT_KINDS,
    NO_ITEM,
    NO_UNIT,
    STRUCTURES_AT,
    SWARM,
    SWARMS_AT,
    TROOPER,
    UNITS,
)
from marchland.games.boidvoid.rules.orders import VERBS
from marchland.games.boidvoid.rules.state import Cells as CellArrays
from marchland.games.boidvoid.rules.state import Items, Players, Units
from marchland.messages import Cells, Choices, Forecast, Menu, Phrase, Pieces, Range, Step

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
    forecasts = (asked.forecast(chosen[0], value) for value in found) if verb == "attack" and chosen else ()
    return Pieces(following, found, [asked.name(following, value) for value in found], [*forecasts])


def resources(game: "BoidVoid", player: int) -> list[ResourceLevel]:
    """Action points and battery of the player's ship, once it is on the map."""
    units: Units = game.arrays(Units)
    ship, config = game.ship_of(player), game.config
    if units.status[ship] not in (ALONE, IN_SWARM):
        return []
    return [
        ResourceLevel("action_points", int(units.points[ship]), config.action_points),
        ResourceLevel("battery", int(units.battery[ship]) // HUNDREDTHS, config.battery_recharge),
    ]


def probe(game: "BoidVoid", player: int, verb: str, cell: int | None) -> dict[str, Any] | None:
    """An order of the player's ship, with the first of what else it needs, whether that is possible or not."""
    return MenuBuilder(game, player, verb).sample() if verb in PARAMETERS else None


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

    def name(self, parameter: str, id: int) -> Phrase | None:
        """What an NFT or a unit of the player is called, which may stand on no tile."""
        if parameter == "nft":
            items: Items = self.game.arrays(Items)
            (row,) = (items.id[: int(self.game.head[ITEMS])] == id).nonzero()[0].tolist()
            return Phrase("item", {"kind": NFT_KINDS[items.kind[row]], "number": id})
        row = self._row(id)
        if row == self.ship:
            return Phrase("own_ship")
        if row == self.team:
            return Phrase("own_mothership")
        if self.units.kind[row] == SWARM:
            return Phrase("named_piece", {"kind": "swarm", "name": swarm_name(self.game, row)})
        return None

    def forecast(self, unit: int, target: int) -> Forecast:
        """The damage of an attack and of the answer, by ids."""
        figures = self.game.attack_figures(self._row(unit), self._row(target))
        least, most, chance, defense, health, answer, worst, _ = figures
        arguments = {
            "damage": _span(least, most),
            "critical": chance if most > least else 0,
            "defense": _points(defense),
            "health": _points(health),
            "answer": _span(answer, worst) if worst else None,
        }
        return Forecast("ATTACK", arguments, hopeless=most <= defense)

    def sample(self) -> dict[str, Any]:
        """An order of the player's ship with the first value for every other parameter."""
        own = int(self.units.id[self.ship])
        place = max(int(self.units.cell[self.ship]), 0)
        values: dict[str, Any] = {
            "unit": own,
            "to": self.game.board.at(place),
            "at": self.game.board.at(place),
            "nft": next(self._nft([]), NO_ITEM),
            "mode": _MODES[0],
            "target": own if self.verb == "boost" else self.nearest_foe(place),
            "name": NAMES[0],
            "swarm": next(self._swarms(), NO_UNIT),
        }
        return {"do": self.verb, **{name: values[name] for name in PARAMETERS[self.verb]}}

    def nearest_foe(self, cell: int) -> int:
        """The id of the foreign unit that is nearest to a cell, or `NO_UNIT`."""
        there = foes(self.game, self.team)
        if not len(there):
            return NO_UNIT
        return int(self.units.id[there[distances(self.game.board, cell, self.units.cell[there]).argmin()]])

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


def _points(hundredths: int) -> float:
    return hundredths / HUNDREDTHS


def _span(least: int, most: int) -> str:
    """Two figures as people read them: ``12`` or ``12-18``."""
    ends = [f"{_points(value):g}" for value in (least, most)]
    return ends[0] if ends[0] == ends[1] else "-".join(ends)


def distances(board: "Board", cell: int, cells: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """How far each of ``cells`` is from ``cell``."""
    axes = np.asarray(board.tables.axes).reshape(-1, 3)
    found: npt.NDArray[np.int64] = np.abs(axes[cells] - axes[cell]).max(axis=1)
    return found


def foes(game: "BoidVoid", team: int) -> npt.NDArray[np.int64]:
    """The rows of the units on the map that are not of a team."""
    units: Units = game.arrays(Units)
    count = int(game.head[UNITS])
    return np.flatnonzero((units.status[:count] == ALONE) & (units.team[:count] != team))


def targets_of(game: "BoidVoid", unit: int) -> list[int]:
    """The ids of the foreign units in range of the unit of that row."""
    units: Units = game.arrays(Units)
    if units.status[unit] != ALONE:
        return []
    there = foes(game, int(units.team[unit]))
    near = there[distances(game.board, int(units.cell[unit]), units.cell[there]) <= game.range_of(unit)]
    return units.id[near].tolist()  # type: ignore[no-any-return]
