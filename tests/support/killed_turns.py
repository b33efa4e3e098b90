"""A process that ends one turn and kills itself at a chosen point, and what a restart makes of its database.

A point is the moment before a statement, before a commit or after a commit of the writer's thread. Between two points
nothing changes in the database, so that a kill at any other moment leaves the same as one of these.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import event, func, select

import marchland
from marchland.match import Match
from marchland.match.views import ViewEncoder
from marchland.messages import SeatInfo, WhenReady
from marchland.server.cluster import queries as cluster_queries
from marchland.server.matches import queries as match_queries
from marchland.server.matches.loader import MatchLoader
from marchland.server.settings import Settings
from marchland.store import Database
from marchland.store.match_log import entries_from, receipt_of
from marchland.store.schema import posts
from tests.support.game_loading import loaded_games
from tests.support.match_rows import row

MATCH = "m"
PERSON, BOT = 0, 1
CONFIG = {"width": 8, "height": 8, "max_turn": 20}
SEATS = [SeatInfo(PERSON, "bot", "ann"), SeatInfo(BOT, "builtin", "bob", bot="greedy")]
FIRST_TURN = 1
NEXT_POSTS = 3
_PATIENCE = 120.0


class KillPoints:
    """Counts the points that the writer passes once it is armed, and kills this process at one of them."""

    def __init__(self, store: Database, fatal: int) -> None:
        self._fatal = fatal
        self._count = 0
        self.is_armed = False
        event.listen(store.engine, "before_cursor_execute", self._pass)
        event.listen(store.engine, "commit", self._pass)
        event.listen(store.engine, "checkin", self._pass)

    def _pass(self, *arguments: Any) -> None:
        if not self.is_armed or threading.current_thread().name != "store-writer":
            return
        if self._count == self._fatal:
            os.kill(os.getpid(), signal.SIGKILL)
        self._count += 1


class Aftermath(NamedTuple):
    """What a restart finds, and how the turn then ends."""

    has_survived: bool
    acknowledged: list[str]
    """Keys of posts for the next turn that were acknowledged before the kill."""
    stored: list[str]
    """Those of them that the database has after the restart."""
    was_closed: bool
    was_played: bool
    digest: str
    """The state after the turn."""
    bot_orders: int
    """Orders of the bot in the turn's entry."""
    bot_rows: int
    """Rows that the bot's orders still have among the posts."""


async def create(store: Database) -> None:
    """A match of a person and a built-in bot that has begun."""
    game = marchland.new("colorfight", 2, seed=1, config=CONFIG)
    made = row(id=MATCH, game=game.name, seats=SEATS)
    await store.write(lambda connection: match_queries.insert_match(connection, made))
    await store.write(lambda connection: match_queries.start(connection, MATCH, game.turn, game.snapshot(), SEATS))


async def load(store: Database) -> Match:
    """The match as a node loads it that has just started."""
    await store.write(cluster_queries.release_all)
    epoch = await store.write(lambda connection: cluster_queries.claim(connection, MATCH, "here", 60))
    ignore = lambda *arguments: None  # noqa: E731
    match = await MatchLoader(store, loaded_games(), Settings(db=""), ViewEncoder(), ignore, ignore).load(MATCH, epoch)
    match.clock.set_clock(WhenReady())
    match.clock.restart()
    return match


def orders_of(match: Match, seat: int) -> list[dict[str, Any]]:
    """Attacks on the cells around a seat's first cell: a function of the state alone."""
    board = match.game.board
    owner = match.game.observe(seat)["owner"].reshape(-1)
    own = next(cell for cell in range(board.size) if owner[cell] == seat)
    return [{"do": "attack", "at": list(board.at(cell)), "energy": 40} for cell in board.neighbours(own)]


async def post_both(match: Match) -> None:
    """What person and bot do in the open turn."""
    await match.post(PERSON, orders_of(match, PERSON), f"turn {match.open_turn}", turn=match.open_turn)
    match.set_bot_orders(BOT, orders_of(match, BOT), match.open_turn)


def end_turn_and_die(url: str, turns_before: int, fatal: int, acknowledged: str) -> None:
    """Play some turns; then end one, with posts for the next, and die at a point; the file gets acknowledged keys."""
    asyncio.run(_end_turn_and_die(Database(url), turns_before, fatal, acknowledged))


async def _end_turn_and_die(store: Database, turns_before: int, fatal: int, acknowledged: str) -> None:
    points = KillPoints(store, fatal)
    match = await load(store)
    for _ in range(turns_before):
        await post_both(match)
        await match.end_turn()
    await post_both(match)
    noted = os.open(acknowledged, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    async def post_next() -> None:
        for number in range(NEXT_POSTS):
            receipt = await match.post(PERSON, [], f"next {number}", ready=False)
            assert receipt.turn == match.open_turn
            os.write(noted, f"next {number}\n".encode())

    points.is_armed = True
    ending = asyncio.create_task(match.end_turn())
    await asyncio.sleep(0)  # the turn is closed in memory
    await asyncio.gather(ending, post_next())
    points.is_armed = False
    await asyncio.to_thread(store.close)


def kill_and_restart(url: str, folder: Path, turns_before: int, fatal: int) -> Aftermath:
    """Let a process end a turn and die; then load the match again and play that turn."""
    acknowledged = folder / "acknowledged"
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    process = context.Process(target=end_turn_and_die, args=(url, turns_before, fatal, str(acknowledged)))
    process.start()
    process.join(_PATIENCE)
    assert process.exitcode in (0, -signal.SIGKILL), process.exitcode
    keys = acknowledged.read_text().splitlines() if acknowledged.exists() else []
    return asyncio.run(_restart(url, FIRST_TURN + turns_before, keys, has_survived=process.exitcode == 0))


async def _restart(url: str, turn: int, keys: list[str], *, has_survived: bool) -> Aftermath:
    with Database(url) as store:
        match = await load(store)
        was_closed, was_played = match.open_turn > turn, match.game.turn > turn
        running = asyncio.create_task(match.run())
        if not was_closed:  # the bot is asked again; the person's orders are in the log
            match.set_bot_orders(BOT, orders_of(match, BOT), turn)
        async with asyncio.timeout(_PATIENCE):
            while match.game.turn == turn or (match.last_entry is None and not was_played):
                await asyncio.sleep(0.01)
                assert not running.done(), running.exception()
        running.cancel()
        with store.engine.connect() as connection:
            entry = next(one for one in entries_from(connection, MATCH, 0) if one.turn == turn)
            stored = [key for key in keys if receipt_of(connection, MATCH, PERSON, key, turn + 1, turn + 1)]
            bot_rows = connection.execute(select(func.count()).where(posts.c.seat == BOT)).scalar_one()
        assert {post.key for post in match.posts_of(PERSON)} >= set(keys)
        bot_orders = int((entry.decode_orders().table[0] == BOT).sum())
        return Aftermath(has_survived, keys, stored, was_closed, was_played, entry.digest, bot_orders, bot_rows)
