"""What attacks would do, by the rules' own arithmetic: damage, toughness, the battery ratio that suffices, threats.

All figures are in hundredths. Critical hits are left out: a plan counts on what is certain.
"""

import functools
from typing import Final

import numpy as np

from marchland.games.boidvoid.bots.observation import Ints, Observation
from marchland.games.boidvoid.rules.constants import HUNDREDTHS, IDLE, NO_TEAM, NO_UNIT, NPC, SHIP, SWARM

WHOLE: Final = 100


class Battlefield:
    """Strikes, defences and threats of one turn."""

    def __init__(self, seen: Observation) -> None:
        self.seen = seen
        self._owner = seen.arrays["owner"]

    @functools.cached_property
    def hunters(self) -> list[int]:
        """The enemy ships and swarms on the map."""
        return [foe for foe in self.seen.foes.tolist() if self.seen.unit["kind"][foe] in (SHIP, SWARM)]

    def _bonus(self, bonus: str, cell: int, team: int, itself: int) -> int:
        """What tile, owned point and own superstructure give a unit on that cell, in percent (ruling 13)."""
        seen = self.seen
        total = int(seen.arrays[f"tile_{bonus}"][cell])
        if team != NO_TEAM and self._owner[cell] == team:
            total += int(seen.arrays[f"point_{bonus}"][cell])
        structure = int(seen.structures[cell])
        if structure not in (NO_UNIT, itself) and seen.unit["team"][structure] == team:
            total += seen.unit[f"tile_{bonus}"][structure]
        return total

    def strike(self, unit: int, cell: int, apart: int, ratio: int | None = None, gained: int = 0) -> int:
        """The damage that the unit deals from that cell, with its own ratio or another, after recharging so much."""
        seen = self.seen
        force = 0
        for ship in seen.members(unit):
            if seen.unit["kind"][unit] == SWARM and seen.stat(ship, "range") < apart:
                continue
            if seen.unit["kind"][ship] == SHIP:
                share = seen.unit["ratio"][ship] if ratio is None else ratio
                force += (seen.unit["battery"][ship] + gained) * share // WHOLE
            force += seen.stat(ship, "attack") * HUNDREDTHS
        bonus = self._bonus("attack", cell, seen.unit["team"][unit], unit)
        return max(force, 0) * max(WHOLE + bonus, 0) // WHOLE

    def armour(self, unit: int, cell: int) -> int:
        """The boosted defense of a unit, of a swarm that of all its ships."""
        seen = self.seen
        defense = sum(max(seen.stat(ship, "defense"), 0) for ship in seen.members(unit)) * HUNDREDTHS
        return defense * max(WHOLE + self._bonus("defense", cell, seen.unit["team"][unit], unit), 0) // WHOLE

    def toughness(self, unit: int, cell: int | None = None, ratio: int | None = None) -> int:
        """The damage that the unit bears at most: shields, boosted defense and health."""
        seen = self.seen
        total = self.armour(unit, seen.place(unit) if cell is None else cell)
        for ship in seen.members(unit):
            total += seen.unit["health"][ship]
            if seen.unit["kind"][ship] == SHIP:
                share = seen.unit["ratio"][ship] if ratio is None else ratio
                battery = seen.unit["battery"][ship]
                total += battery - battery * share // WHOLE
        return total

    def least_ratio(self, unit: int, cell: int, apart: int, damage: int) -> int:
        """The least attack part of the battery with which the unit deals more than ``damage``; above 100 if none does.

        The ships of a swarm cannot agree on less than all.
        """
        if self.strike(unit, cell, apart, WHOLE) <= damage:
            return WHOLE + 1
        battery = self.seen.unit["battery"][unit]
        if self.seen.unit["kind"][unit] == SWARM or battery == 0:
            return WHOLE
        without = self.strike(unit, cell, apart, 0)
        guess = (damage - without) * WHOLE // max(self.strike(unit, cell, apart, WHOLE) - without, 1)
        ratios = range(max(guess - 1, 0), WHOLE + 1)
        return next(ratio for ratio in ratios if self.strike(unit, cell, apart, ratio) > damage)

    @functools.cached_property
    def _threats(self) -> list[tuple[int, int, int, Ints]]:
        """Team, unit and damage of each enemy that is free to strike next turn, and the cells that it can strike."""
        seen, rules = self.seen, self.seen.settings
        found = []
        for foe in seen.foes.tolist():
            kind = seen.unit["kind"][foe]
            if kind not in (SHIP, SWARM, NPC) or (seen.unit["task"][foe] != IDLE and seen.unit["wait"][foe] > 1):
                continue
            steps, gained, place = 1, 0, seen.place(foe)
            if kind != NPC:
                points = min(seen.points(foe) + rules["action_points"], rules["action_points_max"])
                cost = rules["base_move_cost"] + seen.step_modifier(foe)
                steps, gained = points // max(cost, rules["min_move_cost"]), rules["battery_recharge"] * HUNDREDTHS
            within = seen.distances(place) <= steps + seen.reach(foe)
            found.append((seen.unit["team"][foe], foe, self.strike(foe, place, 0, WHOLE, gained), within))
        return found

    def threats(self) -> Ints:
        """For each cell the most damage that one enemy team, or the NPCs near it, could deal there next turn."""
        by_team: dict[int, Ints] = {}
        for team, _, damage, within in self._threats:
            by_team[team] = by_team[team] + within * damage if team in by_team else within * damage
        found = np.zeros(self.seen.board.size, np.int64)
        for total in by_team.values():
            np.maximum(found, total, out=found)
        return found

    def threat_without(self, cell: int, fallen: int) -> int:
        """The threat on one cell if that enemy falls."""
        by_team: dict[int, int] = {}
        for team, foe, damage, within in self._threats:
            if foe != fallen and within[cell]:
                by_team[team] = by_team.get(team, 0) + damage
        return max(by_team.values(), default=0)
