"""Rounds, rooms, leases, jobs and the audit log in the database."""

import asyncio
import time
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection, update

from marchland.errors import Refused
from marchland.messages import MatchCreate, RoomCreate, RoundCreate, SeatRequest, Standing
from marchland.server import audit
from marchland.server.accounts import queries as account_queries
from marchland.server.cluster import queries as cluster_queries
from marchland.server.matches import queries as match_queries
from marchland.server.matches import slot_queries
from marchland.server.rooms import queries as room_queries
from marchland.server.rounds import queries as round_queries
from marchland.server.rounds.queries import Entrant, RoundRun
from marchland.server.seasons import job_queries
from marchland.store import Database, SqlMatchLog, leases
from marchland.store.schema import leases as leases_table
from tests.support.match_rows import entry, outcome, row, started

TEMPLATE = MatchCreate("colorfight", [SeatRequest("builtin", "greedy")])
ROUND = RoundCreate("cup", TEMPLATE, 1e9)


def written(store: Database, work: Any) -> Any:
    return asyncio.run(store.write(work))


def first_run(connection: Connection) -> RoundRun:
    run = round_queries.last_run(connection, round_queries.insert_round(connection, ROUND).id)
    assert run is not None
    return run


def entrant(connection: Connection, name: str) -> Entrant:
    return Entrant(account_queries.create(connection, name).id, name)


def test_a_new_round_has_its_first_playing_planned(store: Database) -> None:
    made = written(store, partial(round_queries.insert_round, request=ROUND))
    assert store.read_now(partial(round_queries.last_run, round=made.id)) == RoundRun(made.id, 0, 1e9, "lobby", None)
    assert store.read_now(partial(round_queries.find_round, round="cup")) == made
    with pytest.raises(Refused, match="already"):
        written(store, partial(round_queries.insert_round, request=ROUND))


def test_a_second_registration_returns_the_first(store: Database) -> None:
    run = written(store, first_run)
    ann, bob = written(store, partial(entrant, name="ann")), written(store, partial(entrant, name="bob"))
    for one in (ann, bob, Entrant(ann.account, "other")):
        response = written(store, lambda connection, one=one: round_queries.insert_registration(connection, run, one))
        assert response.name in ("ann", "bob")
    assert store.read_now(partial(round_queries.list_entrants, run=run)) == [ann, bob]
    assert store.read_now(partial(round_queries.count_registered, run=run)) == 2


def test_a_playing_moves_on_once(store: Database) -> None:
    run = written(store, first_run)
    assert written(store, lambda connection: round_queries.update_run(connection, run, "running", "m")) is True
    assert written(store, lambda connection: round_queries.update_run(connection, run, "running", "n")) is False
    assert store.read_now(round_queries.running_matches) == {"m"}
    on = run._replace(state="running", match="m")
    written(store, lambda connection: round_queries.update_run(connection, on, "over"))
    following = RoundRun(run.round, 1, 2e9, "lobby", None)
    for starts in (2e9, 3e9):
        written(store, partial(round_queries.insert_run, run=following._replace(starts=starts)))
    assert store.read_now(partial(round_queries.list_runs, round=run.round)) == [on._replace(state="over"), following]


def test_only_playings_that_are_on_or_whose_start_has_come_are_due(store: Database) -> None:
    """Of each round the name of its playing's state; those of whatever is over are looked at no more."""

    def made(connection: Connection, name: str, starts: float, state: str = "lobby", *, closed: bool = False) -> None:
        new = round_queries.insert_round(connection, RoundCreate(name, TEMPLATE, starts))
        round_queries.update_run(connection, RoundRun(new.id, 0, starts, "lobby", None), state, "m")
        if closed:
            round_queries.close_round(connection, new.id)

    for name, starts, state in (("waits", 300, "lobby"), ("begins", 100, "lobby"), ("is on", 90, "running")):
        written(store, partial(made, name=name, starts=starts, state=state))
    for number in range(5):
        written(store, partial(made, name=f"over {number}", starts=number, state=("over", "empty")[number % 2]))
    written(store, partial(made, name="is on to its end", starts=95, state="running", closed=True))
    written(store, partial(made, name="never begins", starts=96, closed=True))
    due = store.read_now(partial(round_queries.list_due_runs, now=200))
    assert [row.request.name for row, _ in due] == ["is on", "is on to its end", "begins"]
    assert due[2][1].state == "lobby" and due[2][1].round == due[2][0].id


