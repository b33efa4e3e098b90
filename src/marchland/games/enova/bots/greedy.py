"""The greedy player's plan: claim free castles, gather in one host, and strike together what it will likely beat.

Who wins a battle loses nothing and who loses it loses half, so strength counts only where it is together. A force that
defends counts twice, and the dice cannot make up for less than six tenths of the other side's strength: what cannot be
beaten is watched until the host has grown. Chance decides between equals: with a fixed order of tiles, all players
would move towards one corner of the board.
"""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from marchland.board import Board, Longs
from marchland.core.state import NO_PLAYER
from marchland.games.enova.rules.orders import DEFEND, MOVE, SUPPORT
from marchland.games.enova.rules.terrain import CASTLE, IMPASSABLE
from marchland.games.enova.views import Observation

_SURE: Final = 115
"""Percent of the strongest possible defence that an attack needs."""
_LEAST: Final = 65
"""Percent that suffice in the end for a player who would not win: the dice may help it, waiting does not."""
_LEAST_OF_LEADER: Final = 80
"""Percent that suffice in the end for a leader with twice the units of all others: a lost battle does not stop it."""
_HASTE_TURNS: Final = 100
"""Turns before the limit from which on an attack needs one percent less with every turn."""
_HOPELESS: Final = 60
"""Percent of the other side's strength below which the dice cannot make up for the difference."""
_CANDIDATES: Final = 6
"""The nearest castles that are compared as the next target."""
_UNREACHABLE: Final = 1 << 30
_STEP_PRICE: Final = 2
"""Units of defence that a target may have more for being one step nearer."""


class Plan(NamedTuple):
    """What one army does; ``to`` is where it moves, with ``units`` or all of them."""

    verb: int
    cell: int
    to: int = -1
    units: int = 0


class Map:
    """The board as one player sees it this turn."""

    def __init__(self, seen: Observation, board: Board, chance: Any) -> None:
        self.board = board
        self.chance = chance
        """A random number for each tile: the lower one goes first among equals."""
        self.me = int(seen["me"][0])
        self.owner, self.units, self.terrain = seen["owner"], seen["units"], seen["terrain"]
        late = _HASTE_TURNS - int(seen["turn_limit"][0] - seen["turn"][0])
        self.sure = max(least_strength(seen), _SURE - max(late, 0))
        self.foreign = (self.owner != self.me) & (self.owner != NO_PLAYER)
        self.armies: list[int] = np.flatnonzero((self.owner == self.me) & (self.units > 0)).tolist()
        self.host = max(self.armies, key=lambda cell: (self.units[cell], self.chance[cell]), default=-1)
        strongest = int(self.units[self.host]) if self.armies else 0
        held = self.foreign & (self.units > 0) & (2 * self.units >= strongest)
        self._cost = np.where((self.terrain == IMPASSABLE) | held, -1, 1).astype(np.int32)

    def ways(self, cell: int) -> list[int]:
        """The neighbours that can be walked on."""
        return [other for other in self.board.neighbours(cell) if self.terrain[other] != IMPASSABLE]

    def threat(self, cell: int) -> int:
        """The most units of one enemy that could attack the tile next."""
        beside = [other for other in self.ways(cell) if self.foreign[other]]
        by_owner: dict[int, int] = {}
        for other in beside:
            owner = int(self.owner[other])
            by_owner[owner] = by_owner.get(owner, 0) + int(self.units[other])
        return max(by_owner.values(), default=0)

    def defence(self, cell: int) -> int:
        """The most strength that an enemy's tile can have: dug in, with all its neighbours in support."""
        owner = self.owner[cell]
        support = sum(int(self.units[other]) for other in self.ways(cell) if self.owner[other] == owner)
        return 2 * int(self.units[cell]) + support

    def enough(self, defence: int) -> int:
        """A strength that likely beats ``defence``."""
        return defence * self.sure // 100 + 1

    def spare(self, cell: int) -> int:
        """The units that can leave the tile without giving it to the enemies beside it."""
        threat = self.threat(cell)
        return int(self.units[cell]) - self.enough(threat) if threat else int(self.units[cell])

    def may_enter(self, cell: int, units: int) -> bool:
        """Whether so many units may step on the tile without being beaten there."""
        return not self.foreign[cell] or units >= self.enough(self.defence(cell))

    def castles(self, wanted: Any) -> list[int]:
        """The castles among the ``wanted`` tiles."""
        found: list[int] = np.flatnonzero((self.terrain == CASTLE) & wanted).tolist()
        return found

    def distance(self, goals: list[int]) -> Longs:
        """Steps from each tile to the nearest goal round enemies too strong to pass, -1 where there is no way."""
        return self.board.field(goals, self._cost) if goals else np.full(self.board.size, -1, np.int64)


def least_strength(seen: Observation) -> int:
    """The percent of the strongest possible defence that an attack may need at the least."""
    if not is_leading(seen):
        return _LEAST
    units = seen["player_units"]
    mine = int(units[int(seen["me"][0])])
    return _LEAST_OF_LEADER if mine > 2 * (int(units.sum()) - mine) else _SURE


def is_leading(seen: Observation) -> bool:
    """Whether no other player would be ahead if the game ended now: by castles, then tiles, then units (ruling 11)."""
    me = int(seen["me"][0])
    castles, tiles, units = (seen[f"player_{name}"] for name in ("castles", "tiles", "units"))
    ahead = (tiles > tiles[me]) | ((tiles == tiles[me]) & (units > units[me]))
    return not ((castles > castles[me]) | ((castles == castles[me]) & ahead)).any()


