"""NFTs on a map: a tile, a point of importance, an obstacle or an NPC may name one, whose modifiers it then has."""

from collections.abc import Mapping
from typing import Any

import msgspec

from marchland.errors import MapError
from marchland.games.boidvoid.maps.mapfile import HOLE, OBSTACLE, Character, MapText, Place, read_data


def nfts_of_map(map: Any) -> dict[int, str]:
    """The NFTs that a map names, with the kind that each has to be; none for a map that is only a name."""
    if not isinstance(map, Mapping):
        return {}
    found = read_data(map)
    return {place.nft: kind for kind, places in _places(found).items() for place in places if place.nft is not None}


def map_with_nfts(map: Mapping[str, Any], facts: Mapping[int, Mapping[str, Any]]) -> dict[str, Any]:
    """The map with the modifiers of its NFTs; what the map says itself takes precedence (ruling 51)."""
    found = read_data(map)
    tiles = [list(row) for row in found.tiles]
    for place in found.obstacles:
        x, y = place.at
        if found.letter(place.at) == HOLE:
            raise MapError(f"An obstacle is at {list(place.at)}, where there is no tile.")
        tiles[y][x] = OBSTACLE

    def modifiers(nft: int | None) -> dict[str, int]:
        return dict(facts[nft].get("modifiers", {})) if nft is not None else {}

    resolved = msgspec.structs.replace(
        found,
        tiles=["".join(row) for row in tiles],
        points=[Place(place.at, modifiers(place.nft) | place.bonuses) for place in found.points],
        bonuses=[Place(place.at, modifiers(place.nft) | place.bonuses) for place in found.bonuses],
        npcs=[Character(npc.at, modifiers(npc.nft) | npc.stats) for npc in found.npcs],
        obstacles=[],
    )
    plain: dict[str, Any] = msgspec.to_builtins(resolved)
    return plain


def _places(found: MapText) -> dict[str, list[Any]]:
    return {
        "point_of_importance": [*found.points],
        "tile": [*found.bonuses],
        "npc": [*found.npcs],
        "obstacle": [*found.obstacles],
    }
