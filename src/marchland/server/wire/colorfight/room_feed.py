"""What a room tells everybody who listens: the state, encoded once for all, at every change and every second before."""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Mapping
from functools import partial
from typing import cast

from sqlalchemy import Connection

from marchland.core.game import Game
from marchland.core.order_input import OrderInput
from marchland.core.report import Report
from marchland.games.colorfight.game import Colorfight
from marchland.games.colorfight.rules.config import ColorfightConfig
from marchland.games.colorfight.wire import Room, before_start, state_bytes
from marchland.games.colorfight.wire.info import errors_of
from marchland.match import Match, Post
from marchland.match.orders import merge_posts
from marchland.messages import Raw
from marchland.server.matches.queries import MatchRow
from marchland.server.wire import queries as wire_queries
from marchland.server.wire.colorfight import matches
from marchland.server.wire.colorfight.rooms import Hall, count_down, settings_of
from marchland.server.wire.queries import WirePlayer, WireRoom
from marchland.store.match_log import posts_of

_WAITING = 8
"""States that may wait for a slow listener; the oldest make room."""


class Listener:
    """Somebody who listens, and what waits for him."""

    def __init__(self) -> None:
        self._frames: deque[bytes] = deque(maxlen=_WAITING)
        self._some = asyncio.Event()
        self._gone = False

    def offer(self, frame: bytes) -> None:
        """Send this when what came before is sent."""
        self._frames.append(frame)
        self._some.set()

    def close(self) -> None:
        """There is no more."""
        self._gone = True
        self._some.set()

    async def next(self) -> bytes | None:
        """What to send; None when the room is gone."""
        while not self._frames:
            if self._gone:
                return None
            self._some.clear()
            await self._some.wait()
        return self._frames.popleft()


class Channel:
    """One room on this node, as long as anybody is connected to it."""

    def __init__(self, name: str, hall: Hall) -> None:
        self.name = name
        self.room: WireRoom | None = None
        self.listeners: set[Listener] = set()
        self.connected: Counter[tuple[str, int]] = Counter()
        """How many connections each player has: match and seat."""
        self._hall = hall
        self._frame: bytes | None = None
        self._shown: tuple[object, ...] = ()
        self._errors: Mapping[int, list[str]] = {}
        self._errors_of: tuple[str, int] | None = None
        self._players: list[WirePlayer] = []
        self._numbered: str | None = None
        """The match that has started, and whose players' numbers are known."""
        self._chat: list[Raw] = []
        self._created: float | None = None
        """When the match was made, if it has not started."""
        self._looking = asyncio.Lock()

    def listen(self, listener: Listener) -> None:
        """Tell one more, beginning with how things stand."""
        self.listeners.add(listener)
        if self._frame is not None:
            listener.offer(self._frame)

    async def look(self) -> bool:
        """See how the room stands and tell what is new; whether there is such a room."""
        async with self._looking:
            room = await self._hall.find(self.name)
            if room is not None and room.match is None:
                await self._hall.open(room, settings_of(room))
                room = await self._hall.find(self.name)
            row = None if room is None else await self._hall.row(room)
            if room is None or row is None:
                self._close()
                return False
            self.room, self._created = room, row.created if row.state == "lobby" else None
            self._players, chat = await self._hall.store.read(partial(_read, match=row.id))
            if chat != self._chat:
                self._chat, self._shown = chat, ()
            if row.state == "lobby":
                self._tell_before_start(room, row)
            elif row.state != "broken":
                await self._look_at(await self._hall.manager.match(row.id))
            return True

    async def _look_at(self, match: Match) -> None:
        self._numbered = match.id
        posts: list[Post] = []
        turn = match.open_turn - 1
        if self._errors_of != (match.id, match.open_turn):  # played before anybody listened, or on another node
            posts = await self._hall.store.read(partial(posts_of, match=match.id, turn=turn))

        def tell(game: Game) -> None:
            if game.turn == turn + 1:
                self._note_errors(match, game, game.packed(merge_posts(type(game), posts))[1])
            self._tell(match, game)

        await match.read(tell)

    def follow(self, match: Match, report: Report) -> None:
        """A turn has been played."""
        if self.room is None or not self.room.match == match.id == self._numbered or not self.listeners:
            return
        if match.is_replica:  # the orders as they came are in the database
            self._hall.manager.spawn(self.look())
        else:
            self._note_errors(match, match.game, report._given)
            self._tell(match, match.game)

    def _note_errors(self, match: Match, game: Game, given: OrderInput | None) -> None:
        if self._errors_of != (match.id, game.turn):
            self._errors_of = (match.id, game.turn)
            self._errors = errors_of(cast(Colorfight, game), given)

    @property
    def next_second(self) -> float:
        """How long until the count before a start goes on."""
        return 1.0 if self._created is None else 1.0 - (time.time() - self._created) % 1.0

    def _close(self) -> None:
        for listener in self.listeners:
            listener.close()

    def _publish(self, frame: bytes) -> None:
        self._frame = frame
        for listener in self.listeners:
            listener.offer(frame)

    def _tell(self, match: Match, game: Game) -> None:
        assert self.room is not None
        shown = (match.id, game.turn, len(game.players))
        if shown == self._shown:
            return
        self._shown = shown
        verified = [seat.account is not None for seat in match.seats]
        state = self._state(self.room, match.id, 0, verified, len(game.players))
        errors = self._errors if self._errors_of == (match.id, game.turn) else {}
        self._publish(state_bytes(cast(Colorfight, game), state, errors))

    def _tell_before_start(self, room: WireRoom, row: MatchRow) -> None:
        seats = matches.present(row)
        left = count_down(row, settings_of(room))
        shown = (row.id, left, [(seat.seat, seat.name) for seat in seats])
        if shown == self._shown:
            return
        self._shown = shown
        names = [seat.name or seat.bot for seat in seats]
        game = before_start(ColorfightConfig.build(row.config), names, matches.map_for(row))
        verified = [seat.account is not None for seat in seats]
        state = self._state(room, row.id, left, verified, 0)._replace(uids=[seat.seat + 1 for seat in seats])
        self._publish(state_bytes(game, state, {}))

    def _state(self, room: WireRoom, match: str, left: int, verified: list[bool], seats: int) -> Room:
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


def _read(connection: Connection, match: str) -> tuple[list[WirePlayer], list[Raw]]:
    return wire_queries.players(connection, match), list(map(Raw, wire_queries.said(connection, match)))
