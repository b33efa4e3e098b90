"""SIGKILL at every point between the close of a turn and its commit, and a disk that is full at that moment."""

import asyncio
import itertools
import shutil
from pathlib import Path

import pytest
from sqlalchemy import Connection, event

from marchland.errors import StorageUnavailable
from marchland.match import Match
from marchland.messages import Receipt
from marchland.store import Database
from tests.support.killed_turns import (
    BOT,
    NEXT_POSTS,
    PERSON,
    Aftermath,
    create,
    kill_and_restart,
    load,
    orders_of,
    post_both,
)

TWO_COMMITS, ONE_COMMIT = 0, 1
"""Turns before the one that is killed: only the first turn after a load has a commit of its own for the close."""


async def _create(path: Path) -> None:
    with Database(str(path)) as store:
        await create(store)


async def _digest_of_a_clean_run(path: Path, turns_before: int) -> str:
    with Database(str(path)) as store:
        await create(store)
        match = await load(store)
        for _ in range(turns_before + 1):
            await post_both(match)
            await match.end_turn()
        return match.game.digest()


def _kill_everywhere(folder: Path, turns_before: int) -> list[Aftermath]:
    """One aftermath for each point, the last one of a process that survived."""
    asyncio.run(_create(folder / "first.db"))
    found: list[Aftermath] = []
    for fatal in itertools.count():
        here = folder / str(fatal)
        here.mkdir()
        shutil.copy(folder / "first.db", here / "march.db")
        found.append(kill_and_restart(str(here / "march.db"), here, turns_before, fatal))
        if found[-1].has_survived:
            return found
    raise AssertionError


@pytest.fixture(scope="module", params=[TWO_COMMITS, ONE_COMMIT], ids=["two commits", "one commit"])
def killed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[int, list[Aftermath]]:
    return request.param, _kill_everywhere(tmp_path_factory.mktemp("killed"), request.param)


def test_a_turn_that_was_killed_resolves_to_the_digest_of_a_clean_run(
    killed: tuple[int, list[Aftermath]], tmp_path: Path
) -> None:
    turns_before, found = killed
    clean = asyncio.run(_digest_of_a_clean_run(tmp_path / "clean.db", turns_before))
    assert [one.digest for one in found] == [clean] * len(found)


def test_acknowledged_posts_for_the_next_turn_survive_every_kill(killed: tuple[int, list[Aftermath]]) -> None:
    _, found = killed
    assert [one.stored for one in found] == [one.acknowledged for one in found]
    assert {len(one.acknowledged) for one in found} >= {0, NEXT_POSTS}  # those between may be committed together


def test_kills_left_the_turn_open_and_closed_and_played(killed: tuple[int, list[Aftermath]]) -> None:
    turns_before, found = killed
    states = {(one.was_closed, one.was_played) for one in found}
    between = {(True, False)} if turns_before == TWO_COMMITS else set()
    assert states == {(False, False), (True, True)} | between


def test_a_bots_orders_are_stored_once_whatever_was_killed(killed: tuple[int, list[Aftermath]]) -> None:
    _, found = killed
    assert all(one.bot_orders > 0 for one in found)
    assert {one.bot_rows for one in found} == {0}


def test_in_one_commit_nothing_for_the_next_turn_is_acknowledged_before_it(
    killed: tuple[int, list[Aftermath]],
) -> None:
    turns_before, found = killed
    assert turns_before == TWO_COMMITS or all(one.was_played for one in found if one.acknowledged)


def test_a_full_disk_at_the_commit_of_a_turn_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    async def post_much(match: Match) -> Receipt:
        """Orders whose entry needs new pages."""
        match.set_bot_orders(BOT, orders_of(match, BOT) * 500, match.open_turn)
        return await match.post(PERSON, orders_of(match, PERSON) * 500, "much", turn=match.open_turn)

    async def play(store: Database) -> Match:
        """A match whose next turn ends in one commit."""
        await create(store)
        match = await load(store)
        await post_both(match)
        await match.end_turn()
        return match

    async def scene() -> None:
        with Database(str(tmp_path / "clean.db")) as store:
            clean = await play(store)
            await post_much(clean)
            await clean.end_turn()
        with Database(str(tmp_path / "full.db")) as store:
            limit = _PageLimit(store)
            match = await play(store)
            receipt = await post_much(match)
            limit.forbid_growth()
            with pytest.raises(StorageUnavailable):
                await match.end_turn()
            limit.lift()
            again = await load(store)
            assert (again.game.turn, again.open_turn) == (receipt.turn, receipt.turn)
            assert await post_much(again) == receipt
            await again.end_turn()
            assert again.game.digest() == clean.game.digest()

    asyncio.run(scene())


class _PageLimit:
    """Limits the size of a database file, as a full disk does."""

    def __init__(self, store: Database) -> None:
        self._store = store
        self._pages = 1 << 30
        event.listen(store.engine, "begin", self._apply)

    def _apply(self, connection: Connection) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count={self._pages}")

    def forbid_growth(self) -> None:
        """Allow no page more than there are."""
        self._pages = self._store.read_now(
            lambda connection: connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        )

    def lift(self) -> None:
        """Allow growth again."""
        self._pages = 1 << 30
