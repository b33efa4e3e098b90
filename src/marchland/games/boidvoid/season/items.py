"""NFTs of a ledger: which facts each kind may have, and the host orders by which a game learns of them."""

from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, Literal, get_args

import msgspec

from marchland.core.season_hooks import Item
from marchland.core.state import NO_PLAYER
from marchland.errors import MarchlandError, did_you_mean
from marchland.games.boidvoid.rules.constants import (
    BONUS_NAMES,
    BY_STAKING,
    EQUIPPED,
    FREE,
    ITEMS,
    NFT_KINDS,
    NO_ITEM,
    OWN_STATS,
    STAT_NAMES,
    STATS,
)
from marchland.games.boidvoid.rules.host_orders import MOST_TURNS
from marchland.games.boidvoid.rules.nfts import STAT_LIMIT
from marchland.games.boidvoid.rules.state import Items, Traits

if TYPE_CHECKING:
    from marchland.games.boidvoid.game import BoidVoid

_NEW_TRAITS: Mapping[str, int] = {"turns": 0, "template": 0, "burnable": 1}
"""The traits of an NFT of which the game knows only the owner."""
FIRST_LEDGER_ID = 1_000_000
"""NFTs with lower ids are the ones every player starts with; no ledger has them."""

Kind = Literal[
    "spaceship",
    "mothership",
    "superstructure",
    "tile",
    "point_of_importance",
    "obstacle",
    "npc",
    "boost",
    "avatar",
    "collectible",
]

_OWN = STAT_NAMES[:OWN_STATS]
MODIFIERS: dict[str, tuple[str, ...]] = {
    "spaceship": tuple(name for name in _OWN if name != "build_rate"),
    "mothership": ("attack", "defense", "health", "cost_to_move", "range", "respawn", "action_points"),
    "superstructure": (
        *("attack", "defense", "health", "range", "build_rate", "critical_chance", "critical_value"),
        *STAT_NAMES[OWN_STATS:],
    ),
    "tile": BONUS_NAMES,
    "point_of_importance": BONUS_NAMES,
    "npc": ("attack", "defense", "health", "range", "critical_chance", "critical_value"),
    "boost": STAT_NAMES,
    "obstacle": (),
    "avatar": (),
    "collectible": (),
}
"""Which modifiers an NFT of each kind may have (ruling 24)."""


class LedgerError(MarchlandError):
    """An NFT that cannot exist."""


class Nft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One token: its immutable facts, and its owner."""

    id: int
    owner: str
    kind: Kind
    mint: int = 0
    collection: str = ""
    schema: str = ""
    template: int = 0
    transferable: bool = True
    burnable: bool = True
    sprite: str = ""
    modifiers: dict[str, int] = {}
    turns: int = 0

    def check(self) -> None:
        """Refuse an id beyond 64 bits, modifiers that its kind does not have, and values that no game accepts."""
        if not 0 <= self.id < 2**63:
            raise LedgerError(f"An NFT's id is a whole number of 64 bits, not {self.id}.")
        allowed = MODIFIERS[self.kind]
        for name, value in self.modifiers.items():
            if name not in allowed:
                hint = did_you_mean(name, allowed) if allowed else "it has none."
                raise LedgerError(f"A {self.kind} NFT has no modifier {name!r}; {hint}")
            if abs(value) > STAT_LIMIT:
                raise LedgerError(f"The modifier {name!r} is {value}; it is from {-STAT_LIMIT} to {STAT_LIMIT}.")
        if not 0 <= self.turns <= MOST_TURNS:
            raise LedgerError(f"A boost lasts 0 to {MOST_TURNS} turns, not {self.turns}.")


def nft_from_item(item: Item, owner: str = "") -> Nft:
    """Read an item of the server's ledger."""
    stray = next((name for name in item.facts if name in STAT_NAMES), None)
    if stray is not None:
        raise LedgerError(f'{stray!r} is a modifier: write it as {{"modifiers": {{"{stray}": ...}}}}.')
    plain = {
        **item.facts,
        "id": item.id,
        "owner": owner,
        "kind": item.kind,
        "mint": item.mint,
        "template": item.template,
    }
    return _read_nft(plain)


