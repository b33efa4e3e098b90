"""What a team may not learn of what happens out of its sight (rulings 29, 38, 39)."""

import json
from typing import Any

import pytest

import marchland
from marchland.core.scene import delta_frame, detached
from marchland.games.datspulse.game import Datspulse
from marchland.games.datspulse.rules.events import EVENTS
from marchland.games.datspulse.views import ants_of_team
from marchland.games.datspulse.wire import arena_bytes, uuid_of
from tests.games.datspulse.builders import SPOTS, ant, listed, match, move


def known(game: Datspulse, team: int) -> list[Any]:
    """Everything that a team can ask for."""
    menus: list[Any] = [game.legal(team)]
    menus += [game.legal(team, {"do": "move", "ant": one["id"]}) for one in game.view(team)["ants"] if one["health"]]
    seen = {name: array.tolist() for name, array in game.observe(team).items()}
    return [game.view(team), seen, game.scene(team), menus]


def events_shown(
    game: Datspulse, team: int, orders: dict[int, list[dict[str, Any]]] | None = None
) -> list[dict[str, Any]]:
    """The events of the next turn as the picture of the team shows them."""
    before = detached(game.picture(team))
    report = game.step(orders)
    events = delta_frame(game, before, game.picture(team), report.event_rows, team).events
    return [
        {"event": EVENTS[one.kind].name, **dict(zip(EVENTS[one.kind].args, one.args, strict=False))} for one in events
    ]


# ---------------------------------------------------------------- ids


def test_what_hatches_out_of_sight_changes_nothing_for_a_team() -> None:
    scout = ant(0, "scout", (-6, 0), id=1)
    crowded = match([scout, ant(1, "worker", SPOTS[1], id=2)])
    empty = match([scout, ant(1, "soldier", SPOTS[1], id=2)])
    for turn in range(3):
        way = [move(1, (-5 + turn, 0))]
        crowded.step({0: way})
        empty.step({0: way})
        assert known(crowded, 0) == known(empty, 0)
    assert len(listed(empty)) > len(listed(crowded))
    assert len(ants_of_team(empty, 0)) > 1


def test_an_ants_id_does_not_tell_how_many_its_team_has_hatched() -> None:
    late, early = match([ant(1, "worker", SPOTS[1], id=1)]), match()
    for game in (late, early):
        game.step()
    late.step({1: [move(1, (7, 0))]})
    early.step({1: [move(ants_of_team(early, 1)[0].id, (7, 0))]})
    assert ants_of_team(late, 1)[-1].id == ants_of_team(early, 1)[-1].id


def test_ids_are_unique_and_no_remainder_belongs_to_a_team() -> None:
    game = marchland.new("datspulse", 3, seed=4)
    remainders: list[set[int]] = [set(), set(), set()]
    hatched: set[int] = set()
    for _ in range(12):
        report = game.step({team: game.bots["random"](seed=team).play(game.observe(team)) for team in range(3)})
        born = [(one["team"], one["ant"]) for one in report.events if one["event"] == "spawned"]
        assert not hatched & {number for _, number in born}
        hatched |= {number for _, number in born}
        for team, number in born:
            remainders[team].add(number % 1024)
    assert len(hatched) > 12
    assert all(len(found) > 1 for found in remainders)


def test_a_position_goes_on_with_the_ids_of_each_team() -> None:
    game = match([ant(0, "worker", (0, 0), id=5000), ant(1, "worker", (3, 0), id=7)])
    game.step()
    twin = marchland.from_position(game.position())
    assert twin.position() == game.position()
    game.step()
    twin.step()
    assert isinstance(twin, Datspulse)
    assert listed(twin) == listed(game)
    assert all(number > 5000 for number in set(listed(game)) - {5000, 7})


@pytest.mark.parametrize("serial", [-1, 0, 2**50])
def test_a_serial_that_would_bring_an_id_twice_is_refused(serial: int) -> None:
    text = match([ant(0, "worker", (0, 0), id=5000)]).position()
    text["teams"][0]["serial"] = serial
    with pytest.raises(marchland.PositionError, match="serial must be 4 at least"):
        marchland.from_position(text)


# ---------------------------------------------------------------- events


def test_events_out_of_sight_are_not_shown() -> None:
    game = match(
        [ant(0, "worker", (-6, 0)), ant(1, "worker", (6, 0)), ant(1, "scout", (3, 5))], food=[((5, 0), "apple", 3)]
    )
    found = events_shown(game, 0, {0: [move(1, (-5, 0))], 1: [move(2, (5, 0)), move(3, (3, 6))]})
    assert [one["event"] for one in found] == ["moved", "spawned"]
    assert [one["team"] for one in found] == [0, 0]


def test_events_in_sight_do_not_name_the_other_team() -> None:
    game = match([ant(0, "scout", (0, 0)), ant(1, "worker", (3, 0))], land={(2, 0): ":"}, food=[((2, 0), "apple", 3)])
    found = events_shown(game, 0, {1: [move(2, (2, 0))]})
    assert {"event": "moved", "ant": 2, "from": [3, 0], "to": [2, 0], "dirt": -1, "team": None} in found
    assert {"event": "collected", "ant": 2, "at": [2, 0], "food": 1, "amount": 3, "team": None} in found


