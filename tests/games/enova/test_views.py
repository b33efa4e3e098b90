"""What players see, what they may pick, and how a match is written down."""

import json
from typing import Any

import numpy as np
import pytest

import marchland
from marchland.games.enova.views import observation_from_view
from marchland.messages import Cells, Range
from tests.games.enova.builders import battles, defend, move, named, position, support

LAND = {(0, 0): (0, 5), (1, 0): (0, 0), (3, 0): (1, 2)}


def test_the_board_is_public() -> None:
    game = position("C..C", land=LAND)
    views = [game.view(audience) for audience in (None, 0, 1)]
    assert views[0]["owner"] == [[0, 0, None, 1]]
    assert views[0]["units"] == [[5, 0, 0, 2]]
    assert [view["me"] for view in views] == [None, 0, 1]
    assert all({**view, "me": None} == views[0] for view in views)


def test_a_view_names_every_player_with_its_figures() -> None:
    game = position("C..C", land=LAND, players=3)
    assert game.view()["players"][0] == {
        "player": 0,
        "name": "player 0",
        "alive": True,
        "castles": 1,
        "tiles": 2,
        "units": 5,
    }
    assert game.view()["players"][2]["alive"] is False


def test_a_refused_order_is_shown_to_its_player_only() -> None:
    game = position("C..C", land=LAND)
    game.step({0: [defend(3, 0)]})
    failed = {"order": defend(3, 0), "reason": "NOT_YOURS", "sentence": "The tile is not yours."}
    assert game.view(0)["failed"] == [failed]
    assert game.view(1)["failed"] == game.view()["failed"] == []


def test_an_observation_is_the_same_whether_it_comes_as_arrays_or_as_a_view() -> None:
    game = marchland.new("enova", 5, seed=3, map="torus", config={"diagonals": True})
    bots = [game.bots["random"](seed=seat) for seat in range(5)]
    for _ in range(10):
        game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
    arrays = game.observe(1)
    again = observation_from_view(json.loads(json.dumps(game.view(1))))
    assert set(arrays) == set(again)
    assert all(np.array_equal(arrays[name], again[name]) for name in arrays)
    assert all(arrays[name].dtype == again[name].dtype for name in arrays)


def test_the_menu_leads_from_an_army_to_a_neighbour_to_a_number() -> None:
    game = position("C..C", ".XXX", land=LAND)
    menu = game.legal(0)
    assert menu == {"move": Cells("from", [(0, 0)]), "defend": Cells("at", [(0, 0)]), "support": Cells("at", [(0, 0)])}
    assert game.legal(0, {"do": "move", "from": [0, 0]}) == Cells("to", [(1, 0), (0, 1)])
    assert game.legal(0, {"do": "move", "from": [0, 0], "to": [1, 0]}) == Range("units", 1, 5)
    assert game.legal(0, move((0, 0), (1, 0), 2)) is None
    assert game.legal(0, defend(0, 0)) is None


@pytest.mark.parametrize("start", [[3, 0], [1, 0], [9, 9], [-1, 0]])
def test_the_menu_has_nothing_for_a_tile_without_an_army_of_ones_own(start: Any) -> None:
    game = position("C..C", land=LAND)
    assert game.legal(0, {"do": "move", "from": start}) == Cells("to", [])
    assert game.legal(0, {"do": "move", "from": start, "to": [0, 0]}) == Range("units", 1, 0)


@pytest.mark.parametrize("start", [[], "ab", None, [float("nan"), 0]])
def test_the_menu_refuses_what_is_no_tile(start: Any) -> None:
    with pytest.raises(marchland.MarchlandError, match="from of move"):
        position("C..C", land=LAND).legal(0, {"do": "move", "from": start})


def test_a_walled_in_army_can_defend_but_not_move() -> None:
    game = position("CXC", land={(0, 0): (0, 3), (2, 0): (1, 3)})
    menu = game.legal(0)
    assert isinstance(menu, dict)
    assert set(menu) == {"defend", "support"}


def test_a_scene_shows_owners_terrain_and_units() -> None:
    game = position("C.XC", land={(0, 0): (0, 5), (3, 0): (1, 2)})
    assert [layer.name for layer in game.legend().layers] == ["owner", "terrain", "units"]
    assert [layer.tolist() for layer in game.picture().layers] == [[0, -1, -1, 1], [2, 0, 1, 2], [5, 0, 0, 2]]
    assert game.picture().players == [[1, 1, 1, 5], [1, 1, 1, 2]]


def test_a_battle_report_says_who_fought_with_what_and_what_became_of_it() -> None:
    land = {(0, 0): (0, 40), (1, 0): (1, 4), (2, 0): (1, 2), (1, 1): (0, 3)}
    game = position("...", "X.X", land=land)
    report = game.step({0: [move((0, 0), (1, 0)), support(1, 1)], 1: [defend(1, 0), support(2, 0)]})
    (battle,) = battles(report)
    dice = {player: battle["parties"][player].pop("dice") for player in (0, 1)}
    assert battle == {
        "battle": 1,
        "at": [1, 0],
        "against": None,
        "variance": 13,
        "lots": 0,
        "winner": 0,
        "parties": {
            1: {
                "units": 4,
                "support": 2,
                "defence": 4,
                "strength": 10,
                "score": 10 + dice[1][0],
                "killed": 2,
                "routed": 0,
                "retreats": [{"to": [2, 0], "units": 2}],
            },
            0: {
                "units": 40,
                "support": 3,
                "defence": 0,
                "strength": 43,
                "score": 43 + dice[0][0],
                "killed": 0,
                "routed": 0,
                "retreats": [],
            },
        },
    }
    assert named(report, "won") == [{"event": "won", "battle": 1, "player": 0, "at": [1, 0], "units": 40}]
    assert json.loads(json.dumps(report.events)) == report.events


GOOD: dict[str, Any] = {
    "game": "enova",
    "players": ["A", "B"],
    "map": ["C.X"],
    "land": [{"at": [0, 0], "owner": 0, "units": 1}],
}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"map": []}, "equally long"),
        ({"map": ["C.", "."]}, "equally long"),
        ({"map": ["C?."]}, "'\\?'"),
        ({"map": 7}, "map"),
        ({"torus": True}, "cannot wrap"),
        ({"over": 9}, "over"),
        ({"starters": 0}, "from 1 to 2"),
        ({"starters": 3}, "from 1 to 2"),
        ({"players": ["A", "A"]}, "same name"),
        ({"weather": "fine"}, "weather"),
        ({"land": [{"at": [5, 5], "owner": 0}]}, "no tile"),
        ({"land": [{"at": [2, 0], "owner": 0}]}, "impassable"),
        ({"land": [{"at": [0, 0], "owner": 2}]}, "0 to 1"),
        ({"land": [{"at": [0, 0], "owner": 0, "units": -1}]}, "from 0"),
        ({"land": [{"at": [0, 0], "owner": 0}, {"at": [0, 0], "owner": 1}]}, "twice"),
        ({"land": [{"at": [1, 0], "owner": 0}]}, "neither units nor a castle"),
    ],
)
def test_a_position_that_cannot_be_is_refused_in_a_sentence(changes: dict[str, Any], words: str) -> None:
    marchland.from_position(GOOD)
    with pytest.raises(marchland.MarchlandError, match=words):
        marchland.from_position({**GOOD, **changes})
