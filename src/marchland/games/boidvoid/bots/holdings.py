"""How the greedy bot uses its NFTs: equipment, boosts by staking, superstructures and their levels."""

from typing import Any, Final

import numpy as np

from marchland.games.boidvoid.bots.situation import Situation
from marchland.games.boidvoid.rules.constants import (
    ATTACK,
    BATTERY,
    DEFENSE,
    FREE,
    HEALTH,
    IN_SWARM,
    N_BOOST,
    N_MOTHERSHIP,
    N_SHIP,
    N_STRUCTURE,
    NO_ITEM,
    OWN_STATS,
    POINTS,
    RANGE,
    RECOVERY,
    RESPAWN,
    STEP,
    WAITING,
)
from marchland.games.boidvoid.season.items import FIRST_LEDGER_ID

_WORTH: Final = {
    **dict.fromkeys((ATTACK, DEFENSE, HEALTH, BATTERY), 1),
    **dict.fromkeys((RECOVERY, POINTS), 4),
    RANGE: 20,
    STEP: -10,
    RESPAWN: -5,
}
"""What each modifier of equipment is worth against the others."""
_WEIGHTS: Final = np.array([_WORTH.get(stat, 0) for stat in range(OWN_STATS)])


def nft_orders(now: Situation) -> list[dict[str, Any]]:
    """Equip what improves a unit, stake every boost again as soon as it returns, raise the team's superstructures."""
    return [*_equip(now), *_boost(now), *_stack(now)]


def _equip(now: Situation) -> list[dict[str, Any]]:
    seen = now.seen
    arrays = seen.arrays
    orders = []
    for unit, kind in ((seen.ship, N_SHIP), (now.motherships[seen.team], N_MOTHERSHIP)):
        fitting = np.flatnonzero((arrays["nft_kind"] == kind) & (arrays["nft_use"] == FREE))
        if seen.unit["nft"][unit] != NO_ITEM or len(fitting) == 0 or unit not in seen.commanded():
            continue
        worth = arrays["nft_traits"][fitting] @ _WEIGHTS
        best = int(worth.argmax())
        if worth[best] > 0:
            orders.append({"do": "equip", "unit": seen.name(unit), "nft": int(arrays["nft_id"][fitting[best]])})
    return orders


def _boost(now: Situation) -> list[dict[str, Any]]:
    """The ship or, in a swarm, all of its ships; a staked NFT returns, so that it works for the whole match."""
    seen = now.seen
    status = seen.status(seen.ship)
    if status == WAITING:
        return []
    target = seen.unit["swarm"][seen.ship] if status == IN_SWARM else seen.ship
    nfts = seen.free_nfts(N_BOOST)[: seen.settings["boost_limit"]]
    return [{"do": "boost", "target": seen.name(target), "nft": nft, "mode": "stake"} for nft in nfts]


def _stack(now: Situation) -> list[dict[str, Any]]:
    """Raise a superstructure: it takes no turn, and a staked NFT returns if it falls."""
    seen = now.seen
    nfts = seen.free_nfts(N_STRUCTURE)
    if not nfts or not now.is_on_map(seen.team):
        return []  # without a mothership there is time to build
    templates = dict(zip(seen.arrays["nft_id"].tolist(), seen.arrays["nft_template"].tolist(), strict=True))
    low = [
        row
        for row in seen.structures[seen.structures >= 0].tolist()
        if seen.unit["team"][row] == seen.team and seen.unit["aim"][row] < seen.settings["level_limit"]
    ]
    for row in low:
        founder = seen.unit["nft"][row]
        for nft in nfts:
            both_given = nft < FIRST_LEDGER_ID and founder < FIRST_LEDGER_ID
            if both_given or templates[nft] == templates.get(founder):
                at = seen.at(seen.unit["cell"][row])
                return [{"do": "stack", "at": at, "nft": nft, "mode": "stake"}]
    return []
