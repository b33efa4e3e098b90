"""Seed, "Field of view"; rulings 1 and 13: what players see, as JSON, arrays and pictures."""

import json
import random
from typing import Any

import pytest

from marchland.conformance.playing import pick_orders
from marchland.core.scene import delta_frame, detached
from marchland.games.hive.game import Hive
from marchland.games.hive.rules.state import HIDDEN
from marchland.games.hive.views import observation_from_view, view_bytes
from tests.games.hive.builders import give, match, order

FAR = "B0  .   .   .   .   F   .   .   .   .   H1"
"""Eleven cells in a line: the bee sees the first five, the hive the last five."""


def cells_of(view: dict[str, Any]) -> list[list[int]]:
    return [cell["at"] for cell in view["cells"]]


def test_bees_and_hives_see_four_cells_far() -> None:
    game = match(FAR)
    assert cells_of(game.view(0)) == [[0, 2 * cell] for cell in range(5)]
    assert cells_of(game.view(1)) == [[0, 2 * cell] for cell in range(6, 11)]


def test_a_player_sees_exactly_the_cells_within_four_steps_of_its_bees_and_hives() -> None:
    game = Hive.new(2, seed=1, map="vast")
    board = game.board
    own = [board.index(*one["at"]) for one in game.view()["entities"] if one["owner"] == 0]
    near = {cell for cell in range(board.size) if min(board.distance(cell, unit) for unit in own) <= 4}
    assert {board.index(*at) for at in cells_of(game.view(0))} == near
    assert 0 < len(near) < board.size


def test_walls_see_nothing() -> None:
    game = match("W0  .   B1")
    assert game.view(0)["cells"] == game.view(0)["entities"] == []


def test_the_view_radii_are_settings() -> None:
    game = match(FAR, bee_view=1, hive_view=2)
    assert [len(game.view(player)["cells"]) for player in (0, 1)] == [2, 3]


def test_a_player_sees_terrain_flowers_and_entities_with_owner_and_hit_points() -> None:
    game = match("B0  F   R   W1  B1", (3, 4))
    give(game, order("move", 0, "E"))
    view = game.view(0)
    assert view["cells"][:3] == [
        {"at": [0, 0], "terrain": "empty"},
        {"at": [0, 2], "terrain": "field", "flowers": 120},
        {"at": [0, 4], "terrain": "stone"},
    ]
    assert view["entities"] == [
        {"id": 0, "kind": "bee", "owner": 0, "at": [0, 2], "hp": 2},
        {"id": 1, "kind": "wall", "owner": 1, "at": [0, 6], "hp": 6},
        {"id": 2, "kind": "bee", "owner": 1, "at": [0, 8], "hp": 2},
    ]


def test_the_own_reserve_is_shown_and_others_are_hidden_ruling_13() -> None:
    game = match("B0  .   B1", (3, 4))
    assert [player.get("flowers") for player in game.view(0)["players"]] == [3, None]
    assert [player.get("flowers") for player in game.view()["players"]] == [3, 4]
    assert game.picture(0).players == [[1, 0, 3, 1, 0, 0], [1, -1, -1, -1, -1, -1]]


def test_the_spectator_sees_everything() -> None:
    game = match(FAR)
    assert len(game.view()["cells"]) == 11
    assert len(game.view()["entities"]) == 2
    assert HIDDEN not in game.picture().layers[0]


def test_a_picture_hides_what_is_out_of_sight() -> None:
    picture = match(FAR).picture(0)
    assert picture.layers[0].tolist() == [0] * 5 + [HIDDEN] * 6
    assert picture.layers[1].tolist() == picture.layers[2].tolist() == [0] * 11
    assert list(picture.pieces) == [0]


def test_a_hive_out_of_sight_is_not_betrayed_by_its_influence() -> None:
    game = match(".   .   .   .   B0  .   .   .   .   .   H1")
    assert all("influence" not in cell for cell in game.view(0)["cells"])
    assert game.view()["cells"][8]["influence"] == [1]