def plans(land: Map) -> list[Plan]:
    """One action for each army."""
    if not land.armies:
        return []
    chosen: dict[int, Plan] = {}
    for phase in (strikes, raids, guards, marches):
        free = [cell for cell in land.armies if cell not in chosen]
        for plan in phase(land, free, chosen):
            chosen[plan.cell] = plan
    return list(chosen.values())


def strikes(land: Map, free: list[int], chosen: dict[int, Plan]) -> Iterator[Plan]:
    """Armies beside an enemy's tile take it if together they will likely win; castles and big armies first."""
    idle = set(free)
    targets = {other for cell in free for other in land.ways(cell) if land.foreign[other]}
    for target in sorted(
        targets, key=lambda cell: (land.terrain[cell] != CASTLE, -land.units[cell], land.chance[cell])
    ):
        beside = (cell for cell in land.ways(target) if cell in idle)
        near = sorted(beside, key=lambda cell: (-land.units[cell], land.chance[cell]))
        needed = land.enough(land.defence(target))
        sent: list[int] = []
        while near and sum(int(land.units[cell]) for cell in sent) < needed:
            sent.append(near.pop(0))
        if sum(int(land.units[cell]) for cell in sent) >= needed:
            idle.difference_update(sent)
            yield from (Plan(MOVE, cell, target) for cell in sent)


def raids(land: Map, free: list[int], chosen: dict[int, Plan]) -> Iterator[Plan]:
    """Armies send what they can spare to castles that it will take: free ones, and those that are hardly defended."""
    spare = {cell: land.spare(cell) for cell in free}
    for castle in nearest(land, land.castles(land.owner != land.me), free):
        needed = land.enough(land.defence(castle)) if land.foreign[castle] else 1
        if max(spare.values(), default=0) < needed:
            continue
        field = land.distance([castle])
        for army in sorted(spare, key=lambda cell: (field[cell], -land.units[cell], land.chance[cell])):
            growth = int(field[army]) if land.foreign[castle] else 0  # what the castle makes until the army is there
            step = downhill(land, field, army)
            if step >= 0 and spare[army] >= needed + growth and land.may_enter(step, spare[army]):
                yield Plan(MOVE, army, step, min(spare[army], max(needed + growth, int(land.units[army]) // 2)))
                del spare[army]
                break


def guards(land: Map, free: list[int], chosen: dict[int, Plan]) -> Iterator[Plan]:
    """Support an attack next door; dig in under threat."""
    attacked = {plan.to for plan in chosen.values() if plan.to >= 0 and land.foreign[plan.to]}
    threatened = {cell for cell in free if 100 * land.threat(cell) > _HOPELESS * land.units[cell]}
    for cell in free:
        if attacked.intersection(land.ways(cell)):
            yield Plan(SUPPORT, cell)
        elif cell in threatened:
            yield Plan(DEFEND, cell)


def marches(land: Map, free: list[int], chosen: dict[int, Plan]) -> Iterator[Plan]:
    """The host goes for the target and the others join it; once it can beat any army, the others hold castles."""
    target = next_target(land)
    to_target = land.distance([target] if target >= 0 else [])
    to_host = land.distance([land.host])
    large = land.enough(2 * int(land.units[land.foreign].max(initial=0)))
    for cell in free:
        units = int(land.units[cell])
        hunts = cell == land.host or units >= large
        if not hunts and land.units[land.host] >= large and land.terrain[cell] == CASTLE:
            yield Plan(DEFEND, cell)
            continue
        step = downhill(land, to_target if hunts else to_host, cell)
        if step < 0 or not land.may_enter(step, units):
            yield Plan(DEFEND, cell)
        else:
            yield Plan(MOVE, cell, step, units // 2 if units >= 2 * large else 0)


def next_target(land: Map) -> int:
    """The enemy's castle, or without castles the army, that is weakest and nearest; -1 if there is none."""
    goals = land.castles(land.foreign) or np.flatnonzero(land.foreign & (land.units > 0)).tolist()
    near = nearest(land, goals, [land.host])
    return min(near, key=lambda cell: (land.defence(cell) + _STEP_PRICE * near[cell], land.chance[cell]), default=-1)


def nearest(land: Map, goals: list[int], armies: list[int]) -> dict[int, int]:
    """The goals that are nearest to the armies, with their distances, beginning with the nearest."""
    if not goals or not armies:
        return {}
    field = land.distance(armies)
    beside = np.asarray(land.board.tables.neighbours).reshape(land.board.size, -1)[goals]
    steps = np.where((beside >= 0) & (field[beside] >= 0), field[beside] + 1, _UNREACHABLE).min(axis=1)
    order = np.lexsort((land.chance[goals], steps))[:_CANDIDATES].tolist()
    return {goals[place]: int(steps[place]) for place in order if steps[place] < _UNREACHABLE}


def downhill(land: Map, field: Longs, cell: int) -> int:
    """The neighbour from which the way is shortest, the one with most own units first; -1 if this is the place."""
    steps = [other for other in land.ways(cell) if 0 <= field[other] < field[cell]]
    return min(
        steps,
        key=lambda way: (field[way], -land.units[way] * (land.owner[way] == land.me), land.chance[way]),
        default=-1,
    )
