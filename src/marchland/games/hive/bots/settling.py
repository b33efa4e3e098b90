"""Where to found hives for influence: the sites that add most cells for the shortest way."""

from typing import Final

import numpy as np

from marchland.games.hive.bots.memory import FAR
from marchland.games.hive.bots.situation import Situation
from marchland.games.hive.rules.state import FIELD

_WORTHWHILE: Final = 8
"""Cells that a new hive must add."""
_STEP_PRICE: Final = 1.0
"""Cells that a site may add less for each step that it is nearer."""
_DELAY_PRICE: Final = 1.0
"""The same for each step after the flowers for the hive are there."""
_DANGER_PRICE: Final = 15.0
"""The same for a site where enemies are about."""
_FOE_PRICE: Final = 20.0
"""The same for a site in sight of an enemy's hive."""
_FIELD_PRICE: Final = 6.0
"""The same for a site on a field, which can be used no more."""
_SURPLUS: Final = 0.1
"""What a cell beyond those needed for victory is worth: influence is the first tiebreaker."""
_LONGEST_WAY: Final = 12
"""No bee leaves for a site before the flowers for it are there in so many turns."""


def missing_cells(now: Situation) -> int:
    """The cells that are missing for victory by influence."""
    return max(0, now.goal - int(now.memory.covered.sum()))


def settle(now: Situation, income: float) -> None:
    """Send bees to the best sites, so early that the flowers are there when they arrive."""
    missing = missing_cells(now)
    if missing == 0 or len(now.bees) < 2 or now.purse + income * _LONGEST_WAY < now.hive_cost:
        return
    disks = now.memory.disks
    uncovered, gains = ~now.memory.covered, now.memory.added_cells
    price = np.where(now.terrain == FIELD, _FIELD_PRICE, 0)
    price[disks[now.memory.foreign_hives].any(axis=0)] = _FOE_PRICE
    price[now.memory.cost != 1] = FAR
    price += _DANGER_PRICE * now.memory.danger
    budget = now.purse
    nearest = np.array([now.memory.steps_to(bee) for bee in now.bees])
    bees = list(now.bees)
    while missing > 0 and len(now.bees) > 1:
        steps = nearest.min(axis=0)
        score = np.minimum(gains, missing) + _SURPLUS * gains - price - _STEP_PRICE * steps + now.noise
        wait = max(0, now.hive_cost - budget) / max(1, income)
        score -= _DELAY_PRICE * np.maximum(0, steps - wait)
        site = int(score.argmax())
        if gains[site] < min(missing, _WORTHWHILE) or price[site] >= FAR or steps[site] >= FAR:
            return
        if budget + income * steps[site] < now.hive_cost:
            now.reserved += now.hive_cost
            return
        budget -= now.hive_cost
        place = int(nearest[:, site].argmin())
        bee = bees[place]
        nearest[place] = FAR
        if bee != site:
            now.walk(bee, site)
            now.reserved += now.hive_cost
        elif now.purse >= now.hive_cost:
            now.build_hive(bee)
        missing -= int(gains[site])
        added = disks[site] & uncovered
        gains = gains - disks[added].sum(axis=0)
        uncovered = uncovered & ~added
