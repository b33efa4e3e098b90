"""What a room's game channel sends: the state, encoded once for all readers, at each change and each second before."""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import cast

from sqlalchemy import Connection

from marchland.core.game import Game
from marchland.core.order_input import OrderInput
from marchland.core.report import Report
from marchland.errors import Refused, StorageUnavailable
from marchland.games.colorfight.game import Colorfight
from marchland.games.colorfight.rules.config import ColorfightConfig
from marchland.games.colorfight.wire import Room, before_start, errors_of, state_bytes
from marchland.match import Match, Post
from marchland.match.orders import merge_posts
from marchland.messages import Raw
from marchland.server.matches.queries import MatchRow
from marchland.server.wire import queries as wire_queries
from marchland.server.wire.colorfight import matches
from marchland.server.wire.colorfight.rooms import RoomDirectory, count_down, settings_of, topic_of
from marchland.server.wire.feed import FeedReader
from marchland.server.wire.queries import WirePlayer, WireRoom
from marchland.store.match_log import posts_of

_READER_LIMIT = 8
"""States that may wait for a slow reader."""


class RoomFeed:
    """One room on this node, while it has connections."""

    def __init__(self, name: str, rooms: RoomDirectory) -> None:
        self.name = name
        self.room: WireRoom | None = None
        self.connections: Counter[tuple[str, int]] = Counter()
        """How many connections each player has, by match and seat."""
        self._rooms = rooms
        self._readers: set[FeedReader[bytes]] = set()
        self._frame: bytes | None = None
        self._shown: tuple[object, ...] = ()
        """What the last frame was made of."""
        self._errors: Mapping[int, list[str]] = {}
        self._errors_of: tuple[str, int] | None = None
        """The match and turn of the errors."""
        self._players: list[WirePlayer] = []
        self._started: str | None = None
        """The match, once it has started and the numbers of its players are loaded."""
        self._chat: list[Raw] = []
        self._created: float | None = None
        """When the match was created, if it has not started."""
        self._refreshing = asyncio.Lock()

    @contextlib.contextmanager
    def subscribe(self) -> Iterator[FeedReader[bytes]]:
        """A reader that gets the current state first."""
        reader: FeedReader[bytes] = FeedReader(_READER_LIMIT)
        self._readers.add(reader)
        if self._frame is not None:
            reader.offer(self._frame)
        try:
            yield reader
        finally:
            self._readers.discard(reader)

    async def refresh(self) -> bool:
        """Load the room and publish what changed; False if there is no such room."""
        async with self._refreshing:
            room = await self._rooms.find(self.name)
            if room is not None and room.match is None:
                await self._rooms.open_match(room, settings_of(room))
                room = await self._rooms.find(self.name)
            row = None if room is None else await self._rooms.match_row(room)
            if room is None or row is None:
                for reader in self._readers:
                    reader.close()
                return False
            self.room, self._created = room, row.created if row.state == "lobby" else None
            self._players, chat = await self._rooms.store.read(partial(_load_players_and_chat, match=row.id))
            if chat != self._chat:
                self._chat, self._shown = chat, ()
            if row.state == "lobby":
                self._publish_lobby(room, row)
            elif row.state != "broken":
                await self._refresh_match(await self._rooms.manager.match(row.id))
            return True

    async def _refresh_match(self, match: Match) -> None:
        self._started = match.id
        posts: list[Post] = []
        turn = match.open_turn - 1
        if self._errors_of != (match.id, match.open_turn):  # played without readers, or on another node
            posts = await self._rooms.store.read(partial(posts_of, match=match.id, turn=turn))

        def publish(game: Game) -> None:
            if game.turn == turn + 1:
                self._set_errors(match, game, game.pack_orders(merge_posts(type(game), posts))[1])
            self._publish_state(match, game)

        await match.read(publish)

    def on_turn(self, match: Match, report: Report) -> None:
        """Publish the state after a turn, if it is of this room's match."""
        if self.room is None or not self.room.match == match.id == self._started or not self._readers:
            return
        if match.is_replica:  # only the database has the orders as they were posted
            self._rooms.manager.spawn(self.refresh())
        else:
            self._set_errors(match, match.game, report.order_input)
            self._publish_state(match, match.game)

    def _set_errors(self, match: Match, game: Game, orders: OrderInput | None) -> None:
        if self._errors_of != (match.id, game.turn):
            self._errors_of = (match.id, game.turn)
            self._errors = errors_of(cast(Colorfight, game), orders)

    @property
    def next_second(self) -> float:
        """Seconds until the countdown before a start shows another number."""
        return 1.0 if self._created is None else 1.0 - (time.time() - self._created) % 1.0

    def _publish(self, frame: bytes) -> None:
        self._frame = frame
        for reader in self._readers:
            reader.offer(frame)

    def _publish_state(self, match: Match, game: Game) -> None:
        assert self.room is not None
        shown = (match.id, game.turn, len(game.players))
        if shown == self._shown:
            return
        self._shown = shown
        verified = [seat.account is not None for seat in match.seats]
        state = self._room_state(self.room, match.id, 0, verified, len(game.players))
        errors = self._errors if self._errors_of == (match.id, game.turn) else {}
        self._publish(state_bytes(cast(Colorfight, game), state, errors))

    def _publish_lobby(self, room: WireRoom, row: MatchRow) -> None:
        seats = matches.taken_seats(row)
        left = count_down(row, settings_of(room))
        shown = (row.id, left, [(seat.seat, seat.name) for seat in seats])
        if shown == self._shown:
            return
        self._shown = shown
        names = [seat.name or seat.bot for seat in seats]
        game = before_start(ColorfightConfig.build(row.config), names, matches.map_for(row))
        verified = [seat.account is not None for seat in seats]
        state = self._room_state(room, row.id, left, verified, 0)._replace(uids=[seat.seat + 1 for seat in seats])
        self._publish(state_bytes(game, state, {}))

    def _room_state(self, room: WireRoom, match: str, left: int, verified: list[bool], seats: int) -> Room:
        settings = settings_of(room)
        return Room(
            game_id=match,
            max_player=settings.max_player,
            round_time=settings.round_time,
            start_count_down=left,
            allow_manual_mode=settings.allow_manual_mode,
            chat=self._chat,
            uids=matches.uids(self._players, seats),
            verified=verified,
        )


