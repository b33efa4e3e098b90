"""A server that is killed again and again while matches are played and items burned, and checks of what is left."""

import asyncio
import datetime
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, select

import marchland
from marchland.core.orders import HOST_PLAYER
from marchland.match import Entry
from marchland.match.history import apply_entry
from marchland.match.orders import merge_posts
from marchland.messages import ActResult, Every, MatchCreate, SeatRequest
from marchland.store import Database
from marchland.store.match_log import entries_from, posts_of, receipt_of
from marchland.store.schema import holds, items
from marchland.store.snapshots import earliest
from tests.support.api import Api, until
from tests.support.crash_clients import Spender, Witness
from tests.support.server import ADMIN, Served

MATCHES, SEASON_GAMES, SEATS = 6, 2, 2
CONFIG = {"width": 12, "height": 12, "max_turn": 1_000_000, "early_end": False}


class Aftermath(NamedTuple):
    """What is left of a server that was killed ``kills`` times, and what was promised meanwhile."""

    kills: int
    items: int
    store: Database
    witnesses: list[Witness]
    spenders: list[Spender]


@contextmanager
def crash_repeatedly(folder: Path, kills: int) -> Iterator[Aftermath]:
    """Play on a server in a folder while it is killed that many times; yields what is left."""
    items = 20 + 4 * kills  # of each player; a game learns of each by five entries of its log
    served = Served(folder, "--rate", "100000", "--rate-address", "100000")
    try:
        with Api(served, ADMIN) as admin:
            spenders = _spenders(served, admin, items)
            witnesses = _witnesses(served)
            asyncio.run(_through_crashes(served, witnesses, spenders, kills))
            accounts = {one.account for one in spenders}
            until(lambda: not any("held" in states for states in _states(admin, accounts)))
    finally:
        served.stop()
    with Database(str(served.database)) as store:
        yield Aftermath(kills, items, store, witnesses, spenders)


def _witnesses(served: Served) -> list[Witness]:
    with served.admin() as admin:
        body = MatchCreate("colorfight", [SeatRequest()] * SEATS, config=CONFIG, clock=Every(0.2))
        matches = [admin.create(body).id for _ in range(MATCHES)]
        for match in matches:
            for seat in range(SEATS):
                admin.join(match, seat=seat)
    return [Witness(served, match, seat) for match in matches for seat in range(SEATS)]


def _spenders(served: Served, admin: Api, items: int) -> list[Spender]:
    """Two players meet in two games of a season, so that each item may be used in either, once."""
    facts = {"modifiers": {"attack": 1}, "turns": 3}
    boost = admin.post("/ledger/templates", game="boidvoid", name="spark", kind="boost", facts=facts)["id"]
    players = [admin.new_account(name) for name in ("ann", "bob")]
    minted = [admin.post("/ledger/mint", template=boost, owner=one.account, amount=items) for one in players]
    today = datetime.datetime.now(datetime.UTC).date()
    admin.post("/seasons", name="now", start=str(today), end=str(today + datetime.timedelta(days=30)))
    teams = [{"name": one.name, "members": [{"account": one.account, "role": "leader"}]} for one in players]
    body = {"game": "boidvoid", "seats": [{}], "rules": "season", "clock": {"kind": "every", "seconds": 1.5}}
    found = []
    for number in range(SEASON_GAMES):
        made = admin.post("/seasons/now/games", name=f"void {number}", template=body, teams=teams)
        match = until(lambda: admin.get(f"/season-games/{made['id']}")["match"])  # noqa: B023 - asked at once
        until(lambda: _is_reported(admin, match))  # noqa: B023
        for seat, (one, own) in enumerate(zip(players, minted, strict=True)):
            ids = [item["id"] for item in own]
            found.append(Spender(served, match, seat, one, ids, by_http=seat == number))
    for one in players:
        one.close()
    return found


def _is_reported(admin: Api, match: str) -> bool:
    """Whether the game knows who owns what."""
    return any(job["name"] == "daily_maintenance" for job in admin.get("/jobs", match=match))


def _states(admin: Api, accounts: set[str]) -> list[set[str]]:
    return [{item["state"] for item in admin.get(f"/ledger/albums/{one}")["items"]} for one in accounts]


async def _through_crashes(served: Served, witnesses: list[Witness], spenders: list[Spender], kills: int) -> None:
    dice = random.Random(20)
    everybody: list[Witness | Spender] = [*witnesses, *spenders]
    playing = [asyncio.create_task(one.play()) for one in everybody]
    for _ in range(kills):
        await _all_are_served(everybody)
        await asyncio.sleep(dice.random() * 0.5)  # any moment will do
        served.kill()
        await asyncio.to_thread(served.start)
    await _all_are_served(everybody)
    for task in playing:
        assert not task.done(), task.exception()
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)


async def _all_are_served(everybody: list[Witness | Spender]) -> None:
    """Every seat was promised something since: the clients have come back by themselves, and the matches go on."""
    before = [one.promises for one in everybody]
    async with asyncio.timeout(150):
        while any(one.promises == count for one, count in zip(everybody, before, strict=True)):
            await asyncio.sleep(0.01)


def check_receipts(aftermath: Aftermath) -> None:
    """Every acknowledged order is in the turn that its receipt names."""
    with aftermath.store.engine.connect() as connection:
        for one in aftermath.witnesses:
            assert len(one.receipts) > aftermath.kills
            for key, receipt in one.receipts.items():
                turn = receipt.turn
                assert receipt_of(connection, one.match, one.seat, key, turn, turn) == receipt


