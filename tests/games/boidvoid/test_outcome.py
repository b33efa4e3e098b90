"""How a match ends, the order of the teams, and the figures of the scoreboard (rulings 22 and 27)."""

from typing import Any

from marchland.core.orders import HOST_PLAYER
from tests.games.boidvoid.builders import MOTHER_0, STRUCTURE, act, position

HALL = {"id": 77, "kind": "superstructure", "player": 1, "use": "built", "target": STRUCTURE}
LAST_TURN = {"turn_limit": 1}


def winners(**changes: Any) -> list[int]:
    game = position(changes.pop("units", []), config=LAST_TURN, **changes)
    game.step()
    assert game.outcome is not None
    return game.outcome.winners


def test_the_game_ends_by_domination_by_its_last_turn_or_with_its_season() -> None:
    everything = [[x, y] for y in range(5) for x in range(6)]
    game = position([], owned=[everything, []])
    game.step()
    assert game.outcome is not None
    assert (game.outcome.reason, game.outcome.winners) == ("One team owns every tile.", [0, 2, 4])
    short = position([], config={"turn_limit": 2})
    short.step()
    running = short.outcome
    short.step()
    assert (running, short.outcome is None) == (None, False)
    season = position([], owned=[everything, []], config={"rules": "season"})
    season.step()
    assert not season.outcome
    act(season, HOST_PLAYER, do="end_season")
    assert season.outcome is not None


def test_equal_teams_share_the_place() -> None:
    assert winners() == [0, 1, 2, 3, 4, 5]


def test_tiles_come_first() -> None:
    land = {"points": [{"at": [5, 4]}]}
    assert winners(owned=[[[0, 0], [1, 0]], [[5, 4]]], land=land) == [0, 2, 4]


def test_then_points_of_importance() -> None:
    hall: Any = {"id": STRUCTURE, "at": [0, 0], "team": 0, "nft": 77, "stats": {"health": 9}}
    land = {"points": [{"at": [5, 4]}]}
    assert winners(units=[hall], nfts=[HALL], owned=[[[0, 0]], [[5, 4]]], land=land) == [1, 3, 5]


def test_then_superstructures_then_units_destroyed() -> None:
    hall: Any = {"id": STRUCTURE, "at": [0, 0], "team": 0, "nft": 77, "stats": {"health": 9}}
    assert winners(units=[hall], nfts=[HALL], destroyed=[0, 5]) == [0, 2, 4]
    assert winners(destroyed=[0, 1]) == [1, 3, 5]


def test_the_scoreboard_counts_tiles_points_structures_enemies_attack_and_defense() -> None:
    hall: Any = {"id": 7, "kind": "superstructure", "player": 0, "traits": {"health": 50}}
    game = position(
        [{"id": MOTHER_0, "at": [0, 0]}, {"id": 0, "at": [2, 2]}, {"id": 1, "at": [3, 2], "battery": 0}],
        nfts=[hall],
        land={"points": [{"at": [2, 2], "bonuses": {"attack": 0, "defense": 0, "capture": 0}}]},
        config={"capture_turns": 1, "counterattack": True},
    )
    act(game, 0, do="attack", unit=0, target=1)  # 55 against 10 + 40, which strikes back with 5 first
    game.step()
    act(game, 0, do="capture", unit=0)
    game.step()
    act(game, 0, do="build", unit=0, nft=7)
    game.step()
    first = game.view()["scoreboard"][0]
    figures = {name: first[name] for name in ("player", "tiles", "points", "structures", "defeated", "attack")}
    assert figures == {"player": 0, "tiles": 1, "points": 1, "structures": 1, "defeated": 1, "attack": 5500}
    assert first["defense"] == 0  # 55 is more than 10 + 40: it did not strike back
    fallen = next(row for row in game.view()["scoreboard"] if row["player"] == 1)
    assert (fallen["defense"], fallen["attack"]) == (5000, 0)
