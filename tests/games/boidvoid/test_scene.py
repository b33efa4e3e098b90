"""What a picture shows of units: team, strength, tasks, boosts and names."""

from typing import Any

import numpy as np

from marchland.core.scene import delta_frame, detached
from marchland.games.boidvoid.game import BoidVoid
from tests.games.boidvoid.builders import HALL, ME, MOTHER, MOTHER_0, STRUCTURE, SWARM, act, position

_NO_EVENTS = np.zeros((0, 6), np.int64)
BOOST = {"id": 8, "kind": "boost", "player": 0, "turns": 5, "traits": {"attack": 10, "range": 1}}


def shown(game: BoidVoid, name: int) -> dict[str, Any]:
    """A piece's numbers by name, codes as words."""
    kind, _, _, _, *numbers = game.picture().pieces[name]
    legend = game.legend().kinds[kind]
    found: dict[str, Any] = dict(zip(legend.numbers, numbers, strict=True))
    return found | {number: words[found[number]] for number, words in legend.words.items()}


def test_every_kind_of_unit_shows_its_team() -> None:
    hall = {"id": STRUCTURE, "at": [1, 0], "team": 1, "aim": 1, "nft": 7, "stats": {"health": 50}}
    game = position([MOTHER, ME, hall], nfts=[{**HALL, "use": "built", "target": STRUCTURE}])
    act(game, 0, do="create_swarm", unit=0, name="wolves")
    (swarm,) = (name for name in game.picture().pieces if name >= SWARM)
    assert [shown(game, name)["team"] for name in (MOTHER_0, STRUCTURE, swarm)] == [0, 1, 0]
    assert game.legend().team_figure == "team"


def test_a_ship_shows_its_strength_and_how_its_battery_is_shared() -> None:
    game = position([MOTHER, ME], nfts=[BOOST])
    act(game, 0, do="battery", attack=70)
    ship = shown(game, 0)
    assert [ship[name] for name in ("attack", "defense", "range", "boosts", "battery_attack")] == [5, 10, 2, 0, 70]
    act(game, 0, do="boost", target=0, nft=8, mode="stake")
    ship = shown(game, 0)
    assert [ship[name] for name in ("attack", "defense", "range", "boosts")] == [15, 10, 3, 1]


def test_a_capture_shows_the_turns_that_are_left() -> None:
    game = position([MOTHER, ME])
    assert (shown(game, 0)["task"], shown(game, 0)["turns_left"]) == ("none", 0)
    act(game, 0, do="capture", unit=0)
    assert (shown(game, 0)["task"], shown(game, 0)["turns_left"]) == ("capture", 2)
    game.step()
    assert (shown(game, 0)["task"], shown(game, 0)["turns_left"]) == ("capture", 1)


def test_a_task_shows_how_long_it_takes_in_all() -> None:
    game = position([MOTHER, ME, {"id": 2, "at": [1, 0], "action_points": 9}], nfts=[{**HALL, "player": 2}])
    assert (shown(game, 0)["turns_left"], shown(game, 0)["task_turns"]) == (0, 0)
    act(game, 0, do="capture", unit=0)
    act(game, 2, do="build", unit=2, nft=7)
    game.step()
    assert (shown(game, 0)["turns_left"], shown(game, 0)["task_turns"]) == (1, 2)
    build = shown(game, 2)
    assert build["task_turns"] == build["turns_left"] + 1


def test_units_and_players_show_the_templates_of_their_pictures() -> None:
    hull = {"id": 3, "kind": "spaceship", "player": 0, "template": 12, "traits": {"range": 1}}
    face = {"id": 4, "kind": "avatar", "player": 0, "template": 30}
    game = position([MOTHER, ME], nfts=[hull, face])
    assert (shown(game, 0)["template"], game.picture().players[0][-1]) == (0, 0)
    act(game, 0, do="equip", unit=0, nft=3)
    act(game, 0, do="equip", unit=0, nft=4)
    assert (shown(game, 0)["template"], game.picture().players[0][-1]) == (12, 30)
    assert game.legend().avatar_figure == game.legend().figures[-1] == "avatar"


def test_a_swarm_shows_the_sums_of_its_ships_and_its_name() -> None:
    game = position([MOTHER, ME, {"id": 2, "at": [2, 3], "action_points": 9}])
    act(game, 0, do="create_swarm", unit=0, name="wolves")
    (swarm,) = (name for name in game.picture().pieces if name >= SWARM)
    act(game, 2, do="join_swarm", unit=2, swarm=swarm)
    wolves = shown(game, swarm)
    assert [wolves[name] for name in ("ships", "attack", "defense", "range")] == [2, 10, 20, 2]
    assert game.picture().piece_names == {swarm: "wolves"}


def test_frames_carry_the_names_of_new_swarms() -> None:
    game = position([MOTHER, ME])
    before = detached(game.picture())
    act(game, 0, do="create_swarm", unit=0, name="wolves")
    after = detached(game.picture())
    assert list(delta_frame(game, before, after, _NO_EVENTS).piece_names.values()) == ["wolves"]
    assert list(game.scene().piece_names.values()) == ["wolves"]
    assert delta_frame(game, after, game.picture(), _NO_EVENTS).piece_names == {}


def test_roles_are_words_for_viewers() -> None:
    assert position([]).legend().figure_words == {"role": ["trooper", "vice", "leader"]}
