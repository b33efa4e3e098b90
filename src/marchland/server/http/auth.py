"""Who asks, and whether he may."""

import asyncio
import contextlib
import math
import time
from collections import OrderedDict
from collections.abc import Iterator
from functools import partial
from typing import Any

import msgspec
from litestar.connection import ASGIConnection
from litestar.types import ASGIApp, Receive, Scope, Send

from marchland.errors import Refused, StorageUnavailable
from marchland.match import Subscription
from marchland.messages import AccountInfo, Problem, Role
from marchland.server.accounts import queries as account_queries
from marchland.server.http.errors import send_refusal
from marchland.server.http.rate_limit import Buckets, TooMany
from marchland.server.settings import Settings
from marchland.store import Store

_FRESH = 30.0  # seconds for which a token's account is believed without asking the database again
_MOST_KNOWN = 10_000
_RANK: dict[Role, int] = {"player": 0, "organiser": 1, "admin": 2}


class Caller(msgspec.Struct, frozen=True):
    """An account that asks, and the token it came with."""

    account: AccountInfo
    token: str

    @property
    def id(self) -> str:
        """The account's id."""
        return self.account.id

    def may(self, role: Role) -> bool:
        """Whether the account has that role or a higher one."""
        return _RANK[self.account.role] >= _RANK[role]


class Doorkeeper:
    """Knows tokens and counts requests."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._between_looks = settings.lease
        self._known: OrderedDict[bytes, tuple[Caller, float]] = OrderedDict()
        self._forgot = -math.inf
        self._by_token = Buckets(settings.rate)
        self._by_address = Buckets(settings.rate_address)
        self._readers: dict[str, set[Subscription]] = {}
        self.in_rounds = Buckets(settings.rate_round)
        self.at_maps = Buckets(settings.rate / 4, settings.rate)

    async def caller(self, token: str) -> Caller | None:
        """Whose token it is."""
        key = account_queries.hashed(token)
        known = self._known.get(key)
        if known is not None and time.monotonic() - known[1] < _FRESH:
            return known[0]
        asked = time.monotonic()
        found = await self._store.read(lambda connection: account_queries.of_token(connection, token))
        if found is None:
            self._known.pop(key, None)
            return None
        caller = Caller(*found)
        if asked > self._forgot:  # else it may have been revoked since this was read
            self._known[key] = (caller, asked)
        if len(self._known) > _MOST_KNOWN:
            self._known.popitem(last=False)
        return caller

    def forget(self) -> None:
        """Believe no token without asking again: a role has changed."""
        self._forgot = time.monotonic()
        self._known.clear()

    def revoke(self, token: str) -> None:
        """Believe this token no more, and send away whoever reads by it."""
        self.forget()
        for reader in self._readers.pop(token, ()):
            reader.close("revoked")

    async def watch(self) -> None:
        """Send away, for ever, whoever reads by a token that was revoked on another node."""
        while True:
            await asyncio.sleep(self._between_looks)
            read_by = set(self._readers)
            with contextlib.suppress(StorageUnavailable):
                for gone in read_by - await self._store.read(partial(account_queries.still_known, ids=read_by)):
                    self.revoke(gone)

    @contextlib.contextmanager
    def reading(self, caller: Caller | None, reader: Subscription) -> Iterator[None]:
        """Know by which token somebody reads, as long as he does."""
        if caller is None:
            yield
            return
        together = self._readers.setdefault(caller.token, set())
        together.add(reader)
        try:
            yield
        finally:
            together.discard(reader)
            if not together and self._readers.get(caller.token) is together:
                del self._readers[caller.token]

    def wait_at_door(self, address: str) -> float:
        """How long an address must wait with its next request; 0 if it may be answered."""
        return self._by_address.wait(address)

    def wait(self, caller: Caller) -> float:
        """The same for a token, by which a request or a message on an open socket came."""
        return self._by_token.wait(caller.token)


def token_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """The token of a request; browsers, which can give a WebSocket no header, name it as a protocol."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token:
        return token.strip()
    offered = connection.headers.get("sec-websocket-protocol", "").split(",")
    return next((one.strip()[7:] for one in offered if one.strip().startswith("bearer.")), None)


def gate(app: ASGIApp) -> ASGIApp:
    """Middleware that finds out who asks, and turns away whoever asks too often."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        connection: ASGIConnection[Any, Any, Any, Any] = ASGIConnection(scope)
        keeper: Doorkeeper = connection.app.state.doorkeeper
        if waiting := keeper.wait_at_door(address_of(scope)):
            await _turn_away(scope, send, TooMany(waiting))
            return
        token = token_of(connection)
        try:
            caller = None if token is None else await keeper.caller(token)
        except StorageUnavailable:
            await send_refusal(scope, send, 503, Problem("unavailable", "The database cannot be reached now."), 1)
            return
        state = scope["state"]
        state["caller"] = caller
        state["refusal"] = "bad_token" if token is not None and caller is None else None
        if caller is not None and (waiting := keeper.wait(caller)):
            await _turn_away(scope, send, TooMany(waiting))
            return
        await app(scope, receive, send)

    return answer


async def _turn_away(scope: Scope, send: Send, problem: TooMany) -> None:
    await send_refusal(scope, send, 429, Problem(problem.error, str(problem)), problem.retry)


def address_of(scope: Scope) -> str:
    """From where somebody asks."""
    client = scope["client"]
    return client[0] if client else ""


def caller_of(scope: Scope) -> Caller:
    """Who asks; refused where nobody says."""
    caller = somebody(scope)
    if caller is None:
        raise Refused("no_token", "This needs a token, sent as Authorization: Bearer <token>.")
    return caller


def somebody(scope: Scope) -> Caller | None:
    """Who asks, if anybody says; a token that is not known is refused anywhere."""
    state: dict[str, Any] = scope["state"]
    if state.get("refusal"):
        raise Refused("bad_token", "This token is not known; it may have been revoked.")
    caller: Caller | None = state.get("caller")
    return caller


def require(caller: Caller, role: Role) -> None:
    """Refuse whoever has not got that role."""
    if not caller.may(role):
        raise Refused("not_allowed", f"This needs the role {role}; yours is {caller.account.role}.")
