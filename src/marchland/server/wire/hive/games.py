"""Hive's games by name and token: create, join, authorise, list and delete them."""

import contextlib
import secrets
import time
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection

from marchland.errors import MapError, MarchlandError, Refused
from marchland.games.hive.bots import BOTS
from marchland.games.hive.maps import mapfile
from marchland.match import Match
from marchland.messages import Every, MatchCreate, SeatInfo, SeatRequest
from marchland.messages.names import MAX_NAME_LENGTH, BadNameError, clean_name
from marchland.server.http.addresses import limit_key
from marchland.server.http.auth import Caller
from marchland.server.http.rate_limit import RateLimited, TokenBuckets
from marchland.server.maps import queries as map_queries
from marchland.server.matches import queries as match_queries
from marchland.server.matches.admission import check_guest
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.queries import MatchRow
from marchland.server.matches.service import MatchService
from marchland.server.matches.setup import SeatWrite, unique_name
from marchland.server.wire import queries as wire_queries
from marchland.server.wire.hive.game_names import random_name
from marchland.server.wire.queries import WirePlayer
from marchland.store.ids import hash_token

GAME = "hive"
EDITIONS = ("2025", "seed")
TURN, FIRST_TURN = 2.0, 0.2
"""Seconds; the known example agents never play turn 0, so it is short."""
LEAST_TURN = 0.5
"""Seconds that a turn lasts at least, as on the public server, unless the server has another setting."""
_TITLE = "hive on "
"""Before the name of the map in the name of a match."""
_UNFILLED_LIFETIME = 300.0  # seconds in which a game must find its players
_MAX_UNFINISHED = 500
_TOKEN_CACHE_LIMIT = 1000
_REQUESTS_A_TURN = 10
"""Requests of one token in the shortest turn: agents make two, and leave the game at any status but 200."""
_CREATE_SHARE, _CREATE_BURST = 0.001, 20
"""The share of an address's request rate for new games, and how many at once: creating a game needs no account."""


class HiveError(MarchlandError):
    """A refused request, with the status and the text of the protocol."""

    def __init__(self, text: str, status: int = 400) -> None:
        super().__init__(text)
        self.status = status


class Tokens(NamedTuple):
    """A game's match, and the seat of each token hash; None for the admin token, which sees everything."""

    match: str
    creator: str | None
    seats: dict[bytes, int | None]


