"""The state has the public server's keys, in its order, and no others."""

import pytest

from marchland.server.wire.colorfight.settings import PRESETS
from tests.support.colorfight_client import ColorfightClient
from tests.support.colorfight_rooms import new_room, room_url
from tests.support.server import Served

_INFO = (
    "max_turn max_player width height round_time start_count_down allow_manual_mode game_id replay_version game_version"
)
_HEADERS = "attack_cost force_field building gold energy owner position natural_gold natural_energy natural_cost"
_USER = (
    "uid username verified ranking energy gold dead energy_source gold_source tech_level tax_level tax_amount "
    "building_number cell_number cells"
)


def test_a_state_has_exactly_the_keys_of_the_protocol(served: Served) -> None:
    room = new_room(served, preset="duel", bots=["idle"], round_time=20)
    with ColorfightClient(room_url(served, room), "anna") as anna:
        for turn in (0, 1):
            state = anna.wait_for_turn(turn)
            assert list(state) == ["turn", "info", "chat", "error", "game_map", "users"]
            assert list(state["info"]) == _INFO.split()
            assert list(state["game_map"]) == ["headers", "data"]
            assert state["game_map"]["headers"] == _HEADERS.split()
        assert type(state["info"]["round_time"]) is float
        assert [list(user) for user in state["users"].values()] == [_USER.split()] * 2
        listed = [dict(zip(_HEADERS.split(), cell, strict=True)) for row in state["game_map"]["data"] for cell in row]
        cells = {tuple(cell["position"]): cell for cell in listed}
        assert [list(at) for at in cells] == [[x, y] for y in range(8) for x in range(8)]
        assert [cells[x, y]["building"] for x, y in state["users"]["1"]["cells"]] == [["h", 1]]
        empty = [cell for cell in cells.values() if cell["owner"] == 0]
        assert len(empty) == 62
        assert {tuple(cell["building"]) for cell in empty} == {(" ", 1)}


@pytest.mark.parametrize(
    ("name", "turns", "players", "first", "finish", "late"),
    [
        ("official", 500, 8, "never", 0, False),
        ("rank_2", 300, 2, "full", 30, False),
        ("rank_4", 400, 4, "full", 30, False),
        ("rank_8", 500, 8, "full", 30, False),
        ("duel", 500, 2, "full", 30, False),
        ("test-run", 500, 8, "full", 20, False),
        ("constant-run", 500, 8, 10, 20, True),
    ],
)
def test_the_presets_are_the_public_servers(
    name: str, turns: int, players: int, first: str | int, finish: int, late: bool
) -> None:
    preset = PRESETS[name]
    assert (preset.max_turn, preset.max_player, preset.round_time) == (turns, players, 1)
    assert (preset.first_round_time, preset.finish_time, preset.allow_join_after_start) == (first, finish, late)
    assert preset.rank == name.startswith("rank_")
