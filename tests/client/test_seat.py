"""Bots on a real server."""

import asyncio
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import marchland
from marchland import arena
from marchland.bots import load_user_bot
from marchland.client import Client, ClientError, RefusedError, UnreachableError, connect, connect_async
from marchland.messages import Every, ForkRequest
from tests.support.api import until
from tests.support.server import Served

from .conftest import EXAMPLES, SMALL, in_thread, new_match

FRONTIER = str(EXAMPLES / "frontier.py")


def idle(view: Any) -> list[Any]:
    return []


def digest_of(client: Client, match: str, folder: Path) -> str:
    """How a finished match ended, recomputed from its replay."""
    path = folder / "match.march"
    path.write_bytes(client.replay(match))
    replay = marchland.open_replay(path)
    replay.verify()
    return replay.at(client.match(match).turn).digest()


@pytest.fixture(scope="module")
def local_digest() -> str:
    """The example against itself, in this process."""
    game = marchland.new("colorfight", players=["mine", "other"], seed=11, config=SMALL)
    arena.play(game, [load_user_bot(FRONTIER), load_user_bot(FRONTIER)])
    return game.digest()


def test_the_same_bot_plays_alike_in_process_by_stdio_and_over_the_network(
    served: Served, admin: Client, guest: Client, local_digest: str, tmp_path: Path
) -> None:
    match = new_match(admin, "open", "open").id
    by_stdio = f"cmd:{sys.executable} -m marchland.bots.stdio {FRONTIER}"
    with served.guest() as second:
        mine, other = guest.join(match, name="mine"), second.join(match, name="other")
        with in_thread(other.run, load_user_bot(by_stdio, seconds=30)) as ended:
            summary = mine.run(load_user_bot(FRONTIER))
        assert summary.outcome == ended.get().outcome is not None
    assert digest_of(admin, match, tmp_path) == local_digest
    assert (summary.state, summary.late, summary.refused, summary.reconnects) == ("over", 0, {}, 0)
    assert (summary.turn, summary.turns) == (40, 39)
    assert summary.orders > 39


def test_the_asynchronous_client_plays_alike(served: Served, admin: Client, local_digest: str, tmp_path: Path) -> None:
    match = new_match(admin, "open", "open").id

    async def played(name: str) -> int:
        async with connect_async(served.url) as client:
            await client.register(f"{name} {match}")
            seat = await client.join(match, name=name)
            return (await seat.run(load_user_bot(FRONTIER))).turns

    async def both() -> list[int]:
        first = asyncio.create_task(played("mine"))
        while not (await asyncio.to_thread(admin.match, match)).seats[0].account:
            await asyncio.sleep(0.01)
        return [await played("other"), await first]

    assert asyncio.run(both()) == [39, 39]
    assert digest_of(admin, match, tmp_path) == local_digest


def test_a_bot_waits_for_its_match_to_start(admin: Client, guest: Client) -> None:
    match = new_match(admin, "open", "empty", auto_start=False).id
    seat = guest.join(match)
    with in_thread(seat.run, idle) as ended:
        assert seat.info().state == "lobby"
        admin.start(match)
        assert ended.get(timeout=60).state == "over"


