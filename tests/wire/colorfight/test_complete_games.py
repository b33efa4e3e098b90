"""Complete games over the wire end as the same orders do in process."""

from pathlib import Path

import msgspec
import pytest

from marchland.games.colorfight.wire import Command, parse_action
from tests.support.colorfight_client import ColorfightClient
from tests.support.colorfight_rooms import new_room, room_url
from tests.support.replays import download_replay, orders_by_seat
from tests.support.server import ADMIN, Person, Served


@pytest.mark.parametrize("compression", ["deflate", None])
def test_a_game_against_greedy_ends_as_it_does_in_process(
    served: Served, compression: str | None, tmp_path: Path
) -> None:
    room = new_room(served, preset="duel", max_turn=40, bots=["greedy"])
    sent: dict[int, list[str]] = {}
    with ColorfightClient(room_url(served, room), "grabber", compression=compression) as player:
        for turn in range(1, 40):
            player.wait_for_turn(turn)
            sent[turn] = player.plan_attacks()
            player.command(*sent[turn])
        last = player.wait_for_turn(40)
        me = player.uid
    with Person(served, ADMIN) as admin:
        replay = download_replay(admin, last["info"]["game_id"], tmp_path)
        outcome = admin.info(last["info"]["game_id"]).outcome
    game = replay.at(1)
    for turn in range(1, 40):
        action = parse_action(me - 1, msgspec.json.encode({"action": "command", "cmd_list": sent[turn]}))
        assert isinstance(action, Command)
        recorded = orders_by_seat(replay, game, turn)
        theirs = recorded.get(2 - me, [])
        assert recorded.get(me - 1, []) == action.orders
        report = game.step({me - 1: action.orders, 2 - me: theirs})
        assert not [result for result in report.results.get(me - 1, []) if result.reason == "MALFORMED"]
    assert game.outcome is not None
    assert game.outcome == outcome
    for standing in game.outcome.ranking:
        user = last["users"][str(standing.player + 1)]
        shown = {"gold": user["gold"], "cells": user["cell_number"], "energy": user["energy"]}
        assert (user["username"], user["ranking"], shown) == (standing.name, standing.place, standing.figures)
    assert sum(len(commands) for commands in sent.values()) >= 5  # any map has cells to attack
