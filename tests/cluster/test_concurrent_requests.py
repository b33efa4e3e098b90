"""Two nodes on one database, called at the same moment: no seat is lost, and neither waits for the other."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import pairwise
from typing import Any, NamedTuple

import httpx
import pytest

from tests.support.postgres import Cluster
from tests.support.server import ADMIN, Person, Served, person, problem

ROUNDS = 8
HOUR = {"kind": "every", "seconds": 3600, "early": False}


class Nodes(NamedTuple):
    first: Served
    second: Served


class Both(NamedTuple):
    """The same person at both nodes."""

    first: Person
    second: Person


@pytest.fixture(scope="module")
def nodes(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MARCHLAND_KERNELS", "python")
        url = cluster.new_database()
        made = Nodes(*(Served(tmp_path_factory.mktemp("node"), "--db", url) for _ in range(2)))
        yield made
        for one in made:
            one.stop()


@pytest.fixture
def people(nodes: Nodes) -> Iterator[list[Both]]:
    with ExitStack() as stack:
        made = [stack.enter_context(person(nodes.first)) for _ in range(4)]
        yield [Both(one, stack.enter_context(Person(nodes.second, one.token))) for one in made]


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as made:
        yield made


def join(who: Person, match: str) -> httpx.Response:
    return who.post(f"/matches/{match}/join", json={})


def leave(who: Person, match: str) -> httpx.Response:
    return who.post(f"/matches/{match}/leave")


def sitting(who: Person, match: str) -> list[str | None]:
    return [seat.account for seat in who.info(match).seats]


def test_a_join_during_a_leave_gets_the_seat_or_is_refused_as_full(
    nodes: Nodes, people: list[Both], pool: ThreadPoolExecutor
) -> None:
    ann, bob, carl, _ = people
    with Person(nodes.first, ADMIN) as admin:
        match = admin.match("colorfight", "open", "open", auto_start=False)
    ann.first.join(match)
    carl.second.join(match)
    here, there = ann, bob
    for _ in range(ROUNDS):
        leaving, joining = pool.submit(leave, here.first, match), pool.submit(join, there.second, match)
        leaving.result().raise_for_status()
        if joining.result().is_success:
            assert joining.result().json()["seat"] == 0
        else:
            assert problem(joining.result(), 409).error == "no_seat"
            there.second.join(match)
        for one in there:
            assert sitting(one, match) == [there.first.account, carl.first.account]
        here, there = there, here


def test_who_comes_late_as_another_leaves_has_a_seat_and_the_other_has_none(
    people: list[Both], pool: ThreadPoolExecutor
) -> None:
    ann = people[0]
    match = ann.first.match("boidvoid", "open", "empty", config={}, late_joiners=True, clock=HOUR)
    ann.first.join(match)
    ann.second.must("GET", f"/matches/{match}/view?seat=0")
    expected: list[str | None] = [ann.first.account, None]
    for here, there in pairwise(people):
        leaving, joining = pool.submit(leave, here.first, match), pool.submit(join, there.second, match)
        leaving.result().raise_for_status()
        assert joining.result().raise_for_status().json()["seat"] == len(expected)
        expected[expected.index(here.first.account)] = None
        expected.append(there.first.account)
        for one in there:
            assert sitting(one, match) == expected
            one.must("GET", f"/matches/{match}/view?seat={len(expected) - 1}")


def test_two_nodes_that_ask_each_other_at_the_same_time_both_get_their_answer(
    people: list[Both], pool: ThreadPoolExecutor
) -> None:
    """Each runs a match, and each is asked for what only the other can do: late joiners, then actions."""
    ann = people[0]
    matches = [one.match("boidvoid", "open", "empty", config={}, late_joiners=True, clock=HOUR) for one in ann]
    for match, runs, follows in zip(matches, ann, reversed(ann), strict=True):
        runs.join(match)
        follows.must("GET", f"/matches/{match}/view?seat=0")
    asked = [(one.second, matches[0]) for one in people[1:]] + [(one.first, matches[1]) for one in people[1:]]
    joined = list(pool.map(lambda one: join(*one), asked))
    assert [one.status_code for one in joined] == [200] * 6, [one.text for one in joined]
    for part in (joined[:3], joined[3:]):
        assert sorted(one.json()["seat"] for one in part) == [2, 3, 4]
    acted = list(pool.map(lambda one: _act(*one), asked))
    assert all(one.json()["result"]["ok"] for one in acted), [one.text for one in acted]
    for part in (acted[:3], acted[3:]):
        assert sorted(one.json()["seq"] for one in part) == [1, 2, 3]


def _act(who: Person, match: str) -> Any:
    body = {"order": {"do": "battery", "attack": 30}, "key": "k"}
    return who.post(f"/matches/{match}/act", json=body).raise_for_status()