def test_a_bot_that_raises_loses_its_turn_and_the_summary_says_where(admin: Client, guest: Client) -> None:
    def failing(view: dict[str, Any]) -> list[Any]:
        return [1 // (view["turn"] % 2)]

    summary = guest.join(new_match(admin).id).run(failing)
    assert summary.failures == 19
    assert summary.first_failure.startswith("in turn 2: ZeroDivisionError: ")
    assert "(test_seat.py, line " in summary.first_failure


def test_refused_orders_are_reported_to_the_bot_and_counted(admin: Client, guest: Client) -> None:
    received: list[Any] = []

    class Wild:
        def start(self, info: dict[str, Any]) -> None:
            received.append((info["game"], info["seat"], info["name"], info["config"]["width"]))

        def play(self, view: Any) -> list[Any]:
            return [{"do": "attack", "at": [99, 99], "energy": 1}]

        def results(self, results: list[dict[str, Any]]) -> None:
            received.append(results[0]["reason"])

        def end(self, outcome: dict[str, Any]) -> None:
            received.append(outcome["reason"])

    summary = guest.join(new_match(admin).id, name="wild").run(Wild)
    assert received == [("colorfight", 0, "wild", 12), *["OFF_THE_MAP"] * 39, "Turn 40 is the last."]
    assert summary.refused == {"OFF_THE_MAP": 39}


@pytest.mark.parametrize("rubbish", [5, {"do": 7}, [None, [[]]], [object()], [float("nan")]])
def test_a_bot_that_answers_rubbish_plays_on(admin: Client, guest: Client, rubbish: Any) -> None:
    summary = guest.join(new_match(admin).id).run(lambda view: rubbish)
    assert summary.state == "over"
    assert summary.turns == 39
    assert summary.failures == 39 or sum(summary.refused.values()) >= 39


@pytest.mark.parametrize("orders", [["x" * 2_000_000], [{}] * 11_000], ids=["bytes", "orders"])
def test_orders_that_are_too_large_cost_the_turn_and_no_more(admin: Client, guest: Client, orders: list[Any]) -> None:
    summary = guest.join(new_match(admin).id).run(lambda view: orders if view["turn"] == 3 else [])
    assert summary.state == "over"
    assert summary.turns == 39
    assert [why.partition(":")[0] for why in summary.rejected] == ["too_large"]


def test_a_bot_that_is_too_slow_is_late_and_plays_on(admin: Client, guest: Client) -> None:
    match = new_match(admin, clock=Every(0.3, early=False), config={**SMALL, "max_turn": 10}).id
    slow_turns: list[int] = []

    def slow(view: dict[str, Any]) -> list[Any]:
        if not slow_turns:
            slow_turns.append(view["turn"])
            until(lambda: guest.match(match).turn > view["turn"] + 1)
        return []

    summary = guest.join(match).run(slow)
    assert summary.state == "over"
    assert summary.late >= 1


def test_an_account_that_has_a_seat_gets_the_same_again(admin: Client, guest: Client) -> None:
    match = new_match(admin, "open", "open").id
    assert guest.join(match).seat == guest.join(match).seat == 0


def test_orders_can_be_given_by_hand(admin: Client, guest: Client) -> None:
    seat = guest.join(new_match(admin).id)
    assert seat.view()["me"] == 0
    target = seat.legal()["attack"]["cells"][0]
    assert seat.orders([{"do": "attack", "at": target, "energy": 300}, {"do": "dance"}], turn=1).turn == 1
    (log,) = until(seat.log)
    assert [result.ok for result in log.results] == [True, False]
    with pytest.raises(RefusedError) as late:
        seat.orders([], turn=1)
    assert late.value.error == "too_late"


def test_a_match_that_is_over_can_be_looked_at(admin: Client, guest: Client) -> None:
    seat = guest.join(new_match(admin).id)
    assert seat.run(idle) is not None
    assert seat.run(idle).turns == 0
    assert guest.legend(seat.match).game == "colorfight"
    assert [frame.turn for frame in guest.frames(seat.match, since=3, count=2)] == [3, 4, 5]


def test_a_match_that_is_over_is_played_again_and_forked(served: Served, admin: Client, guest: Client) -> None:
    match = new_match(admin)
    guest.join(match.id).run(idle)

    async def repeated() -> str:
        async with connect_async(served.url, guest.token) as client:
            return (await client.rematch(match.id)).id

    first, second = guest.rematch(match.id), guest.match(asyncio.run(repeated()))
    assert (first.config, len(first.seats)) == (match.config, 2) == (second.config, len(second.seats))
    fork = guest.fork(match.id, ForkRequest(turn=5))
    assert (fork.forked_from, fork.turn) == (match.id, 5)


def test_what_the_server_refuses_is_an_error_with_its_sentence(served: Served, admin: Client, guest: Client) -> None:
    locked = new_match(admin, "open", "empty", password="sesame").id
    with pytest.raises(RefusedError, match="password"):
        guest.join(locked, password="open")
    assert guest.join(locked, password="sesame").seat == 0
    with pytest.raises(RefusedError, match="There is no match"):
        guest.join("nowhere")
    with connect(served.url, "wrong") as stranger, pytest.raises(RefusedError, match="token is not known"):
        stranger.me()
    with pytest.raises(ClientError, match="no match in the room"):
        guest.current_match_of_room("nowhere")


def test_the_seat_of_another_account_cannot_be_played(served: Served, admin: Client, guest: Client) -> None:
    seat = guest.join(new_match(admin, "open", "open", auto_start=False).id)
    admin.start(seat.match)
    with served.guest() as thief:
        seat.client = thief
        with pytest.raises(RefusedError):
            seat.orders([])


def test_an_address_without_a_server_says_so() -> None:
    with connect("127.0.0.1:9") as client, pytest.raises(UnreachableError, match=r"127\.0\.0\.1:9 cannot be reached"):
        client.games()


def test_a_bot_that_wants_arrays_is_refused(admin: Client, guest: Client) -> None:
    with pytest.raises(ClientError, match="observes arrays"):
        guest.join(new_match(admin).id).run(marchland.find("colorfight").bots["greedy"])


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node on this machine")
def test_a_bot_in_another_language_plays_over_the_network(admin: Client, guest: Client) -> None:
    summary = guest.join(new_match(admin).id).run(load_user_bot(f"cmd:node {EXAMPLES / 'frontier.js'}", seconds=30))
    assert (summary.state, summary.failures, summary.refused) == ("over", 0, {})


def test_a_killed_server_is_reconnected_to_and_no_order_is_lost(local_digest: str, tmp_path: Path) -> None:
    server = Served(tmp_path)
    patient = load_user_bot(FRONTIER)

    def killing(view: dict[str, Any]) -> Any:
        if view["turn"] in (10, 20):
            server.kill()
            server.start()
        return patient.move(view)

    try:
        with server.admin() as admin, server.guest() as first, server.guest() as second:
            match = new_match(admin, "open", "open").id
            mine, other = first.join(match, name="mine"), second.join(match, name="other")
            with in_thread(other.run, load_user_bot(FRONTIER)) as ended:
                summary = mine.run(killing)
            assert ended.get().state == summary.state == "over"
            assert summary.reconnects >= 2
            assert summary.late == 0
            assert digest_of(admin, match, tmp_path) == local_digest
    finally:
        server.stop()


def test_the_client_needs_no_numpy() -> None:
    script = "import sys, marchland.client\nassert not {'numpy', 'llvmlite', 'starlette'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True, timeout=120)
