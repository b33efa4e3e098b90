"""The greedy bot's plan for one turn.

Every choice has a rate: tiles gained, or lost by the enemies, for each turn that it takes; the best one is made.
Between attacks the whole battery is in the shields.
"""

import functools
import random
from typing import Any, Final

import numpy as np

from marchland.core.orders import NO_CELL
from marchland.games.boidvoid.bots.attacks import TURN_WORTH, Attack, best_attack
from marchland.games.boidvoid.bots.captures import best_capture
from marchland.games.boidvoid.bots.combat import WHOLE
from marchland.games.boidvoid.bots.holdings import nft_orders
from marchland.games.boidvoid.bots.observation import Observation
from marchland.games.boidvoid.bots.pack import Pack
from marchland.games.boidvoid.bots.situation import Ints, Situation
from marchland.games.boidvoid.rules.constants import (
    IDLE,
    IN_SWARM,
    LEADER,
    MOTHERSHIP,
    N_STRUCTURE,
    NO_UNIT,
    SWARM,
    WAITING,
)

_SPAWN_PRICE: Final = 10
"""Tiles of way that a ship accepts in order to spawn out of danger."""


class Plan:
    """The orders of one turn."""

    def __init__(self, seen: Observation, chance: random.Random) -> None:
        self.seen = seen
        self.now = Situation(seen, chance)
        self.orders: list[dict[str, Any]] = []
        self._taken: set[int] = set()

    @functools.cached_property
    def pack(self) -> Pack:
        """The team's swarm."""
        return Pack(self.now)

    def decide(self) -> list[dict[str, Any]]:
        """The orders of the player's units."""
        seen = self.seen
        fleet = seen.commanded() if self._commands() else [seen.ship]
        for unit in fleet:
            kind = seen.unit["kind"][unit]
            if seen.status(unit) == WAITING:
                self._spawn(unit)
            elif kind == MOTHERSHIP:
                self._retreat(unit)
            elif kind == SWARM:
                self._lead(unit)
            elif seen.status(unit) == IN_SWARM:
                self._follow(unit)
            elif not seen.unit["acted"][unit]:
                self._steer(unit)
        return self.orders + nft_orders(self.now)

    def _commands(self) -> bool:
        """Whether this player moves mothership and swarms: the leader, or the vice-leader of a team without one."""
        arrays, me = self.seen.arrays, self.seen.me
        led = bool(((arrays["player_role"] == LEADER) & (arrays["player_team"] == self.seen.team)).any())
        return self.seen.leads and (arrays["player_role"][me] == LEADER or not led)

    def _give(self, do: str, **parameters: Any) -> None:
        self.orders.append({"do": do, **parameters})

    def _go(self, unit: int, cell: int) -> None:
        if cell != self.seen.place(unit):
            self._taken.add(cell)
            self._give("move", unit=self.seen.name(unit), to=self.seen.at(cell))

    def _set_battery(self, ratio: int, attack: int) -> None:
        if ratio != attack:
            self._give("battery", attack=attack)

    # ---------------------------------------------------------------- coming onto the map, keeping away

    def _spawn(self, unit: int) -> None:
        """The mothership far from enemies, a ship near to what can be captured; both out of danger."""
        seen, now = self.seen, self.now
        free = np.array([cell for cell in seen.free_homes() if cell not in self._taken], np.int64)
        if seen.unit["wait"][unit] > 0 or len(free) == 0:
            return
        if unit != seen.ship:
            scores = now.distance_to_hunters()[free]
        else:
            others = (seen.arrays["owner"] != seen.team) & (seen.arrays["obstacle"] == 0)
            goals: list[int] = np.flatnonzero(others).tolist() or free.tolist()
            in_danger = now.threats[free] >= now.field.toughness(unit, int(free[0]), 0)
            scores = -seen.board.field(goals)[free] - _SPAWN_PRICE * in_danger
            self._set_battery(seen.unit["ratio"][unit], 0)
        cell = now.pick(free, scores)
        self._taken.add(cell)
        self._give("spawn", unit=seen.name(unit), at=seen.at(cell))

    def _retreat(self, unit: int) -> None:
        """Move the mothership away from where enemies could strike it, and off tiles that are still to be captured."""
        seen, now = self.seen, self.now
        here, own = seen.place(unit), seen.arrays["owner"] == seen.team
        is_safe = now.threats[here] <= now.field.armour(unit, here)
        if is_safe and own[here]:
            return
        cells = np.append(self._within(unit, seen.ways(unit)), here)
        scores = 2 * now.distance_to_hunters()[cells] - (now.threats[cells] > 0) + 0.5 * (cells == here)
        if is_safe:
            scores = scores * (now.threats[cells] <= now.threats[here]) * own[cells]
        self._go(unit, now.pick(cells, scores))

    def _within(self, unit: int, cost: Ints) -> Ints:
        """The free cells that the unit can move to this turn."""
        seen = self.seen
        return np.flatnonzero((cost > 0) & (cost <= seen.points(unit)) & (seen.standing == NO_UNIT))

    # ---------------------------------------------------------------- a ship on its own

    def _steer(self, ship: int) -> None:
        seen, now = self.seen, self.now
        if seen.unit["task"][ship] != IDLE and not now.can_strike_now(ship):
            self._set_battery(seen.unit["ratio"][ship], 0)
            return
        cost = seen.ways(ship)
        turns = now.turns_to(ship, cost)
        if seen.unit["task"][ship] != IDLE:
            least = 1 / seen.unit["wait"][ship] + TURN_WORTH
            attack = best_attack(now, ship, turns, least, latest=0)
            if attack is None:
                self._set_battery(seen.unit["ratio"][ship], 0)
                return
            self._give("cancel", unit=seen.name(ship))
            self._strike(ship, attack)
            return
        rate, goal = best_capture(now, ship, turns)
        attack = best_attack(now, ship, turns, rate)
        if attack is not None and attack.turns == 0:
            self._strike(ship, attack)
            return
        if ship in self.pack.wanted:
            self._gather(ship, cost)
        elif attack is not None:
            self._approach(ship, attack.cell, cost)
        elif goal == NO_CELL:
            self._build(ship)
        elif turns[goal] == 0:
            self._go(ship, goal)
            self._give("capture", unit=seen.name(ship))
        else:
            self._approach(ship, goal, cost)
        self._set_battery(seen.unit["ratio"][ship], 0)

    def _strike(self, ship: int, attack: Attack) -> None:
        seen = self.seen
        self._go(ship, attack.cell)
        self._set_battery(seen.unit["ratio"][ship], attack.ratio)
        self._give("attack", unit=seen.name(ship), target=seen.name(attack.target))
        self._set_battery(attack.ratio, 0)
        if seen.unit["task"][attack.target] == IDLE and seen.arrays["owner"][attack.cell] != seen.team:
            self._give("capture", unit=seen.name(ship))  # if the target has moved out of range

    def _approach(self, unit: int, goal: int, cost: Ints) -> None:
        """As near to the goal as action points allow."""
        seen = self.seen
        cells = self._within(unit, cost)
        if len(cells) == 0:
            return
        field = seen.board.field([goal], np.where(seen.arrays["obstacle"] != 0, -1, seen.arrays["enter"]))
        left = np.where(field < 0, field.max() + 1, field)
        best = self.now.pick(cells, -left[cells])
        if left[best] < left[seen.place(unit)]:
            self._go(unit, best)

    def _build(self, ship: int) -> None:
        """There is nothing to capture now: found a superstructure."""
        seen = self.seen
        nfts, here = seen.free_nfts(N_STRUCTURE), seen.place(ship)
        if nfts and seen.structures[here] == NO_UNIT and seen.arrays["owner"][here] == seen.team:
            self._give("build", unit=seen.name(ship), nft=nfts[0])

    # ---------------------------------------------------------------- swarms

    def _gather(self, ship: int, cost: Ints) -> None:
        """Found the team's swarm, or join it."""
        seen, swarm = self.seen, self.pack.swarm
        if swarm == NO_UNIT:
            if ship == self.pack.wanted[0]:
                self._give("create_swarm", unit=seen.name(ship), name=f"pack {seen.turn}")
            else:
                self._approach(ship, seen.place(self.pack.wanted[0]), cost)
            return
        if self.now.distances(swarm)[seen.place(ship)] > 1:
            self._approach(ship, seen.place(swarm), cost)
        self._give("join_swarm", unit=seen.name(ship), swarm=seen.name(swarm))

    def _lead(self, swarm: int) -> None:
        """Strike what the swarm can overwhelm, or go there; wait for ships that are to join."""
        seen = self.seen
        cost = seen.ways(swarm)
        attack = best_attack(self.now, swarm, self.now.turns_to(swarm, cost), 0)
        if attack is None:
            return
        if attack.turns == 0:
            self._go(swarm, attack.cell)
            self._give("attack", unit=seen.name(swarm), target=seen.name(attack.target))
        elif not self.pack.is_gathering:
            self._approach(swarm, attack.cell, cost)

    def _follow(self, ship: int) -> None:
        """The battery for the swarm's attack; leave a swarm that is not needed."""
        seen, swarm = self.seen, self.seen.unit["swarm"][ship]
        if ship not in self.pack.wanted:
            beside = [cell for cell in seen.board.neighbours(seen.place(ship)) if self._is_open(cell)]
            if beside and not seen.unit["acted"][ship]:
                self._give("leave_swarm", unit=seen.name(ship), to=seen.at(self.now.chance.choice(beside)))
            return
        attack = best_attack(self.now, swarm, self.now.turns_to(swarm, seen.ways(swarm)), 0, latest=0)
        self._set_battery(seen.unit["ratio"][ship], 0 if attack is None else WHOLE)

    def _is_open(self, cell: int) -> bool:
        seen = self.seen
        return bool(seen.standing[cell] == NO_UNIT and not seen.arrays["obstacle"][cell])
