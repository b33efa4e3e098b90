"""Hive games by name and token: made, joined, looked at and played."""

import contextlib
import secrets
import time
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Connection

from marchland.errors import MapError, MarchlandError, Refused
from marchland.games.hive.bots import BOTS
from marchland.games.hive.maps import mapfile
from marchland.match import Match
from marchland.messages import Every, NewMatch, SeatInfo, SeatWish
from marchland.server.matches import queries as match_queries
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.queries import MatchRow
from marchland.server.matches.service import MatchService
from marchland.server.matches.setup import Also, unique_name
from marchland.server.wire import queries as wire_queries
from marchland.server.wire.hive.game_names import new_name
from marchland.server.wire.queries import WirePlayer
from marchland.store.ids import hash_token

WIRE = "hive"
EDITIONS = ("2025", "seed")
TURN, FIRST_TURN = 2.0, 0.2
"""Seconds; the known example agents never play turn 0."""
_WAITED_FOR = 300.0  # seconds in which a game must find its players
_MOST_UNFINISHED = 500
_LONGEST_NAME = 40
_MOST_KNOWN = 1000


class Complaint(MarchlandError):  # noqa: N818 - it says what happened
    """Something is wrong with a request: the status and the text that the wire has for it."""

    def __init__(self, text: str, status: int = 400) -> None:
        super().__init__(text)
        self.status = status


class Tokens(NamedTuple):
    """A game's match, and whom each token speaks for: a seat, or nobody but all-seeing."""

    match: str
    seats: dict[bytes, int | None]


class Games:
    """The wire's games, all of them ordinary matches."""

    def __init__(self, manager: MatchManager, service: MatchService) -> None:
        self.manager = manager
        self.store = manager.store
        self._service = service
        self._known: dict[str, Tokens] = {}

    async def create(self, map: str, players: str, edition: str, bots: str) -> dict[str, Any]:
        """A new game that waits for its players; the last of them may be built-in ``bots``."""
        if map not in mapfile.MAPS.names():
            raise Complaint(f"Map not found: {map}")
        if edition not in EDITIONS:
            raise Complaint(f"Invalid edition: {edition}")
        if players not in map_players(map):
            raise Complaint(f"Invalid number of players: {players}")
        listed = [bot for bot in bots.split(",") if bot]
        if len(listed) >= int(players) or not set(listed) <= set(BOTS):
            raise Complaint(f"Invalid bots: {bots}")
        unfinished = await self.store.read(partial(wire_queries.unfinished, wire=WIRE))
        if unfinished >= _MOST_UNFINISHED:
            raise Complaint("Too many games have not ended yet")
        row = await self._service.create(_wish(map, int(players), edition, listed), None)
        token = secrets.token_urlsafe(16)
        name = await self._named(row.id, hash_token(token))
        return about(name, row) | {"adminToken": token}

    async def _named(self, match: str, secret: bytes) -> str:
        while True:
            name = new_name()
            with contextlib.suppress(Refused):  # it is taken: draw another
                await self.store.write(partial(wire_queries.add_game, match=match, wire=WIRE, name=name, secret=secret))
                return name

    async def join(self, game: str, name: str) -> dict[str, Any]:
        """A seat for a new player: its number, and the token that speaks for it. The last one starts the game."""
        match = (await self._tokens(game)).match
        if not 1 <= len(name) <= _LONGEST_NAME or not name.isprintable():
            raise Complaint("Invalid name")
        token = secrets.token_urlsafe(16)

        def keep(connection: Connection, seat: SeatInfo) -> None:
            wire_queries.keep_player(connection, match, WirePlayer(seat.seat, seat.seat, hash_token(token)))

        try:
            seat = await self._seated(match, name, keep)
        except MarchlandError:  # nobody joins a game that runs
            raise Complaint("Game is full") from None
        return {"id": seat.seat, "token": token}

    async def _seated(self, match: str, name: str, keep: Also) -> SeatInfo:
        """A seat; who comes by a name that is taken gets a number after it, since agents play against themselves."""
        while True:
            taken = {seat.name for seat in (await self._service.row(match)).seats}
            try:
                return await self._service.seating.sit(match, unique_name(name, taken, _LONGEST_NAME), keep)
            except Refused as problem:
                if problem.error != "name_taken":  # else another one like it was quicker
                    raise

    async def match(self, game: str) -> str:
        """The match behind a game's id."""
        return (await self._tokens(game)).match

    async def entered(self, game: str, token: str) -> tuple[Match, int | None]:
        """The running match, and the seat for which a token speaks: None for who sees all."""
        known, secret = await self._tokens(game), hash_token(token)
        if secret not in known.seats:
            raise Complaint("Invalid token", 403)
        try:
            match = await self.manager.match(known.match)
        except Refused:
            raise Complaint("Game has not started") from None
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        self._known[game] = known
        return match, known.seats[secret]

    async def _tokens(self, game: str) -> Tokens:
        if game in self._known:
            return self._known[game]
        found = None
        if game.isascii() and game.isprintable():  # a database may take no others
            found = await self.store.read(partial(wire_queries.game, wire=WIRE, name=game))
        if found is None:
            raise Complaint(f"Invalid game id: {game}")
        match, secret = found
        players = await self.store.read(partial(wire_queries.players, match=match))
        seats: dict[bytes, int | None] = {secret: None}
        seats |= {player.secret: player.seat for player in players if player.secret}
        return Tokens(match, seats)

    async def listed(self) -> list[tuple[str, MatchRow]]:
        """The newest games by name."""
        names = await self.store.read(partial(wire_queries.games, wire=WIRE))
        rows = await self.store.read(partial(match_queries.find_several, ids=[match for _, match in names]))
        by_id = {row.id: row for row in rows}
        return [(name, by_id[match]) for name, match in names if match in by_id]

    async def clear_away(self) -> None:
        """Remove games that nobody completes."""
        for match in await self.store.read(
            partial(wire_queries.incomplete, wire=WIRE, before=time.time() - _WAITED_FOR)
        ):
            with contextlib.suppress(Refused):
                await self._service.remove(match)

    async def finished(self, game: str) -> MatchRow:
        """A game that is over."""
        row = await self._service.row(await self.match(game))
        if row.state != "over":
            raise Complaint(f"Invalid game id: {game}")
        return row


def map_players(map: str) -> list[str]:
    """For how many players a map is."""
    found = mapfile.find(map)
    counts = []
    for count in mapfile.SLOTS:
        with contextlib.suppress(MapError):
            found.seats(count)
            counts.append(str(count))
    return counts


def about(name: str, row: MatchRow) -> dict[str, Any]:
    """A game as it is made."""
    created = datetime.fromtimestamp(row.created, UTC).isoformat(timespec="milliseconds")
    return {
        "id": name,
        "numPlayers": len(row.seats),
        "map": row.wish.map,
        "createdDate": created.replace("+00:00", "Z"),
    }


def names_of(row: MatchRow) -> list[str]:
    """Who plays, as far as somebody has joined."""
    return [name for seat in row.seats if (name := seat.name or seat.bot)]


def _wish(map: str, players: int, edition: str, bots: list[str]) -> NewMatch:
    return NewMatch(
        WIRE,
        [*[SeatWish()] * (players - len(bots)), *(SeatWish("builtin", bot) for bot in bots)],
        name=f"hive on {map}",
        rules=edition,
        map=map,
        clock=Every(TURN, first=FIRST_TURN),
    )