def test_an_ant_that_leaves_sight_does_not_tell_where_it_went() -> None:
    game = match([ant(0, "worker", (0, 0)), ant(1, "worker", (1, 0), health=130)], attack=(0, 0, 0))
    found = events_shown(game, 0, {1: [move(2, (2, 0), (3, 0))]})
    assert "moved" not in {one["event"] for one in found}


def test_a_blow_names_both_ants_but_not_the_enemys_team() -> None:
    game = match([ant(0, "worker", (0, 0)), ant(1, "worker", (1, 0))])
    found = events_shown(game, 0)
    blow = {"event": "attacked", "ant": 1, "target": 2, "at": [1, 0], "damage": 30, "team": 0, "bonus": 0}
    assert blow in found
    assert {"event": "hurt", "ant": 1, "at": [0, 0], "health": 100, "team": 0, "by": 2} in found
    assert {"event": "hurt", "ant": 2, "at": [1, 0], "health": 100, "team": None, "by": 1} in found


def test_an_attacker_out_of_sight_is_not_named() -> None:
    game = match(
        [ant(0, "worker", (0, 0)), ant(1, "worker", (1, 0)), ant(2, "worker", (2, 0))], spots=SPOTS[:3], key="1"
    )
    blows = [one for one in events_shown(game, 0) if one["event"] == "hurt" and one["ant"] == 2]
    assert {one["by"] for one in blows} == {1, None}


def test_a_raid_does_not_tell_whose_the_nest_is_nor_to_the_victim_whose_the_raider() -> None:
    for team, expected in ((0, {"team": 0, "from": None}), (1, {"team": None, "from": 1})):
        game = match([ant(0, "worker", (7, 0))], nectar={1: (2, 0, 0)})
        (raid,) = [one for one in events_shown(game, team) if one["event"] == "raided"]
        assert raid == {"event": "raided", "ant": 1, "at": [8, 0], "amount": 2, **expected}


def test_only_the_owner_learns_which_nest_fired() -> None:
    for team, expected in ((0, {"team": 0, "by": None}), (1, {"team": None, "by": 1})):
        (shot,) = [one for one in events_shown(match([ant(0, "worker", (7, 0))]), team) if one["event"] == "fired"]
        assert shot == {"event": "fired", "ant": 1, "at": [7, 0], "health": 110, **expected}


def test_neither_plans_nor_rolls_of_other_teams_are_shown() -> None:
    game = match([ant(0, "scout", (6, 0)), ant(1, "worker", SPOTS[1])], land={(9, 0): "#"})
    orders = {1: [move(2, (9, 0))]}
    names = {one["event"] for one in game.copy().step(orders).events}
    assert {"blocked", "not_spawned"} <= names
    assert not {"blocked", "not_spawned"} & {one["event"] for one in events_shown(game, 0, orders)}


# ---------------------------------------------------------------- orders that cannot be


@pytest.mark.parametrize("path", [[(10**30, 0)], [(1, 0), (0, -(10**12))]])
def test_a_path_beyond_every_map_is_remembered_by_a_position(path: list[tuple[int, int]]) -> None:
    game = match([ant(0, "scout", (0, 0))])
    game.step({0: [move(1, *path)]})
    twin = marchland.from_position(game.position())
    assert twin.view(0)["errors"] == game.view(0)["errors"]
    assert "Ant 1 " in twin.view(0)["errors"][0]
    assert twin.position() == game.position()


# ---------------------------------------------------------------- the order of a list tells nothing either


def mingled() -> Datspulse:
    """Enemies of two teams in sight of a scout, the later team's ids first."""
    ants = [
        ant(0, "scout", (0, 0), id=1),
        ant(1, "worker", (2, 0), id=4),
        ant(1, "worker", (3, 0), id=6),
        ant(2, "worker", (0, 3), id=3),
        ant(2, "worker", (1, 3), id=5),
        ant(2, "soldier", (2, 0), id=2, health=0),
    ]
    return match(sorted(ants, key=lambda one: (one["team"], one["id"])), spots=SPOTS[:3], attack=(0, 0, 0))


def test_enemies_are_listed_by_id_and_not_by_team() -> None:
    game = mingled()
    assert [one["id"] for one in game.view(0)["enemies"]] == [2, 3, 4, 5, 6]
    assert list(game.picture(0).pieces) == [1, 2, 3, 4, 5, 6]


def test_the_arena_lists_enemies_on_a_hex_by_id_and_not_by_team() -> None:
    game = mingled()
    shared = [one["id"] for one in json.loads(arena_bytes(game, 0, 0))["enemies"] if (one["q"], one["r"]) == (2, 0)]
    assert shared == [uuid_of(game, 2), uuid_of(game, 4)]


def test_events_are_listed_ant_by_ant_and_not_in_the_order_of_teams() -> None:
    orders = {1: [move(4, (2, 1)), move(6, (3, 1))], 2: [move(3, (0, 2)), move(5, (1, 2))]}
    walked = [one["ant"] for one in events_shown(mingled(), 0, orders) if one["event"] == "moved"]
    assert walked == [3, 4, 5, 6]
