"""Which tile to capture: the most tiles for the turns it takes, out of danger, and not where another ship is nearer."""

from typing import Final

import numpy as np

from marchland.core.orders import NO_CELL
from marchland.games.boidvoid.bots.situation import LOSS, UNREACHABLE, Ints, Situation
from marchland.games.boidvoid.rules.constants import NO_TEAM, NPC

_NPC_ZONE: Final = 3
"""How near an NPC disturbs a capture: its step and its range."""
_NPC_PRICE: Final = 0.1
_MATE_PRICE: Final = 0.2
_LEAST_RATE: Final = 0.05


def best_capture(now: Situation, ship: int, turns: Ints) -> tuple[float, int]:
    """The rate of the best tile, in tiles for each turn, and the tile; `NO_CELL` if none can be captured now."""
    seen, rules = now.seen, now.seen.settings
    owner = seen.arrays["owner"]
    wanted = (owner != seen.team) & (seen.arrays["obstacle"] == 0) & now.free_for(ship) & (turns < UNREACHABLE)
    cells = np.flatnonzero(wanted)
    if len(cells) == 0 or not now.is_on_map(seen.team):
        return 0.0, NO_CELL
    foreign = owner[cells] != NO_TEAM
    modifiers = seen.arrays["tile_capture"][cells] + seen.arrays["point_capture"][cells]
    needed = np.maximum(rules["capture_turns"] + modifiers, 1) * np.where(foreign, rules["foreign_factor"], 1)
    in_danger = now.threats[cells] >= now.field.toughness(ship, ratio=0)
    rate = (1.0 + foreign / now.rivals - LOSS * in_danger) / (needed + turns[cells])
    for foe in seen.foes.tolist():
        if seen.unit["kind"][foe] == NPC:
            rate -= _NPC_PRICE * (now.distances(foe)[cells] <= _NPC_ZONE)
    mine = now.distances(ship)[cells]
    for mate in now.ships[seen.team]:
        if mate != ship and now.is_idle(mate):
            rate -= _MATE_PRICE * (now.distances(mate)[cells] < mine)
    return max(float(rate.max()), _LEAST_RATE), now.pick(cells, np.round(rate, 6))
