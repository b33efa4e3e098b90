"""Posts of closed turns of a running match: in fewer bytes, and as readable as before."""

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, func, select, update

from marchland.errors import OwnershipLost
from marchland.match import Post
from marchland.server.retention.service import RetentionService
from marchland.server.settings import Settings
from marchland.store import Database, SqlMatchLog
from marchland.store.archive_writer import load_logged_posts
from marchland.store.match_log import insert_posts, posts_between, posts_of, receipt_of
from marchland.store.post_blocks import RECENT_TURNS, make_block, move_to_block
from marchland.store.schema import matches, post_blocks, posts
from tests.support.match_rows import post, started

TURNS, POSTS = 100, 8


def play(connection: Connection, match: str) -> list[Post]:
    """Posts of two seats in each turn, several in a row."""
    dice = random.Random(match)
    played = []
    for turn in range(1, TURNS + 1):
        connection.execute(update(matches).where(matches.c.id == match).values(open_turn=turn))
        made = [post(turn, f"{turn}.{n}", seat=n % 2, orders=[_attack(dice) for _ in range(4)]) for n in range(POSTS)]
        assert insert_posts(connection, [(match, one) for one in made]) == [one.receipt() for one in made]
        played += made
    connection.execute(update(matches).where(matches.c.id == match).values(open_turn=TURNS + 1))
    return played


def _attack(dice: random.Random) -> dict[str, Any]:
    return {"do": "attack", "at": [dice.randrange(30), dice.randrange(30)], "energy": dice.randrange(1, 60)}


async def compacted(store: Database) -> tuple[str, list[Post]]:
    """A running match whose old posts are in blocks, and all of its posts."""
    match = await started(store)
    played = await store.write(lambda connection: play(connection, match))
    await RetentionService(store, Settings(db="")).apply(0.0)
    return match, played


def count_rows(connection: Connection, match: str) -> int:
    return connection.execute(select(func.count()).where(posts.c.match == match)).scalar_one()


def test_only_posts_of_recent_turns_stay_in_the_table(store: Database) -> None:
    match, _ = asyncio.run(compacted(store))
    assert store.read_now(lambda connection: count_rows(connection, match)) < RECENT_TURNS * POSTS + 256


def test_every_post_of_every_turn_is_read_as_before(store: Database) -> None:
    match, played = asyncio.run(compacted(store))
    with store.engine.connect() as connection:
        for turn in range(1, TURNS + 1):
            assert posts_of(connection, match, turn) == [one for one in played if one.turn == turn]
            assert posts_of(connection, match, turn, 1) == [one for one in played if (one.turn, one.seat) == (turn, 1)]
        by_turn = posts_between(connection, match, 0, 1, TURNS + 1)
        assert [one for turn in sorted(by_turn) for one in by_turn[turn]] == [one for one in played if one.seat == 0]


def test_a_repeated_key_of_a_closed_turn_gets_its_first_receipt(store: Database) -> None:
    match, played = asyncio.run(compacted(store))
    with store.engine.connect() as connection:
        for one in played:
            assert receipt_of(connection, match, one.seat, one.key, one.turn, one.turn) == one.receipt()
    log = SqlMatchLog(store, match, -1)
    assert asyncio.run(log.receipt(played[0].seat, played[0].key, 1, TURNS)) == played[0].receipt()
    assert asyncio.run(log.add_post(played[0])) == played[0].receipt()


def test_the_archive_of_a_match_has_the_posts_of_its_blocks(store: Database) -> None:
    match, played = asyncio.run(compacted(store))
    with store.engine.connect() as connection:
        assert [row.post() for row in load_logged_posts(connection, match)] == played


def test_posts_of_closed_turns_take_a_fraction_of_their_rows(store: Database) -> None:
    match, played = asyncio.run(compacted(store))
    in_table = store.read_now(lambda connection: count_rows(connection, match))
    size = select(func.sum(func.length(post_blocks.c.data))).where(post_blocks.c.match == match)
    moved = played[: len(played) - in_table]
    with store.engine.connect() as connection:
        assert 0 < connection.execute(size).scalar_one() < 0.25 * sum(len(one.encoded) for one in moved)


def test_a_block_that_no_longer_fits_the_table_changes_nothing(tmp_path: Path) -> None:
    with Database(str(tmp_path / "posts.db")) as store:

        async def scene() -> None:
            match = await started(store)
            played = await store.write(lambda connection: play(connection, match))
            block = await store.read(lambda connection: make_block(connection, match))
            assert block is not None
            await store.write(lambda connection: move_to_block(connection, match, block))
            with pytest.raises(OwnershipLost):
                await store.write(lambda connection: move_to_block(connection, match, block))
            logged = await store.read(lambda connection: load_logged_posts(connection, match))
            assert [row.post() for row in logged] == played

        asyncio.run(scene())
