"""NFTs in a readable position, both ways."""

from typing import TYPE_CHECKING, Literal

import msgspec

from marchland.core.state import NO_PLAYER
from marchland.games.boidvoid.position.units import row_of_id
from marchland.games.boidvoid.rules.constants import (
    EQUIPPED,
    ITEMS,
    MODES,
    N_AVATAR,
    NFT_KINDS,
    NO_UNIT,
    STAT_NAMES,
    STATS,
    USES,
)
from marchland.games.boidvoid.rules.orders import NftKind
from marchland.games.boidvoid.rules.state import Items, Players, Traits, Units

if TYPE_CHECKING:
    from marchland.games.boidvoid.game import BoidVoid


class ItemText(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One NFT; ``target`` is the id of the unit that it is used on."""

    id: int
    kind: NftKind
    player: int | None = None
    template: int = 0
    turns: int = 0
    left: int = 0
    use: str = "free"
    mode: Literal["burn", "stake", "burned"] = "burn"
    burnable: bool = True
    target: int | None = None
    traits: dict[str, int] = {}


def item_texts(game: "BoidVoid") -> list[ItemText]:
    """Every NFT known to the game."""
    items: Items = game.arrays(Items)
    ids = game.arrays(Units).id
    return [
        ItemText(
            int(items.id[row]),
            NFT_KINDS[items.kind[row]],
            None if items.player[row] == NO_PLAYER else int(items.player[row]),
            int(items.template[row]),
            int(items.turns[row]),
            int(items.left[row]),
            USES[items.use[row]],
            MODES[items.mode[row]],
            bool(items.burnable[row]),
            None if items.target[row] == NO_UNIT else int(ids[items.target[row]]),
            traits_of(game, row),
        )
        for row in range(int(game.head[ITEMS]))
    ]


def traits_of(game: "BoidVoid", item: int) -> dict[str, int]:
    """The modifiers that an NFT has."""
    values = game.arrays(Traits).value[item * STATS : (item + 1) * STATS].tolist()
    return {name: value for name, value in zip(STAT_NAMES, values, strict=True) if value}


def fill_items(game: "BoidVoid", texts: list[ItemText]) -> None:
    items: Items = game.arrays(Items)
    for row, text in enumerate(texts):
        items.id[row], items.kind[row] = text.id, NFT_KINDS.index(text.kind)
        items.player[row] = NO_PLAYER if text.player is None else text.player
        items.template[row], items.turns[row], items.left[row] = text.template, text.turns, text.left
        items.use[row], items.mode[row] = USES.index(text.use), MODES.index(text.mode)
        items.burnable[row] = text.burnable
        items.target[row] = NO_UNIT if text.target is None else row_of_id(game, text.target)
        for name, value in text.traits.items():
            game.arrays(Traits).value[row * STATS + STAT_NAMES.index(name)] = value
        if items.kind[row] == N_AVATAR and items.use[row] == EQUIPPED:
            game.arrays(Players).avatar[items.player[row]] = row
