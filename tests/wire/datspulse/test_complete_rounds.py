"""A complete round over the wire ends as the same orders do in process."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

import marchland
from marchland.games.datspulse.game import Datspulse
from marchland.games.datspulse.wire import Move, arena_bytes, judge
from marchland.messages import MatchInfo
from tests.support.api import until
from tests.support.datspulse_arena_checks import check_arena
from tests.support.datspulse_client import TeamClient
from tests.support.datspulse_wire_bot import plan_moves
from tests.support.server import Served

_CONFIG = {"radius": 12, "ant_limit": 20, "max_turn": 60}
_SEED = 11
_RECORDED = Path(__file__).parents[2] / "games/datspulse/data"


class Round(NamedTuple):
    """What a team received and sent each turn, and the outcome."""

    arenas: list[bytes]
    sent: list[bytes]
    errors: list[str]
    log: Any
    info: MatchInfo


@pytest.fixture(scope="module")
def played(served: Served) -> Iterator[Round]:
    with TeamClient(served, "/datspulse/final") as client:
        bots = [{"kind": "builtin", "bot": "greedy", "name": f"greedy {number}"} for number in (1, 2)]
        cup = client.announce_and_register("whole", "reds", seats=bots, config=_CONFIG, template={"seed": _SEED})
        match = client.wait_for_match(cup)
        arenas, sent, errors = [], [], []
        rng = random.Random(3)
        for turn in range(1, _CONFIG["max_turn"] + 1):
            client.wait_for_arena("reds", turn)
            arenas.append(client.request("reds", "GET", "/api/arena").content)
            body = msgspec.json.encode({"moves": plan_moves(msgspec.json.decode(arenas[-1]), rng)})
            sent.append(body)
            errors += client.request("reds", "POST", "/api/move", body).raise_for_status().json()["errors"]
        client.play("""
            reds ~ GET /api/arena
            < 200 {"ants":[],"enemies":[],"map":[],"food":[],"turnNo":0,"nextTurnIn":0,<any>
        """)
        log = client.request("reds", "GET", "/api/logs").json()
        yield Round(arenas, sent, errors, log, until(lambda: _ended(client, match)))


def _ended(client: TeamClient, match: str) -> MatchInfo | None:
    info = client.organiser.info(match)
    return info if info.state == "over" else None


def test_the_same_orders_in_process_lead_to_the_same_arenas_and_the_same_outcome(played: Round) -> None:
    info = played.info
    names = [seat.name for seat in info.seats]
    game = marchland.new("datspulse", names, seed=_SEED, rules="upstream", config=_CONFIG)
    assert isinstance(game, Datspulse)
    bots = {seat: game.bots["greedy"]() for seat in (0, 1)}
    for arena, sent in zip(played.arenas, played.sent, strict=True):
        seconds = float(arena.rpartition(b'"nextTurnIn":')[2].split(b",")[0])
        assert arena == arena_bytes(game, 2, seconds)
        given = judge(game, 2, msgspec.json.decode(sent, type=dict[str, list[Move]])["moves"])
        assert given.errors == []
        for seat, bot in bots.items():
            bot.random.seed(f"{info.id}/{seat}/{game.turn}")  # as the server seeds its bots
        game.step({**{seat: bot.play(game.view(seat)) for seat, bot in bots.items()}, 2: given.orders})
    assert info.outcome == game.outcome and game.outcome is not None
    assert all(seat.missed == 0 for seat in info.seats)
    assert max(one.figures["score"] for one in game.outcome.ranking) > 0


def test_no_sensible_move_was_refused(played: Round) -> None:
    assert played.errors == []


def test_every_arena_has_the_form_and_the_facts_of_the_recorded_ones(played: Round) -> None:
    for arena in played.arenas:
        check_arena(json.loads(arena))
    kinds = {(".enemies[].id", "str")}  # it came after these were recorded
    for line in (_RECORDED / "arenas.jsonl").read_text().splitlines():
        kinds |= set(_kinds("", json.loads(line)))
    for arena in played.arenas:
        assert set(_kinds("", json.loads(arena))) <= kinds


def test_the_log_has_the_form_of_the_recorded_one(played: Round) -> None:
    recorded = json.loads((_RECORDED / "logs.json").read_text())
    assert {tuple(line) for line in played.log} == {tuple(line) for line in recorded}
    assert len(played.log) <= 1000 and played.log == sorted(played.log, key=lambda line: line["time"])
    assert {type(value) for line in played.log for value in line.values()} == {str}


def _kinds(where: str, value: Any) -> Iterator[tuple[str, str]]:
    """Every place in an answer with the kind of value there."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _kinds(f"{where}.{name}", inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _kinds(f"{where}[]", inner)
    else:
        yield where, type(value).__name__