def check_turns(aftermath: Aftermath) -> None:
    """Every turn was played once and has the digest of a clean run."""
    with aftermath.store.engine.connect() as connection:
        witnessed = {one.match for one in aftermath.witnesses}
        for match in witnessed | {one.match for one in aftermath.spenders}:
            began = earliest(connection, match)
            entries = entries_from(connection, match, 0)
            assert began is not None
            turns = [entry.turn for entry in entries if entry.kind == "turn"]
            assert turns == list(range(began.turn, began.turn + len(turns)))
            # A seat's receipts are of different turns, one in each life; BoidVoid's turns may outlast a life.
            assert len(turns) >= (aftermath.kills if match in witnessed else 1)
            game = marchland.restore(began.data)
            for entry in entries:
                if entry.kind == "turn":
                    game.step(merge_posts(type(game), posts_of(connection, match, entry.turn)))
                elif entry.seat == HOST_PLAYER:  # its answer does not repeat the orders
                    apply_entry(game, entry)
                else:
                    game.act(entry.seat, _answer_in(entry).result.order)
                assert game.digest() == entry.digest


def check_orders(aftermath: Aftermath) -> None:
    """Acknowledged orders took part in their turn."""
    for one in aftermath.witnesses:
        with aftermath.store.engine.connect() as connection:
            played = {entry.turn: entry for entry in entries_from(connection, one.match, 0)}
        for receipt in one.receipts.values():
            if receipt.turn in played:  # the last turn was still open
                assert int((played[receipt.turn].decode_orders().table[0] == one.seat).sum()) == receipt.orders


def check_actions(aftermath: Aftermath) -> None:
    """Every acknowledged action was executed once and in its order."""
    with aftermath.store.engine.connect() as connection:
        for one in aftermath.spenders:
            assert len(one.done) > aftermath.kills
            entries = entries_from(connection, one.match, 0)
            stored = [(entry.key, _answer_in(entry)) for entry in entries if entry.seat == one.seat]
            assert [pair for pair in stored if pair[0] in one.done] == list(one.done.items())
            assert not {key for key, _ in stored} & set(one.refused)


def check_numbers(aftermath: Aftermath) -> None:
    """Actions are numbered without a gap."""
    with aftermath.store.engine.connect() as connection:
        for match in {one.match for one in aftermath.spenders}:
            entries = entries_from(connection, match, 0)
            assert [entry.index for entry in entries] == list(range(len(entries)))
            numbers: Counter[int] = Counter()
            for entry in entries:
                if entry.kind == "act":
                    numbers[entry.turn] += 1
                    assert entry.seq == numbers[entry.turn]


def check_items(aftermath: Aftermath) -> None:
    """Every item was burned once by an action that counts, or is still there."""
    with aftermath.store.engine.connect() as connection:
        burned: list[tuple[str, int]] = []
        used: list[tuple[str, int]] = []
        for match in {one.match for one in aftermath.spenders}:
            for seat, order in _executed_actions(connection, match):
                if seat == HOST_PLAYER and order["do"] == "burned":
                    used.append((match, order["nft"]))
                elif seat != HOST_PLAYER and order["do"] == "boost":
                    burned.append((match, order["nft"]))
        assert sorted(used) == sorted(burned)
        spent = [item for _, item in burned]
        assert len(spent) == len(set(spent)) > aftermath.kills
        stored = {row.id: row.state for row in connection.execute(select(items.c.id, items.c.state))}
        assert len(stored) == SEATS * aftermath.items
        assert {item for item, state in stored.items() if state == "spent"} == set(spent)
        assert {item for item, state in stored.items() if state == "free"} == set(stored) - set(spent)


def _executed_actions(connection: Connection, match: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Seat and order of every immediate action in a match's log, also of those that the host sent together."""
    began = earliest(connection, match)
    assert began is not None
    game = marchland.restore(began.data)
    for entry in entries_from(connection, match, 0):
        report = apply_entry(game, entry)
        if entry.kind == "act" and report is not None:
            yield from ((entry.seat, result.order) for result in report.results[entry.seat] if result.ok)


def check_refusals(aftermath: Aftermath) -> None:
    """Refused actions cost nothing."""
    with aftermath.store.engine.connect() as connection:
        reasons = {reason for one in aftermath.spenders for reason in one.refused.values()}
        assert {"not_free", "OTHER_TEAM"} <= reasons
        for one in aftermath.spenders:
            assert not _holds(connection, one) & set(one.refused)
            burned = {key for key, acted in one.done.items() if acted.result.order["do"] == "boost"}
            assert burned <= _holds(connection, one)


def _holds(connection: Connection, one: Spender) -> set[str]:
    """The keys of a seat's actions for which an item was set aside or spent."""
    query = select(holds.c.key).where(holds.c.match == one.match, holds.c.seat == one.seat)
    return set(connection.execute(query).scalars())


def _answer_in(entry: Entry) -> ActResult:
    return msgspec.json.decode(entry.answer, type=ActResult)


def check_database(aftermath: Aftermath) -> None:
    """The file passes SQLite's integrity check."""
    with aftermath.store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"


Check = Callable[[Aftermath], None]
CHECKS: tuple[Check, ...] = (
    check_receipts,
    check_turns,
    check_orders,
    check_actions,
    check_numbers,
    check_items,
    check_refusals,
    check_database,
)
