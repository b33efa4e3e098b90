"""Small BoidVoid positions for tests, and what actions in them do."""

from typing import Any

from marchland.games.boidvoid.game import BoidVoid

LEADER_0, LEADER_1, VICE_0, VICE_1, TROOPER_0, TROOPER_1 = range(6)
MOTHER_0, MOTHER_1 = 1_000_000, 1_000_001
STRUCTURE, NPC, SWARM = 2_000_000, 3_000_000, 10_000_000
PLAIN = {"critical_limit": 0, "ship": (5, 10, 40, 0, 2, 0, 10, 50, 0, 0, 0, 0, 0), "start_stake": 100}
"""No critical hits, and the usual ship."""
HALL: dict[str, Any] = {
    "id": 7,
    "kind": "superstructure",
    "player": 0,
    "template": 5,
    "traits": {"health": 50, "build_rate": 2, "attack": 10, "tile_action_points": 3},
}
MOTHER: dict[str, Any] = {"id": MOTHER_0, "at": [0, 0]}
ME: dict[str, Any] = {"id": 0, "at": [2, 2], "action_points": 9}


def position(units: list[dict[str, Any]], players: int = 6, **changes: Any) -> BoidVoid:
    """A match of two teams on six by five clear tiles; players 0, 2, 4 against 1, 3, 5."""
    config = {**PLAIN, **changes.pop("config", {})}
    tiles = changes.pop("tiles", ["......"] * 5)
    homes = changes.pop("homes", [[[0, 0], [1, 0], [0, 1]], [[5, 4], [4, 4], [5, 3]]])
    land = {"width": len(tiles[0]), "height": len(tiles), "tiles": tiles, "homes": homes, **changes.pop("land", {})}
    return BoidVoid.from_position(
        {
            "game": "boidvoid",
            "config": config,
            "map": land,
            "players": changes.pop("seats", [{"name": f"p{seat}"} for seat in range(players)]),
            "units": units,
            **changes,
        }
    )


def refusal(game: BoidVoid, player: int, /, **order: Any) -> str:
    """The reason for which an immediate action is refused; nothing may have changed."""
    before = game.digest()
    report = game.act(player, order)
    (result,) = report.results[player]
    assert not result.ok
    assert game.digest() == before
    assert result.sentence
    return result.reason


def act(game: BoidVoid, player: int, /, **order: Any) -> list[dict[str, Any]]:
    """The events of an immediate action that is accepted."""
    report = game.act(player, order)
    (result,) = report.results[player]
    assert result.ok, result
    return report.events


def unit(game: BoidVoid, name: int) -> dict[str, Any]:
    """A unit as the position describes it."""
    return next(one for one in game.position()["units"] if one["id"] == name)


def of_kind(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    """The events of one kind."""
    return [event for event in events if event["event"] == kind]
