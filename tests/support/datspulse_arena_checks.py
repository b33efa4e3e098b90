"""What every arena answer satisfies, recorded or ours: one function that raises where it does not."""

from itertools import pairwise
from typing import Any

from marchland.games.datspulse.rules.config import DatspulseConfig

Place = tuple[int, int]

KEYS = ["ants", "enemies", "map", "food", "turnNo", "nextTurnIn", "home", "score", "spot"]
ANT_KEYS = ["q", "r", "type", "health", "id", "lastMove", "move", "food", "lastAttack", "lastEnemyAnt"]
OPTIONAL = {"lastMove", "move", "lastAttack", "lastEnemyAnt"}
ENEMY_KEYS = ["q", "r", "type", "attack", "health", "food", "id"]
COSTS = {1: 1, 2: 1, 3: 2, 4: 1, 5: 30}

_EVEN = ((1, 0), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1))
_ODD = ((1, 0), (1, -1), (0, -1), (-1, 0), (0, 1), (1, 1))


def neighbours(place: Place) -> list[Place]:
    """The odd-r table of the rulings, written out: no code of ours is used here."""
    q, r = place
    return [(q + dq, r + dr) for dq, dr in (_ODD if r % 2 else _EVEN)]


def disk(place: Place, radius: int) -> set[Place]:
    found = {place}
    for _ in range(radius):
        found |= {other for known in found for other in neighbours(known)}
    return found


def place(data: dict[str, Any]) -> Place:
    return data["q"], data["r"]


def check_arena(arena: dict[str, Any], *, recorded: bool = False, on_map: Any = None) -> None:
    """Keys and their order, vision, score, home, last moves, and who shares a hex.

    Older recordings lack the ids of enemies and give every cost as 1. ``on_map`` says whether a hex exists; without
    it, hexes beyond the edge look like hidden ones, so vision is checked within what is shown.
    """
    assert list(arena) == KEYS
    _check_kinds(arena)
    assert all(isinstance(arena[name], list) for name in ("ants", "enemies", "map", "food", "home"))
    if arena["turnNo"] == 0:
        assert not any(arena[name] for name in KEYS if name != "spot")
        return
    config = DatspulseConfig.build({"rules": "upstream"})
    _check_keys(arena, recorded)
    spot, home = place(arena["spot"]), {place(tile) for tile in arena["home"]}
    upper = [other for other in neighbours(spot) if other[1] == spot[1] - 1]
    assert home == {spot, *upper}
    seen = disk(spot, config.nest_view)
    for ant in arena["ants"]:
        ways = [place(ant), *(place(tile) for tile in ant.get("lastMove", []))]
        for eye in ways:
            seen |= disk(eye, config.vision[ant["type"]])
        if "lastMove" in ant:
            assert ways[-1] == ways[0]
            assert all(later in neighbours(earlier) for earlier, later in pairwise(ways[1:]))
        assert 0 <= ant["health"] <= config.health[ant["type"]]
        assert 0 <= ant["food"]["amount"] <= config.capacity[ant["type"]]
        assert (ant["food"]["amount"] == 0) == (ant["food"]["type"] == 0)
    shown = [place(tile) for tile in arena["map"]]
    assert len(set(shown)) == len(shown)
    assert set(shown) <= seen
    missing = seen - set(shown)
    assert not missing or on_map is None or not any(on_map(*one) for one in missing)
    if on_map is None:
        assert not missing or _beyond_one_edge(missing, set(shown))
    for listed in ("enemies", "food"):
        assert {place(one) for one in arena[listed]} <= set(shown)
    stored = sum(pile["amount"] for pile in arena["food"] if place(pile) in home)
    assert all(pile["type"] == 3 for pile in arena["food"] if place(pile) in home)
    assert 0 <= arena["score"] - 60 * stored < 60
    living = [(place(ant), ant["type"]) for ant in arena["ants"] if ant["health"] > 0]
    assert len(set(living)) == len(living)
    assert not {where for where, _ in living} & {place(enemy) for enemy in arena["enemies"] if enemy["health"] > 0}


def _beyond_one_edge(missing: set[Place], shown: set[Place]) -> bool:
    """Whether hexes that were not shown lie outside of some hexagon round (0, 0) that holds all that were."""

    def length(at: Place) -> int:
        x, z = at[0] - (at[1] - at[1] % 2) // 2, at[1]
        return max(abs(x), abs(z), abs(x + z))

    return min(map(length, missing)) > max(map(length, shown))


def _check_kinds(value: Any, name: str = "") -> None:
    """Ids are texts, the time is a number, and every other value is a whole one."""
    if isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else [(name, one) for one in value]:
            _check_kinds(one, key)
    elif name in ("id", "lastEnemyAnt"):
        assert isinstance(value, str)
    else:
        assert type(value) is int or (name == "nextTurnIn" and type(value) is float)


def _check_keys(arena: dict[str, Any], recorded: bool) -> None:
    for ant in arena["ants"]:
        assert list(ant) == [name for name in ANT_KEYS if name in ant]
        assert set(ANT_KEYS) - set(ant) <= OPTIONAL
        assert ("lastAttack" in ant) == ("lastEnemyAnt" in ant)
        assert ant.get("lastMove") != [] and ant.get("move") != []
        assert list(ant["food"]) == ["type", "amount"]
        assert len(ant["id"]) == 36
        assert list(ant.get("lastAttack", {"q": 0, "r": 0})) == ["q", "r"]
        assert all(list(tile) == ["q", "r"] for name in ("lastMove", "move") for tile in ant.get(name, []))
    for enemy in arena["enemies"]:
        assert list(enemy) in ([ENEMY_KEYS, ENEMY_KEYS[:-1]] if recorded else [ENEMY_KEYS])
        assert enemy["attack"] == (30, 70, 20)[enemy["type"]]
    for tile in arena["map"]:
        assert list(tile) == ["q", "r", "cost", "type"]
        assert tile["cost"] == COSTS[tile["type"]] or (recorded and tile["cost"] == 1)
    for pile in arena["food"]:
        assert list(pile) == ["q", "r", "type", "amount"]
        assert pile["amount"] > 0