def test_results_of_all_accounts_are_found_by_round(store: Database) -> None:
    run = written(store, first_run)
    ann = written(store, partial(entrant, name="ann"))

    async def scene() -> None:
        match = await started(store)
        await store.write(lambda connection: round_queries.update_run(connection, run, "running", match))
        sitting = (await _row(store, match)).seats
        seats = [type(sitting[0])(0, "bot", "ann", ann.account), sitting[1]]
        await store.write(partial(match_queries.save_seats, match=match, seated=seats))
        assert store.read_now(partial(round_queries.end_of_match, run=run._replace(match=match))) is None
        epoch = await store.write(partial(cluster_queries.claim, match=match, node="a", lease=60))
        ranking = outcome(Standing(0, "ann", 1, {"cells": 9}), Standing(1, "bob", 2, {"cells": 3}))
        await SqlMatchLog(store, match, epoch).append(entry(0, 1, outcome=ranking))
        assert store.read_now(partial(round_queries.end_of_match, run=run._replace(match=match))) is not None

    asyncio.run(scene())
    found = store.read_now(partial(round_queries.list_results, round=run.round))
    assert [(one.account, one.place, one.figures) for one in found] == [
        (ann.account, 1, {"cells": 9}),
        (None, 2, {"cells": 3}),
    ]


async def _row(store: Database, match: str) -> match_queries.MatchRow:
    found = await store.read(partial(match_queries.find, match=match))
    assert found is not None
    return found


def test_a_room_gets_its_next_match_once(store: Database) -> None:
    written(store, partial(room_queries.insert_room, room=RoomCreate("den", TEMPLATE)))
    assert store.read_now(lambda c: room_queries.end_of_match(c, room_queries.find_room(c, "den"))) == 0.0
    assert written(store, partial(room_queries.set_match, name="den", before=None, match="a")) is True
    assert written(store, partial(room_queries.set_match, name="den", before=None, match="b")) is False
    assert written(store, partial(room_queries.set_match, name="den", before="a", match="b")) is True
    with pytest.raises(Refused, match="already"):
        written(store, partial(room_queries.insert_room, room=RoomCreate("den", TEMPLATE)))


def test_a_match_without_a_place_is_an_orphan(store: Database) -> None:
    lost, placed, own = row(room="den"), row(room="den"), row()
    for made in (lost, placed, own):
        written(store, partial(match_queries.insert_match, row=made))
    written(store, partial(room_queries.insert_room, room=RoomCreate("den", TEMPLATE)))
    written(store, partial(room_queries.set_match, name="den", before=None, match=placed.id))
    assert store.read_now(partial(slot_queries.orphaned_matches, before=time.time() + 1)) == [lost.id]
    assert store.read_now(partial(slot_queries.orphaned_matches, before=1.0)) == []


def test_a_lease_is_held_by_one_node_until_it_is_over(store: Database) -> None:
    hold = partial(leases.acquire, name="scheduler", seconds=60)
    assert written(store, partial(hold, node="a")) is True
    assert written(store, partial(hold, node="b")) is False
    assert written(store, partial(hold, node="a")) is True
    written(store, lambda connection: connection.execute(update(leases_table).values(until=1.0)))
    assert written(store, partial(hold, node="b")) is True
    assert written(store, partial(hold, node="a")) is False
    written(store, partial(leases.release, name="scheduler", node="b"))
    assert written(store, partial(hold, node="a")) is True


def test_a_job_is_settled_once(store: Database) -> None:
    for node in ("a", "b"):
        written(store, partial(job_queries.mark_finished, match="m", name="daily", key="daily/1", node=node, done=3))
    assert store.read_now(partial(job_queries.finished_keys, match="m")) == {"daily/1"}
    assert [one.node for one in store.read_now(job_queries.list_jobs)] == ["a"]
    assert store.read_now(partial(job_queries.finished_keys, match="n")) == frozenset()


def test_deeds_are_listed_latest_first(store: Database) -> None:
    for number in range(5):
        written(
            store,
            partial(
                audit.insert_entry,
                account="x",
                name="ann",
                token="t",
                what="mint",
                about=str(number),
                details={"n": number},
            ),
        )
    first = store.read_now(partial(audit.list_entries, limit=2))
    assert [one.details for one in first] == [{"n": 4}, {"n": 3}]
    rest = store.read_now(partial(audit.list_entries, before=first[-1].number))
    assert [one.about for one in rest] == ["2", "1", "0"]
    assert (first[0].account, first[0].name, first[0].token, first[0].what) == ("x", "ann", "t", "mint")
