"""The bot `greedy` of Enova before it was rewritten: a baseline for comparisons, not maintained."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from marchland.board import Board, Longs
from marchland.core.builtin_bots import BuiltinBot, Orders
from marchland.core.state import NO_PLAYER
from marchland.games.enova.rules.orders import DEFEND, MOVE, SUPPORT
from marchland.games.enova.rules.terrain import CASTLE, IMPASSABLE
from marchland.games.enova.views import Observation, observation_from_view

_LEAST_PATIENCE = 40
"""Percent of a safe strength that suffices in the end; otherwise equal players would never attack."""
_HASTE = 3
"""Percent less with every turn."""


class Plan(NamedTuple):
    """What one army does; ``to`` is where it moves."""

    verb: int
    cell: int
    to: int = -1


class Map:
    """The board as one player sees it this turn."""

    def __init__(self, seen: Observation, board: Board) -> None:
        self.board = board
        self.me = int(seen["me"][0])
        self.owner, self.units, self.terrain = seen["owner"], seen["units"], seen["terrain"]
        self.percent = int(seen["variance_percent"][0])
        self.patience = max(_LEAST_PATIENCE, 100 - _HASTE * (int(seen["turn"][0]) - 1))
        self.armies = np.flatnonzero((self.owner == self.me) & (self.units > 0)).tolist()
        self._cost = np.where(self.terrain == IMPASSABLE, -1, 1).astype(np.int32)

    def ways(self, cell: int) -> Iterator[int]:
        """The neighbours that can be walked on."""
        return (other for other in self.board.neighbours(cell) if self.terrain[other] != IMPASSABLE)

    def is_enemy(self, cell: int) -> bool:
        """Whether another player owns the tile."""
        return bool(self.owner[cell] != NO_PLAYER and self.owner[cell] != self.me)

    def threat(self, cell: int) -> int:
        """How many units could attack the tile next."""
        return sum(int(self.units[other]) for other in self.ways(cell) if self.is_enemy(other))

    def defence(self, cell: int) -> int:
        """The most strength that an enemy's tile can have: dug in, with all its neighbours in support."""
        owner = self.owner[cell]
        support = sum(int(self.units[other]) for other in self.ways(cell) if self.owner[other] == owner)
        return 2 * int(self.units[cell]) + support

    def castles(self, wanted: Any) -> list[int]:
        """The castles among the ``wanted`` tiles."""
        found: list[int] = np.flatnonzero((self.terrain == CASTLE) & wanted).tolist()
        return found

    def distance(self, goals: list[int]) -> Longs:
        """Steps from each tile to the nearest goal, -1 where there is no way."""
        return self.board.field(goals, self._cost) if goals else np.full(self.board.size, -1, np.int64)


def plans(land: Map) -> list[Plan]:
    """One action for each army."""
    chosen = {plan.cell: plan for plan in attacks(land)}
    free = [cell for cell in land.armies if cell not in chosen]
    attacked = {plan.to for plan in chosen.values()}
    for plan in guards(land, free, attacked):
        chosen[plan.cell] = plan
    for plan in marches(land, [cell for cell in free if cell not in chosen]):
        chosen[plan.cell] = plan
    return list(chosen.values())


def attacks(land: Map) -> Iterator[Plan]:
    """All armies round an enemy's tile fall upon it if together they will likely win; castles and big armies first."""
    idle = set(land.armies)
    targets = {other for cell in land.armies for other in land.ways(cell) if land.is_enemy(other)}
    worth = sorted(targets, key=lambda cell: (land.terrain[cell] != CASTLE, -land.units[cell], cell))
    for target in worth:
        near = sorted((cell for cell in land.ways(target) if cell in idle), key=lambda cell: -land.units[cell])
        needed = enough(land, land.defence(target))
        sent: list[int] = []
        while near and sum(int(land.units[cell]) for cell in sent) < needed:
            sent.append(near.pop(0))
        if sum(int(land.units[cell]) for cell in sent) >= needed:
            idle.difference_update(sent)
            yield from (Plan(MOVE, cell, target) for cell in sent)


def enough(land: Map, defence: int) -> int:
    """A strength that likely beats ``defence``: more by over half of what the dice can change; in later turns, less."""
    return (defence + 1 + defence * land.percent // 100) * land.patience // 100


def guards(land: Map, free: list[int], attacked: set[int]) -> Iterator[Plan]:
    """Support an attack next door, hold a castle that is threatened, stand by one that is; else dig in."""
    threatened = {cell for cell in land.armies if land.threat(cell)}
    for cell in free:
        beside = set(land.ways(cell))
        if beside & attacked:
            yield Plan(SUPPORT, cell)
        elif cell in threatened:
            yield Plan(DEFEND, cell)
        elif any(land.terrain[other] == CASTLE for other in beside & threatened):
            yield Plan(SUPPORT, cell)


def marches(land: Map, free: list[int]) -> Iterator[Plan]:
    """Small armies take unowned castles or gather where the enemy is nearest; a large one marches on the enemy."""
    unowned = land.distance(land.castles(land.owner == NO_PLAYER))
    others = (land.owner != land.me) & (land.owner != NO_PLAYER)
    enemies = land.castles(others) or np.flatnonzero(others & (land.units > 0)).tolist()
    enemy = land.distance(enemies)
    strongest = int(land.units[others].max(initial=0))
    own = [cell for cell in land.castles(land.owner == land.me) if enemy[cell] >= 0]
    rally = land.distance([min(own, key=lambda cell: (enemy[cell], cell))] if own else [])
    for cell in free:
        large = land.units[cell] >= enough(land, 2 * strongest)
        claims = unowned[cell] >= 0 and (not large or enemy[cell] < 0 or unowned[cell] <= enemy[cell])
        field = unowned if claims else enemy if large or rally[cell] < 0 else rally
        step = downhill(land, field, cell)
        yield Plan(DEFEND, cell) if step < 0 else Plan(MOVE, cell, step)


def downhill(land: Map, field: Longs, cell: int) -> int:
    """The neighbour from which the way is shortest, or -1 if this is the place."""
    steps = [other for other in land.ways(cell) if 0 <= field[other] < field[cell]]
    return min(steps, key=lambda other: field[other], default=-1)


class Bot(BuiltinBot):
    """Takes unowned castles, masses its armies, attacks where it will likely win, and guards what is threatened."""

    def play(self, view: Any) -> Orders:
        """The orders of this turn."""
        seen = to_observation(view)
        board = board_of(seen)
        orders: Orders = []
        for verb, cell, to in plans(Map(seen, board)):
            at = list(board.at(cell))
            if verb == MOVE:
                orders.append({"do": "move", "from": at, "to": list(board.at(to))})
            else:
                orders.append({"do": "defend" if verb == DEFEND else "support", "at": at})
        return orders


def to_observation(view: Any) -> Observation:
    """The observation, or the same made from a view."""
    return observation_from_view(view) if "map" in view else view


def board_of(seen: Observation) -> Board:
    """The board that the observation is of."""
    width, height = (int(side) for side in seen["size"])
    return Board.square(width, height, wrap=bool(seen["torus"][0]), diagonals=bool(seen["diagonals"][0]))