def _load_players_and_chat(connection: Connection, match: str) -> tuple[list[WirePlayer], list[Raw]]:
    return wire_queries.list_players(connection, match), list(map(Raw, wire_queries.chat_lines(connection, match)))


class RoomFeeds:
    """The feeds of the rooms that have connections on this node."""

    def __init__(self, rooms: RoomDirectory) -> None:
        self.changed = asyncio.Event()
        """Set when a room changed: a match may be due to start."""
        self._rooms = rooms
        self._feeds: dict[str, RoomFeed] = {}
        self._connections: Counter[str] = Counter()
        self._listening: dict[str, asyncio.Task[None]] = {}

    async def close(self) -> None:
        """Stop listening to other nodes."""
        tasks = list(self._listening.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @contextlib.contextmanager
    def connect(self, room: str) -> Iterator[RoomFeed]:
        """The room's feed, which exists from the first connection to the last."""
        feed = self._feeds.get(room)
        if feed is None:
            feed = self._feeds[room] = RoomFeed(room, self._rooms)
            self._listening[room] = asyncio.create_task(self._listen(feed))
        self._connections[room] += 1
        try:
            yield feed
        finally:
            self._connections[room] -= 1
            if not self._connections[room]:
                del self._connections[room], self._feeds[room]
                self._listening.pop(room).cancel()

    async def _listen(self, feed: RoomFeed) -> None:
        """Refresh a room's feed when another node notifies its topic."""
        with self._rooms.manager.subscribe(topic_of(feed.name)) as woken:
            while True:
                await woken.wait()
                woken.clear()
                with contextlib.suppress(Refused, StorageUnavailable):
                    await feed.refresh()

    async def refresh(self, room: str) -> None:
        """A room has changed: refresh its feed and wake the wire's loop."""
        self.changed.set()
        if room in self._feeds:
            await self._feeds[room].refresh()

    async def refresh_all(self) -> None:
        """Refresh the feed of every room with connections."""
        for feed in list(self._feeds.values()):
            with contextlib.suppress(Refused):
                await feed.refresh()

    @property
    def next_second(self) -> float:
        """Seconds until the first countdown shows another number."""
        return min((feed.next_second for feed in self._feeds.values()), default=1.0)

    def on_turn(self, match: Match, report: Report) -> None:
        """Called after each turn of each match."""
        for feed in self._feeds.values():
            feed.on_turn(match, report)

    def on_change(self, match: Match) -> None:
        """Called when the seats or the state of a match change."""
        for feed in self._feeds.values():
            if feed.room is not None and feed.room.match == match.id:
                self._rooms.manager.spawn(feed.refresh())