def test_influence_of_hives_in_sight_is_shown() -> None:
    game = match("B0  .   .   .   H1")
    assert all(cell["influence"] == [1] for cell in game.view(0)["cells"])


def test_what_happens_out_of_sight_changes_nothing_in_a_view() -> None:
    drawn = "B0  .   .   .   .   F   .   B1  .   .   H1"
    game = match(drawn, (5, 100))
    twin = match(drawn, (5, 100))
    game.step({1: [order("move", 1, "E"), order("spawn", 2, "W")]})
    twin.step({1: [order("build_wall", 1, "W")]})
    shown, other = game.view(0), twin.view(0)
    assert (shown.pop("without_creation"), other.pop("without_creation")) == (0, 0)
    assert shown == other
    assert game.scene(0) == twin.scene(0)


def everything_known(game: Hive, player: int) -> tuple[Any, ...]:
    """Everything that a player can learn now."""
    seen = {name: values.tolist() for name, values in game.observe(player).items()}
    return game.view(player), seen, game.scene(player), game.legal(player)


def test_a_players_ids_do_not_tell_what_others_created_out_of_sight() -> None:
    drawn = "H0  .   .   .   .   .   .   .   .   .   H1"
    game, twin = (match(drawn, (12, 100)) for _ in range(2))
    game.step({1: [order("spawn", 1, "W")]})
    twin.step()
    for one in (game, twin):
        assert give(one, order("spawn", 0, "E")) == ["OK"]
    assert len(game.view()["entities"]) != len(twin.view()["entities"])
    assert everything_known(game, 0) == everything_known(twin, 0)


def test_ones_own_influence_does_not_tell_of_a_closer_hive_out_of_sight() -> None:
    drawn = "H0  .   .   .   .   .   "
    game, twin = (match(drawn + other, influence="closest") for other in ("H1", "B1"))
    assert everything_known(game, 0) == everything_known(twin, 0)
    assert game.view(0)["players"][0]["influence"] == game.picture(0).players[0][1] == 5
    assert game.view()["players"][0]["influence"] == game.picture().players[0][1] == 3


def test_ones_own_influence_counts_the_hives_in_sight() -> None:
    game = match("H0  .   .   .   H1", influence="closest")
    assert [game.view(player)["players"][player]["influence"] for player in (0, 1)] == [2, 2]


@pytest.mark.parametrize("edition", ["seed", "2025"])
def test_the_bytes_the_view_and_the_arrays_tell_the_same(edition: str) -> None:
    chance = random.Random(3)
    game = Hive.new(["Äda", 'B"ob', "C"], seed=1, map="tiny", rules=edition, config={"start_flowers": 60})
    for _ in range(30):
        game.step({seat: [*pick_orders(game, seat, chance, most=8), {"do": "x"}] for seat in range(3)})
        for audience in (None, 0, 1, 2):
            assert json.loads(view_bytes(game, audience)) == game.view(audience)
        seen, rebuilt = game.observe(1), observation_from_view(game.view(1))
        assert {name: values.tolist() for name, values in rebuilt.items()} == {
            name: values.tolist() for name, values in seen.items()
        }
        for name in ("flowers", "influence", "id", "kind", "owner", "hp", "carries"):
            assert set(seen[name][seen["terrain"] == HIDDEN].tolist()) <= {0, -1}


def test_the_outline_of_the_map_is_given_in_runs_of_cells_ruling_29() -> None:
    game = match("B0  .       .   .   .   .   .   H1\n  .\n\n      .   .")
    runs = [[0, 0, 2], [0, 6, 16], [1, 1, 1], [3, 3, 5]]
    assert game.view(0)["outline"] == game.view(1)["outline"] == game.view()["outline"] == runs
    assert observation_from_view(game.view(0))["coords"].tolist() == game.board.coords.tolist()


def test_failed_orders_come_back_to_their_owner_only() -> None:
    game = match("B0  R   B1")
    give(game, order("move", 0, "E"))
    failed = {"order": order("move", 0, "E"), "reason": "BLOCKED"}
    assert game.view(0)["failed"] == [{**failed, "sentence": "The cell E of 0 is blocked by stone or by an entity."}]
    assert game.view(1)["failed"] == game.view()["failed"] == []