def nft_from_asset(asset: Mapping[str, Any]) -> Nft | None:
    """Read an asset of an AtomicAssets API (ruling 26); None if it is no NFT of this game."""
    facts = asset.get("data") or {}
    schema = asset["schema"]["schema_name"]
    kind = facts.get("kind", schema)
    if kind not in get_args(Kind):
        return None
    template = asset.get("template") or {}
    modifiers = {name: int(value) for name, value in facts.items() if name in MODIFIERS[kind]}
    plain = {
        "id": int(asset["asset_id"]),
        "owner": asset["owner"],
        "kind": kind,
        "mint": int(asset.get("template_mint") or 0),
        "collection": asset["collection"]["collection_name"],
        "schema": schema,
        "template": int(template.get("template_id") or 0),
        "transferable": bool(asset.get("is_transferable", True)),
        "burnable": bool(asset.get("is_burnable", True)),
        "sprite": str(facts.get("sprite", facts.get("img", ""))),
        "modifiers": modifiers,
        "turns": int(facts.get("turns", 0)),
    }
    return _read_nft(plain)


def _read_nft(plain: Mapping[str, Any]) -> Nft:
    try:
        return msgspec.convert(plain, Nft)
    except msgspec.ValidationError as problem:
        raise LedgerError(f"A {plain['kind']} NFT cannot be so: {problem}.") from None


def nft_orders(nft: Nft, player: int) -> list[dict[str, Any]]:
    """The host orders that add an NFT to a game; kinds that only maps use are not for players."""
    if nft.kind in ("tile", "point_of_importance", "obstacle", "npc"):
        return []
    return [{"do": "nft", "nft": nft.id, "player": player, "kind": nft.kind}, *_trait_orders(nft, _NEW_TRAITS)]


def _trait_orders(nft: Nft, before: Mapping[str, int]) -> list[dict[str, Any]]:
    """The host orders for the traits in which an NFT differs from what the game has."""
    traits = {**nft.modifiers, "turns": nft.turns, "template": nft.template, "burnable": int(nft.burnable)}
    wanted = {**dict.fromkeys(before, 0), **traits}
    return [
        {"do": "trait", "nft": nft.id, "trait": name, "value": value}
        for name, value in wanted.items()
        if value != before.get(name, 0)
    ]


def ownership_orders(game: "BoidVoid", owned: Sequence[tuple[Nft, int]], held: Set[int] | None) -> list[dict[str, Any]]:
    """The host orders for NFTs that are new, have changed or left the ledger.

    `owned` lists the ledger's free NFTs with their owners' seats, `held` the ids that matches hold; without `held` the
    list is not complete, and no NFT leaves. An NFT of which an interrupted job gave only a part is completed.
    """
    items: Items = game.arrays(Items)
    count = int(game.head[ITEMS])
    known = dict(zip(items.id[:count].tolist(), range(count), strict=True))
    traits = game.arrays(Traits).value[: count * STATS].reshape(-1, STATS)
    free = {nft.id for nft, _ in owned}
    orders = []
    for nft, seat in owned:
        row = known.get(nft.id, NO_ITEM)
        if row == NO_ITEM:
            orders += nft_orders(nft, seat)
        elif items.use[row] == FREE and nft.kind == NFT_KINDS[items.kind[row]]:
            if items.player[row] != seat:
                orders += nft_orders(nft, seat)[:1]
            facts = {"turns": items.turns[row], "template": items.template[row], "burnable": items.burnable[row]}
            modifiers = {STAT_NAMES[stat]: traits[row, stat] for stat in traits[row].nonzero()[0]}
            orders += _trait_orders(nft, {name: int(value) for name, value in (facts | modifiers).items()})
    for name, row in known.items() if held is not None else ():
        gone = name >= FIRST_LEDGER_ID and name not in free and held is not None and name not in held
        if gone and items.player[row] != NO_PLAYER and items.use[row] == FREE:
            orders.append({"do": "nft", "nft": name, "player": NO_PLAYER, "kind": NFT_KINDS[items.kind[row]]})
    return orders


def burns(order: Mapping[str, Any]) -> bool:
    """Whether an action burns its NFT: building always does; a boost or a stack may stake instead."""
    return order["do"] == "build" or order.get("mode") == "burn"


def unused_nfts(game: "BoidVoid") -> set[int]:
    """The ids of NFTs that the game does not use; after the match also of those that were staked or equipped."""
    items: Items = game.arrays(Items)
    count = int(game.head[ITEMS])
    returned = (items.mode[:count] == BY_STAKING) | (items.use[:count] == EQUIPPED)
    free = (items.use[:count] == FREE) | (returned & (game.outcome is not None))
    return set(items.id[:count][free].tolist())
