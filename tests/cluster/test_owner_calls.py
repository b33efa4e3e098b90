"""Two nodes on one database: whatever is asked of either is done by the one that runs the match, once."""

import contextlib
import datetime
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import httpx
import psycopg
import pytest
from websockets.exceptions import ConnectionClosed

from tests.support.api import Api, until
from tests.support.postgres import Cluster
from tests.support.server import ADMIN, Person, Served, person, problem

LEASE = "2"
"""Seconds; for nodes of which one is killed. The others keep the default: a busy machine costs them no lease."""


class Nodes(NamedTuple):
    """The node that runs the matches of these tests, another, and their database."""

    owner: Served
    other: Served
    database: str


@pytest.fixture(scope="module")
def nodes(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MARCHLAND_KERNELS", "python")  # a few turns of small games are not worth loading what is compiled
        url = cluster.new_database()
        first, second = (Served(tmp_path_factory.mktemp("node"), "--db", url) for _ in range(2))
        yield Nodes(first, second, url)
        for one in (first, second):
            one.stop()


class Ann(NamedTuple):
    """A player with a match, and the same account at the other node."""

    here: Person
    there: Person
    match: str

    def turn(self) -> int:
        return self.here.info(self.match).turn


@pytest.fixture
def ann(nodes: Nodes) -> Iterator[Ann]:
    with person(nodes.owner) as here, Person(nodes.other, here.token) as there:
        clock = {"kind": "every", "seconds": 3600, "early": False}
        match = here.match("boidvoid", "open", "empty", config={}, late_joiners=True, clock=clock)
        here.join(match)
        assert there.info(match).state == "running"
        there.must("GET", f"/matches/{match}/view?seat=0")
        yield Ann(here, there, match)


def battery(who: Person, match: str, attack: int, key: str) -> httpx.Response:
    return who.post(f"/matches/{match}/act", json={"order": {"do": "battery", "attack": attack}, "key": key})


def test_an_action_may_be_sent_to_any_node_and_counts_once(ann: Ann) -> None:
    first = battery(ann.there, ann.match, 70, "a").raise_for_status().json()
    assert first["result"]["ok"] and first["seq"] == 1
    assert battery(ann.there, ann.match, 70, "a").json() == first
    assert battery(ann.here, ann.match, 70, "a").json() == first
    assert battery(ann.here, ann.match, 30, "b").json()["seq"] == 2
    assert battery(ann.there, ann.match, 31, "b").json()["seq"] == 2


def test_a_player_sees_its_own_action_on_the_node_it_called(ann: Ann) -> None:
    battery(ann.there, ann.match, 77, "a").raise_for_status()
    views = [one.must("GET", f"/matches/{ann.match}/view?seat=0") for one in (ann.there, ann.here)]
    assert views[0] == views[1]
    assert "77" in str(views[0]["units"])


def test_a_refusal_comes_back_as_the_owner_said_it(ann: Ann) -> None:
    wrong = {"order": {"do": "boost", "target": 0, "nft": 1_500_000_000, "mode": "burn"}, "key": "a"}
    reply = [one.post(f"/matches/{ann.match}/act", json=wrong) for one in (ann.here, ann.there)]
    assert {problem(one, 409).error for one in reply} == {"not_free"}
    assert reply[0].json() == reply[1].json()


def test_the_socket_of_any_node_takes_actions(ann: Ann) -> None:
    with ann.there.watch(ann.match, seat=0, want="none") as socket:
        assert socket.next("news")["seq"] == 0
        socket.send(type="act", order={"do": "battery", "attack": 12}, key="k")
        assert socket.next("news")["seq"] == 1
        assert socket.next("answer")["acted"]["seq"] == 1


def test_a_late_joiner_can_join_through_any_node(nodes: Nodes, ann: Ann) -> None:
    with person(nodes.other) as bob, Person(nodes.owner, bob.token) as bob_there:
        seat = bob.join(ann.match)
        assert seat == 2 and bob.join(ann.match) == seat and bob_there.join(ann.match) == seat
        for number, one in enumerate((bob, bob_there)):
            assert battery(one, ann.match, 40, f"k{number}").json()["result"]["ok"]
        bob.must("POST", f"/matches/{ann.match}/leave")
        for one in (ann.here, ann.there):
            assert one.info(ann.match).seats[seat].account is None
        assert problem(battery(bob_there, ann.match, 41, "gone"), 409).error == "no_seat"


def test_a_token_that_is_revoked_at_one_node_reads_no_more_at_the_other(ann: Ann) -> None:
    reply = ann.here.must("POST", "/tokens", json={"label": "lost"})
    with Person(ann.there.served, reply["token"]) as thief, thief.watch(ann.match, seat=0, want="none") as socket:
        socket.next("news")
        ann.here.must("DELETE", f"/tokens/{reply['id']}")
        with pytest.raises(ConnectionClosed) as closed:
            socket.next()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4401


def test_a_match_that_is_removed_at_one_node_is_gone_at_the_other(nodes: Nodes, ann: Ann) -> None:
    with ann.there.watch(ann.match, want="none") as socket, Person(nodes.owner, ADMIN) as admin:
        socket.next("news")
        admin.must("DELETE", f"/matches/{ann.match}")
        with pytest.raises(ConnectionClosed) as closed:
            socket.next()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1012
    assert problem(ann.there.get(f"/matches/{ann.match}/view"), 404).error == "not_found"


def test_readers_of_a_match_that_breaks_are_disconnected_and_then_refused(nodes: Nodes) -> None:
    with person(nodes.owner) as ann, Person(nodes.other, ann.token) as there:
        match = ann.match("colorfight", "open", "empty")
        ann.join(match)
        with there.watch(match, seat=0, want="none") as socket:
            ann.order(match, turn=1).raise_for_status()
            assert socket.news_of(2)["state"] == "running"
            there.order(match, key="k", turn=2, ready=False).raise_for_status()
            with psycopg.connect(nodes.database) as database:
                database.execute("UPDATE posts SET orders = '{' WHERE match = %s AND turn = 2", [match])
            ann.must("POST", f"/matches/{match}/end-turn")
            with pytest.raises(ConnectionClosed) as closed:
                socket.next()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1012
        for one in (there, ann):
            until(lambda: one.info(match).state == "broken")  # noqa: B023 - it is called at once
            for refused in (one.order(match, turn=3), one.post(f"/matches/{match}/end-turn")):
                assert problem(refused, 409).error == "broken"
            with one.watch(match, want="frames") as again:
                assert again.next("hello")["state"] == "broken"
                assert again.next("news")["state"] == "broken"
                assert again.connection.ping().wait(60)
                one.must("GET", f"/matches/{match}/view?seat=0")
        assert there.order(match, key="k", turn=2).json()["turn"] == 2, "a stored post gets the same receipt"


def test_every_node_shows_the_orders_of_a_seat_whichever_node_received_them(nodes: Nodes) -> None:
    with person(nodes.owner) as ann, Person(nodes.other, ann.token) as there:
        match = ann.match("colorfight", "open", "empty")
        ann.join(match)
        orders = [{"do": "upgrade", "at": [1, 1]}]
        there.order(match, *orders, key="k", ready=False).raise_for_status()
        ann.order(match, key="k", ready=False).raise_for_status()
        for one in (ann, there):
            reply = one.must("GET", f"/matches/{match}/orders")
            assert (reply["orders"], reply["ready"]) == (orders, False)


def test_two_nodes_never_give_the_same_seat_to_two_players(nodes: Nodes) -> None:
    """Many sit down at both nodes at once; each keeps the seat of its response."""
    with Person(nodes.owner, ADMIN) as admin, contextlib.ExitStack() as stack:
        match = admin.match("colorfight", *["open"] * 12, auto_start=False)
        players = [stack.enter_context(person((nodes.owner, nodes.other)[number % 2])) for number in range(12)]
        with ThreadPoolExecutor(12) as pool:
            seats = list(pool.map(lambda one: one.join(match), players))
        assert sorted(seats) == list(range(12))
        sitting = admin.info(match).seats
        assert [sitting[seat].account for seat in seats] == [one.account for one in players]


def test_any_node_ends_a_turn(ann: Ann) -> None:
    turn = ann.turn()
    ann.there.must("POST", f"/matches/{ann.match}/end-turn")
    _wait_for(ann, turn + 1)


def test_a_turn_ends_when_all_are_ready_on_any_nodes(nodes: Nodes) -> None:
    with person(nodes.owner) as ann, person(nodes.other) as bob:
        match = ann.match("colorfight", "open", "open")
        ann.join(match)
        bob.join(match)
        for turn in (1, 2):
            assert ann.order(match, turn=turn).is_success
            assert bob.order(match, turn=turn).is_success
            _wait_for(Ann(ann, bob, match), turn + 1)


def test_any_node_changes_the_clock(nodes: Nodes, ann: Ann) -> None:
    turn = ann.turn()
    with Person(nodes.other, ADMIN) as admin:
        admin.must("PATCH", f"/matches/{ann.match}", json={"clock": {"kind": "every", "seconds": 0.2}})
    ann.there.must("POST", f"/matches/{ann.match}/end-turn")
    _wait_for(ann, turn + 3)  # an hour a turn it was before


def _wait_for(ann: Ann, turn: int) -> None:
    until(lambda: ann.turn() >= turn)


def test_any_node_does_a_job_of_a_season_by_hand_once(nodes: Nodes) -> None:
    with Api(nodes.owner, ADMIN) as here, Api(nodes.other, ADMIN) as there:
        players = [here.new_account() for _ in range(2)]
        today = datetime.datetime.now(datetime.UTC).date()
        here.post("/seasons", name="now", start=str(today), end=str(today + datetime.timedelta(days=1)))
        teams = [{"name": one.name, "members": [{"account": one.account, "role": "leader"}]} for one in players]
        body = {"game": "boidvoid", "seats": [{}], "rules": "season", "clock": {"kind": "every", "seconds": 3600}}
        game = here.post("/seasons/now/games", name="void", template=body, teams=teams)["id"]
        match = until(lambda: here.get(f"/season-games/{game}")["match"])
        until(lambda: [job for job in here.get("/jobs", match=match) if job["name"] == "daily_maintenance"])
        for one in (there, here, there):  # one of them runs the match, whichever that is
            turn = here.get(f"/matches/{match}")["turn"]
            assert one.post("/jobs", match=match, name="turn_end")["name"] == "turn_end"
            assert here.get(f"/matches/{match}")["turn"] == turn + 1
        ended = [job["key"] for job in here.get("/jobs", match=match) if job["name"] == "turn_end"]
        assert len(ended) == len(set(ended)) == 3
        for player in players:
            player.close()


def test_an_action_survives_its_matchs_owner(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The second node is asked while the first is dead; it says so, or takes over in time, and does it once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MARCHLAND_KERNELS", "python")
        url = cluster.new_database()
        first, second = (Served(tmp_path_factory.mktemp("node"), "--db", url, "--lease", LEASE) for _ in range(2))
        with Person(first, ADMIN) as here, Person(second, ADMIN) as there:
            match = here.match(
                "boidvoid", "open", "empty", config={}, late_joiners=True, clock={"kind": "every", "seconds": 3600}
            )
            here.join(match)
            before = battery(here, match, 10, "before").json()
            there.must("GET", f"/matches/{match}/view?seat=0")
            first.kill()

            def act() -> httpx.Response | None:
                answer = battery(there, match, 20, "after")
                if answer.status_code != 503:
                    return answer
                assert "send the same request again" in problem(answer, 503).sentence
                return None

            answer = until(act)
            assert answer.json()["seq"] == 2 and answer.json()["result"]["ok"]
            assert battery(there, match, 20, "after").json() == answer.json()
            assert battery(there, match, 10, "before").json() == before
        second.stop()