def test_a_frame_tells_a_player_only_of_events_in_sight() -> None:
    game = match(FAR, (0, 100))
    before = {player: detached(game.picture(player)) for player in (0, None)}
    report = game.step({0: [order("move", 0, "E")], 1: [order("spawn", 1, "W")]})
    events = {
        player: delta_frame(game, old, game.picture(player), report.event_rows, player).events
        for player, old in before.items()
    }
    assert [len(listed) for listed in events.values()] == [1, 2]
    assert {event["event"] for event in report.events} == {"moved", "spawned"}


def test_a_move_out_of_sight_is_not_shown() -> None:
    game = match("B0  .   .   .   B1  .")
    before = detached(game.picture(0))
    report = game.step({1: [order("move", 1, "E")]})
    frame = delta_frame(game, before, game.picture(0), report.event_rows, 0)
    assert (frame.events, frame.gone) == ([], [1])


@pytest.mark.parametrize(
    ("drawn", "verb", "maker"),
    [
        ("B0  .   .   .   .   H1", "spawn", None),
        ("B0  .   .   .   H1", "spawn", 1),
        ("B0  .   .   .   .   B1", "build_wall", None),
        ("B0  .   .   .   B1", "build_wall", 1),
    ],
)
def test_the_maker_of_an_entity_is_named_only_if_it_was_in_sight_ruling_24(
    drawn: str, verb: str, maker: int | None
) -> None:
    game = match(drawn, (0, 100))
    before = {player: detached(game.picture(player)) for player in (0, 1)}
    report = game.step({1: [order(verb, 1, "W")]})
    events = [
        delta_frame(game, old, game.picture(player), report.event_rows, player).events for player, old in before.items()
    ]
    assert [[event.args[-1] for event in listed] for listed in events] == [[maker], [1]]
    assert report.events[0]["maker"] == 1


def test_events_at_cells_seen_before_or_after_the_turn_are_shown_ruling_24() -> None:
    """The bee leaves; the cell that it no longer sees as the turn ends it saw as the turn began."""
    game = match(".   B0  .   .   .   F   .   .   .   .   H1\n                  B1", (0, 100))
    before = detached(game.picture(0))
    report = game.step({0: [order("move", 0, "W")], 1: [order("move", 2, "NE")]})
    assert [result.reason for result in report.results[1]] == ["OK"]
    after = game.picture(0)
    named = {event.args[0] for event in delta_frame(game, before, after, report.event_rows, 0).events}
    assert named == {0, 2}
    assert 2 not in after.pieces


def test_only_the_eliminated_player_learns_of_the_elimination() -> None:
    game = match("B0  B1  B2", (0, 0, 0), bee_hp=1)
    before = [detached(game.picture(player)) for player in range(3)]
    report = game.step({0: [order("attack", 0, "E")]})
    assert [event["event"] for event in report.events] == ["attacked", "destroyed", "eliminated"]
    shown = [
        len(delta_frame(game, before[player], game.picture(player), report.event_rows, player).events)
        for player in range(3)
    ]
    assert shown == [2, 3, 2]


def test_events_name_what_happened() -> None:
    game = match("B0  .   F   H1", (30, 12))
    report = game.step({0: [order("build_wall", 0, "E")], 1: [order("spawn", 1, "W")]})
    by_name = {event["event"]: event for event in report.events}
    built, spawned = by_name["built"], by_name["spawned"]
    assert (built["at"], built["by"], built["kind"], built["maker"]) == ([0, 2], 0, "wall", 0)
    assert (spawned["at"], spawned["by"], spawned["kind"], spawned["maker"]) == ([0, 4], 1, "bee", 1)
    report = game.step({1: [order("forage", spawned["unit"])]})
    assert report.events == [
        {"event": "foraged", "unit": spawned["unit"], "at": [0, 4], "by": 1, "left": 119},
    ]
