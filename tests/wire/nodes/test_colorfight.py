"""Colorfight's rooms on two nodes."""

from tests.support.colorfight_client import ColorfightClient
from tests.support.colorfight_rooms import new_room, post_room, room_url
from tests.wire.nodes.conftest import Nodes

_NONSENSE = "nonsense is a wrong command, cmd type nonsense is invalid"


def test_players_on_both_nodes_play_one_game(nodes: Nodes) -> None:
    room = new_room(nodes.one, preset="duel", max_turn=6)
    with (
        ColorfightClient(room_url(nodes.one, room), "anna") as anna,
        ColorfightClient(room_url(nodes.other, room), "bert") as bert,
    ):
        assert (anna.uid, bert.uid) == (1, 2)
        for turn in range(1, 6):
            for player in (anna, bert):
                player.wait_for_turn(turn)
                player.command(f"u {turn} -{player.uid}", "nonsense")
        assert anna.wait_for_turn(6) == bert.wait_for_turn(6)
        texts = [[f"u 5 -{uid} failed, Upgrade position is not in the map.", _NONSENSE] for uid in (anna.uid, bert.uid)]
        assert list(anna.state["error"].values()) == texts


def test_a_player_continues_on_the_other_node(nodes: Nodes) -> None:
    room = new_room(nodes.one, preset="duel", bots=["idle"], early=False, round_time=1)
    with ColorfightClient(room_url(nodes.one, room), "anna", "a") as anna:
        game = anna.wait_for_turn(1)["info"]["game_id"]
    with ColorfightClient(room_url(nodes.other, room), "anna", "a") as again:
        assert again.uid == anna.uid
        assert again.wait_for_turn(1)["info"]["game_id"] == game
        again.command("u -1 0")
        while not again.state["error"].get(str(again.uid)):  # the command may have come to the turn after
            again.read_state()
        assert again.state["error"][str(again.uid)] == ["u -1 0 failed, Upgrade position is not in the map."]
    assert post_room(nodes.other, "deletegameroom", {"gameroom_id": room, "admin_password": "boss"}) == {
        "success": True
    }


def test_a_restart_on_one_node_reaches_readers_on_the_other(nodes: Nodes) -> None:
    room = new_room(nodes.one, preset="official")
    with ColorfightClient(room_url(nodes.one, room), "anna") as anna:
        first = anna.wait_for_turn(0)["info"]["game_id"]
        asked = {"gameroom_id": room, "admin_password": "boss"}
        assert post_room(nodes.other, "restart", asked) == {"success": True}
        while anna.state["info"]["game_id"] == first:
            anna.read_state()
        assert anna.state["users"] == {}
        assert anna.request(action="command", cmd_list=[]) == {"success": False, "err_msg": "Wrong uid"}


def test_a_player_joins_a_running_game_on_either_node(nodes: Nodes) -> None:
    wide = {"width": 20, "height": 20}
    room = new_room(nodes.one, preset="constant-run", first_round_time=0, early=False, round_time=1, **wide)
    with ColorfightClient(room_url(nodes.one, room), "anna", "a") as anna:
        anna.wait_for_turn(1)
        later = (
            ColorfightClient(room_url(nodes.one, room), "bert", "b"),
            ColorfightClient(room_url(nodes.other, room), "cleo", "c"),
        )
        with later[0] as bert, later[1] as cleo:
            assert (anna.uid, bert.uid, cleo.uid) == (1, 2, 3)
            cleo.wait_for_turn(1)
            cleo.command("u -1 0")
            while not cleo.state["error"].get(str(cleo.uid)):  # the command may have come to the turn after
                cleo.read_state()
            assert cleo.state["error"][str(cleo.uid)] == ["u -1 0 failed, Upgrade position is not in the map."]
            assert len(cleo.state["users"]) == 3
    assert post_room(nodes.other, "deletegameroom", {"gameroom_id": room, "admin_password": "boss"}) == {
        "success": True
    }


def test_a_chat_line_reaches_readers_on_both_nodes(nodes: Nodes) -> None:
    room = new_room(nodes.one, preset="official")
    with (
        ColorfightClient(room_url(nodes.one, room), "anna") as anna,
        ColorfightClient(room_url(nodes.other, room), "bert") as bert,
    ):
        lines = []
        for sender, msg in ((anna, "hello"), (bert, "hi \u0000 \u00e9"), (anna, "x" * 300)):
            lines.append({"user": "anna" if sender is anna else "bert", "msg": msg[:200]})
            assert sender.request(action="chat", msg=msg) == {"success": True}
            for reader in (anna, bert):
                while reader.state.get("chat") != lines:
                    reader.read_state()
        with ColorfightClient(room_url(nodes.other, room), "cleo") as cleo:
            assert cleo.wait_for_turn(0)["chat"] == lines
    assert post_room(nodes.other, "deletegameroom", {"gameroom_id": room, "admin_password": "boss"}) == {
        "success": True
    }