class GameService:
    """The wire's games; each is an ordinary match with a name and tokens."""

    def __init__(self, manager: MatchManager, service: MatchService) -> None:
        self._manager = manager
        self._store = manager.store
        self._service = service
        self._token_cache: dict[str, Tokens] = {}
        pace = manager.settings.wire_turn or LEAST_TURN
        self._clock = Every(TURN, first=FIRST_TURN, least=pace)
        self._buckets = TokenBuckets(max(manager.settings.rate, _REQUESTS_A_TURN / pace))
        self._create_buckets = TokenBuckets(_CREATE_SHARE * manager.settings.rate_address, _CREATE_BURST)

    def limit_creation(self, address: str) -> None:
        """Refuse an address that creates games too fast."""
        if waiting := self._create_buckets.take(limit_key(address)):
            raise RateLimited(waiting)

    async def create(self, map: str, players: str, edition: str, bots: str, caller: Caller | None) -> dict[str, Any]:
        """Create a game that waits for players; built-in ``bots`` take its last seats."""
        check_guest(self._manager.settings, has_account=caller is not None)
        content = await self._load_map(map)
        if edition not in EDITIONS:
            raise HiveError(f"Invalid edition: {edition}")
        if players not in map_players(content):
            raise HiveError(f"Invalid number of players: {players}")
        bot_names = [bot for bot in bots.split(",") if bot]
        if len(bot_names) >= int(players) or not set(bot_names) <= set(BOTS):
            raise HiveError(f"Invalid bots: {bots}")
        unfinished = await self._store.read(partial(wire_queries.count_unfinished_games, wire=GAME))
        if unfinished >= _MAX_UNFINISHED:
            raise HiveError("Too many games have not ended yet")
        request = _match_request(map, content, int(players), edition, bot_names)
        row = await self._service.create(msgspec.structs.replace(request, clock=self._clock), caller)
        token = secrets.token_urlsafe(16)
        name = await self._insert_with_name(row.id, hash_token(token))
        return describe(name, row) | {"adminToken": token}

    async def _load_map(self, name: str) -> str:
        """What a match request calls the map: the name of one that comes with the game, or the text of a saved one."""
        if name in mapfile.MAPS.names():
            return name
        found = None
        if name.isprintable():  # PostgreSQL rejects NUL
            found = await self._store.read(partial(map_queries.find_by_name, game=GAME, name=name))
        if found is None:
            raise HiveError(f"Map not found: {name}")
        text: str = await self._store.read(partial(map_queries.load_content, id=found.id))
        return text

    async def _insert_with_name(self, match: str, secret: bytes) -> str:
        while True:
            name = random_name()
            with contextlib.suppress(Refused):  # the name is taken: try another
                await self._store.write(
                    partial(wire_queries.insert_game, match=match, wire=GAME, name=name, secret=secret)
                )
                return name

    async def join(self, game: str, name: str, caller: Caller | None) -> dict[str, Any]:
        """Seat a new player; its number and its token. The last player starts the game."""
        check_guest(self._manager.settings, has_account=caller is not None)
        match = (await self._tokens(game)).match
        try:
            name = clean_name(name)
        except BadNameError:
            raise HiveError("Invalid name") from None
        if not 1 <= len(name) <= MAX_NAME_LENGTH:
            raise HiveError("Invalid name")
        token = secrets.token_urlsafe(16)

        def save(connection: Connection, seat: SeatInfo) -> None:
            wire_queries.save_player(connection, match, WirePlayer(seat.seat, seat.seat, hash_token(token)))

        try:
            seat = await self._take_seat(match, name, save, caller)
        except MarchlandError:  # no seat is free, or the match was deleted
            raise HiveError("Game is full") from None
        return {"id": seat.seat, "token": token}

    async def _take_seat(self, match: str, name: str, save: SeatWrite, caller: Caller | None) -> SeatInfo:
        """Take a seat; a name that is taken gets a number, since agents play against copies of themselves."""
        while True:
            taken = {seat.name for seat in (await self._service.row(match)).seats}
            free_name = unique_name(name, taken, MAX_NAME_LENGTH)
            try:
                return await self._service.seats.assign(match, free_name, save, has_account=caller is not None)
            except Refused as problem:
                if problem.error != "name_taken":  # a concurrent join took the name: retry
                    raise

    async def match_of(self, game: str) -> str:
        """The match id of a game."""
        return (await self._tokens(game)).match

    async def authorise(self, game: str, token: str) -> tuple[Match, int | None]:
        """The running match and the seat of a token, None for the admin token; refused over the token's rate."""
        known, secret = await self._tokens(game), hash_token(token)
        if secret not in known.seats:
            raise HiveError("Invalid token", 403)
        try:
            match = await self._manager.match(known.match)
        except Refused:
            raise HiveError("Game has not started") from None
        if known.seats[secret] is None:
            self._check_admin_token(match, known.creator)
        if len(self._token_cache) > _TOKEN_CACHE_LIMIT:
            self._token_cache.clear()
        self._token_cache[game] = known
        if waiting := self._buckets.take(token):
            raise RateLimited(waiting)
        return match, known.seats[secret]

    def _check_admin_token(self, match: Match, creator: str | None) -> None:
        """Refuse the all-seeing token while its holder may have a seat: a player without an account may be anyone."""
        players = (seat for seat in match.seats if seat.kind in ("human", "bot"))
        may_play = any(seat.account in (None, creator) for seat in players)
        if may_play and not match.is_over and not self._manager.settings.creators_see_all:
            raise HiveError("Invalid token", 403)

    async def _tokens(self, game: str) -> Tokens:
        if game in self._token_cache:
            return self._token_cache[game]
        found = None
        if game.isascii() and game.isprintable():  # PostgreSQL rejects NUL
            found = await self._store.read(partial(wire_queries.find_game, wire=GAME, name=game))
        if found is None:
            raise HiveError(f"Invalid game id: {game}")
        match, secret = found
        players = await self._store.read(partial(wire_queries.list_players, match=match))
        seats: dict[bytes, int | None] = {secret: None}
        seats |= {player.secret: player.seat for player in players if player.secret}
        return Tokens(match, (await self._service.row(match)).creator, seats)

    async def list_newest(self) -> list[tuple[str, MatchRow]]:
        """The newest games with their names."""
        names = await self._store.read(partial(wire_queries.list_games, wire=GAME))
        rows = await self._store.read(partial(match_queries.find_several, ids=[match for _, match in names]))
        by_id = {row.id: row for row in rows}
        return [(name, by_id[match]) for name, match in names if match in by_id]

    async def delete_unfilled(self) -> None:
        """Delete games that have waited too long for players."""
        for match in await self._store.read(
            partial(wire_queries.list_unfilled_games, wire=GAME, before=time.time() - _UNFILLED_LIFETIME)
        ):
            with contextlib.suppress(Refused):
                await self._service.remove(match)

    async def require_finished(self, game: str) -> MatchRow:
        """A game's match; refused unless it is over."""
        row = await self._service.row(await self.match_of(game))
        if row.state != "over":
            raise HiveError(f"Invalid game id: {game}")
        return row


def map_players(map: str) -> list[str]:
    """The numbers of players that a map, by its name or its text, can be played with, as text."""
    found = mapfile.find(map)
    counts = []
    for count in mapfile.SLOTS:
        with contextlib.suppress(MapError):
            found.seats(count)
            counts.append(str(count))
    return counts


def describe(name: str, row: MatchRow) -> dict[str, Any]:
    """What the protocol says about any game."""
    created = datetime.fromtimestamp(row.created, UTC).isoformat(timespec="milliseconds")
    return {
        "id": name,
        "numPlayers": len(row.seats),
        "map": row.name.removeprefix(_TITLE),
        "createdDate": created.replace("+00:00", "Z"),
    }


def names_of(row: MatchRow) -> list[str]:
    """The names of the taken seats."""
    return [name for seat in row.seats if (name := seat.name or seat.bot)]


def _match_request(map: str, content: str, players: int, edition: str, bots: list[str]) -> MatchCreate:
    return MatchCreate(
        GAME,
        [*[SeatRequest()] * (players - len(bots)), *(SeatRequest("builtin", bot) for bot in bots)],
        name=f"{_TITLE}{map}",
        rules=edition,
        map=content,
    )
