"""Colorfight's rooms on two nodes."""

from tests.wire.colorfight.player import WirePlayer
from tests.wire.colorfight.rooms import base, managed, new_room
from tests.wire.nodes.conftest import Nodes

_NONSENSE = "nonsense is a wrong command, cmd type nonsense is invalid"


def test_players_on_both_nodes_play_one_game(nodes: Nodes) -> None:
    room = new_room(nodes.one, preset="duel", max_turn=6, early=False, round_time=1)
    with WirePlayer(base(nodes.one, room), "anna") as anna, WirePlayer(base(nodes.other, room), "bert") as bert:
        assert (anna.uid, bert.uid) == (1, 2)
        for turn in range(1, 6):
            for player in (anna, bert):
                player.look(turn)
                player.command(f"u {turn} -{player.uid}", "nonsense")
        assert anna.look(6) == bert.look(6)
        texts = [[f"u 5 -{uid} failed, Upgrade position is not in the map.", _NONSENSE] for uid in (anna.uid, bert.uid)]
        assert list(anna.state["error"].values()) == texts


def test_a_player_goes_on_at_the_other_node(nodes: Nodes) -> None:
    room = new_room(nodes.one, preset="duel", bots=["idle"], early=False, round_time=1)
    with WirePlayer(base(nodes.one, room), "anna", "a") as anna:
        game = anna.look(1)["info"]["game_id"]
    with WirePlayer(base(nodes.other, room), "anna", "a") as again:
        assert again.uid == anna.uid
        state = again.look(1)
        assert state["info"]["game_id"] == game
        again.command("u -1 0")
        again.look(state["turn"] + 1)
        assert again.state["error"][str(again.uid)] == ["u -1 0 failed, Upgrade position is not in the map."]
    assert managed(nodes.other, "deletegameroom", {"gameroom_id": room, "admin_password": "boss"}) == {"success": True}


def test_a_room_that_is_restarted_at_one_node_is_so_at_the_other(nodes: Nodes) -> None:
    room = new_room(nodes.one, preset="official")
    with WirePlayer(base(nodes.one, room), "anna") as anna:
        first = anna.look(0)["info"]["game_id"]
        asked = {"gameroom_id": room, "admin_password": "boss"}
        assert managed(nodes.other, "restart", asked) == {"success": True}
        while anna.state["info"]["game_id"] == first:
            anna.hear()
        assert anna.state["users"] == {}
        assert anna.ask(action="command", cmd_list=[]) == {"success": False, "err_msg": "Wrong uid"}


def test_a_player_joins_a_game_that_runs_at_either_node(nodes: Nodes) -> None:
    wide = {"width": 20, "height": 20}
    room = new_room(nodes.one, preset="constant-run", first_round_time=0, early=False, round_time=1, **wide)
    with WirePlayer(base(nodes.one, room), "anna", "a") as anna:
        anna.look(1)
        later = WirePlayer(base(nodes.one, room), "bert", "b"), WirePlayer(base(nodes.other, room), "cleo", "c")
        with later[0] as bert, later[1] as cleo:
            assert (anna.uid, bert.uid, cleo.uid) == (1, 2, 3)
            cleo.look(1)
            cleo.command("u -1 0")
            while not cleo.state["error"].get(str(cleo.uid)):  # the command may have come to the turn after
                cleo.hear()
            assert cleo.state["error"][str(cleo.uid)] == ["u -1 0 failed, Upgrade position is not in the map."]
            assert len(cleo.state["users"]) == 3
    assert managed(nodes.other, "deletegameroom", {"gameroom_id": room, "admin_password": "boss"}) == {"success": True}


def test_a_chat_line_is_heard_at_both_nodes(nodes: Nodes) -> None:
    room = new_room(nodes.one, preset="official")
    with WirePlayer(base(nodes.one, room), "anna") as anna, WirePlayer(base(nodes.other, room), "bert") as bert:
        lines = []
        for speaker, msg in ((anna, "hello"), (bert, "hi \u0000 \u00e9"), (anna, "x" * 300)):
            lines.append({"user": "anna" if speaker is anna else "bert", "msg": msg[:200]})
            assert speaker.ask(action="chat", msg=msg) == {"success": True}
            for listener in (anna, bert):
                while listener.state.get("chat") != lines:
                    listener.hear()
        with WirePlayer(base(nodes.other, room), "cleo") as cleo:
            assert cleo.look(0)["chat"] == lines
    assert managed(nodes.other, "deletegameroom", {"gameroom_id": room, "admin_password": "boss"}) == {"success": True}
