"""Authentication: bearer tokens, their accounts and roles, and the limits that apply to them."""

import asyncio
import contextlib
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple, TypedDict

import msgspec
from sqlalchemy import Connection
from starlette.types import Scope

from marchland.errors import Refused, StorageUnavailable
from marchland.match import Subscription
from marchland.messages import AccountInfo, Role
from marchland.server.http.addresses import limit_key
from marchland.server.http.rate_limit import RateLimited, TokenBuckets
from marchland.server.settings import Settings
from marchland.store import Database
from marchland.store.ids import hash_token

_CACHE_SECONDS = 30.0
"""How long a token's account is used without a query."""
_MAX_CACHED = 10_000
_CELLS_PER_TOKEN = 1_000
"""Cells in a response that cost as much as a request."""
_BYTES_PER_TOKEN = 10_000
"""Bytes in a body that cost as much as a request."""
_TOKENS_PER_PASSWORD = 10
"""Requests that cost as much as a password that is checked."""
_RANK: dict[Role, int] = {"player": 0, "organiser": 1, "admin": 2}


class Caller(msgspec.Struct, frozen=True):
    """An authenticated account, the id of the token it used, and when that expires."""

    account: AccountInfo
    token: str
    expires: float | None = None

    @property
    def id(self) -> str:
        """The account's id."""
        return self.account.id

    def may(self, role: Role) -> bool:
        """Whether the account has that role or a higher one."""
        return _RANK[self.account.role] >= _RANK[role]


class Admission(TypedDict, total=False):
    """What `admit` of the middleware found out about a request, as ``scope["state"]``."""

    caller: Caller | None
    is_refused: bool
    """Whether the token is unknown, where the route closes its socket with a code instead of refusing the handshake."""


class TokenQueries(NamedTuple):
    """What authentication asks the database."""

    find: Callable[[Connection, str], tuple[AccountInfo, str, float | None] | None]
    """The account of a token, the token's id, and when it expires."""
    existing: Callable[..., set[str]]
    """Which of these token ids are neither revoked nor expired."""


class Authenticator:
    """Caches token lookups, applies rate limits, and ends the streams of revoked tokens."""

    def __init__(self, store: Database, settings: Settings, tokens: TokenQueries) -> None:
        self._store = store
        self._tokens = tokens
        self._poll_seconds = settings.lease
        self._cache: OrderedDict[bytes, tuple[Caller, float]] = OrderedDict()
        self._invalidated = -math.inf
        self._by_token = TokenBuckets(settings.rate)
        self._by_address = TokenBuckets(settings.rate_address)
        self._readers: dict[str, set[Subscription]] = {}
        self._new_accounts = TokenBuckets(settings.accounts_per_hour / 3600, settings.accounts_per_hour)
        self.at_maps = TokenBuckets(settings.rate / 4, settings.rate)

    async def authenticate(self, token: str) -> Caller | None:
        """The caller whose token it is."""
        key = hash_token(token)
        cached = self._cache.get(key)
        if cached is not None and time.monotonic() - cached[1] < _CACHE_SECONDS and not _has_expired(cached[0]):
            return cached[0]
        asked = time.monotonic()
        found = await self._store.read(lambda connection: self._tokens.find(connection, token))
        if found is None:
            self._cache.pop(key, None)
            return None
        caller = Caller(*found)
        if asked > self._invalidated:  # otherwise it may have been revoked since it was read
            self._cache[key] = (caller, asked)
        if len(self._cache) > _MAX_CACHED:
            self._cache.popitem(last=False)
        return caller

    def invalidate(self) -> None:
        """Empty the cache: a role has changed."""
        self._invalidated = time.monotonic()
        self._cache.clear()

    def revoke(self, token: str) -> None:
        """Empty the cache and end the streams that this token has opened."""
        self.invalidate()
        for reader in self._readers.pop(token, ()):
            reader.close("revoked")

    async def poll_revocations(self) -> None:
        """End the streams of tokens that have expired or were revoked on another node, until cancelled."""
        while True:
            await asyncio.sleep(self._poll_seconds)
            used = set(self._readers)
            if not used:
                continue
            with contextlib.suppress(StorageUnavailable):
                existing = await self._store.read(partial(self._tokens.existing, ids=used))
                for revoked in used - existing:
                    self.revoke(revoked)

    @contextlib.contextmanager
    def track_reader(self, caller: Caller | None, reader: Subscription) -> Iterator[None]:
        """Remember by which token a stream was opened, while it is open."""
        if caller is None:
            yield
            return
        readers = self._readers.setdefault(caller.token, set())
        readers.add(reader)
        try:
            yield
        finally:
            readers.discard(reader)
            if not readers and self._readers.get(caller.token) is readers:
                del self._readers[caller.token]

    def address_wait(self, address: str) -> float:
        """Seconds that an address must wait before its next request; 0 if it is within its limit."""
        return self._by_address.take(limit_key(address))

    def charge(self, scope: Scope, cells: int) -> None:
        """Charge a response for its size, to the token and to the address; refused while earlier ones are unpaid."""
        self._charge(scope, cells / _CELLS_PER_TOKEN)

    def charge_body(self, scope: Scope, size: int) -> None:
        """Charge a request for the size of its body before it is decoded; refused while earlier ones are unpaid."""
        if size > _BYTES_PER_TOKEN:
            self._charge(scope, size / _BYTES_PER_TOKEN)

    def charge_password(self, scope: Scope) -> None:
        """Charge a request for a password that is about to be checked."""
        self._charge(scope, _TOKENS_PER_PASSWORD)

    def charge_sent_view(self, scope: Scope, cells: float) -> None:
        """Charge a view that was sent on a WebSocket, into debt if need be."""
        for buckets, key in self._payers(scope):
            buckets.charge(key, cells / _CELLS_PER_TOKEN)

    def view_wait(self, scope: Scope, cells: float) -> float:
        """Seconds until the next view on a WebSocket can be paid for; 0 if it can be now."""
        return max(buckets.wait_for(key, cells / _CELLS_PER_TOKEN) for buckets, key in self._payers(scope))

    def count_new_account(self, scope: Scope) -> None:
        """Refuse more new accounts than an address may have in an hour."""
        if wait := self._new_accounts.take(limit_key(address_of(scope))):
            raise RateLimited(wait, "too_many_accounts", minutes=math.ceil(wait / 60))

    def token_wait(self, caller: Caller) -> float:
        """Seconds that a token must wait before its next request, or message on a socket."""
        return self._by_token.take(caller.token)

    def _charge(self, scope: Scope, cost: float) -> None:
        for buckets, key in self._payers(scope):
            if wait := buckets.take(key, cost=cost):
                raise RateLimited(wait)

    def _payers(self, scope: Scope) -> Iterator[tuple[TokenBuckets, str]]:
        """The buckets that pay for a response: that of the token, if there is one, and that of the address."""
        state: Admission = scope["state"]
        if (caller := state.get("caller")) is not None:
            yield self._by_token, caller.token
        yield self._by_address, limit_key(address_of(scope))


def _has_expired(caller: Caller) -> bool:
    return caller.expires is not None and caller.expires <= time.time()


def address_of(scope: Scope) -> str:
    """The client's address; behind a trusted proxy the one that the proxy reports."""
    client = scope["client"]
    return client[0] if client else ""


def token_of(scope: Scope) -> str | None:
    """The token of a request; browsers, which cannot set a WebSocket's headers, name it as a subprotocol."""
    scheme, _, token = header_of(scope, b"authorization").decode("latin-1").partition(" ")
    if scheme.lower() == "bearer" and token:
        return token.strip()
    offered = header_of(scope, b"sec-websocket-protocol").decode("latin-1").split(",")
    return next((name.strip()[7:] for name in offered if name.strip().startswith("bearer.")), None)


def header_of(scope: Scope, wanted: bytes) -> bytes:
    """The first header of that name, or nothing: for every request, so without the framework's connection object."""
    for name, value in scope["headers"]:
        if name == wanted:
            found: bytes = value
            return found
    return b""


def require_caller(scope: Scope) -> Caller:
    """The caller; refused without a token."""
    caller = caller_or_none(scope)
    if caller is None:
        raise Refused("no_token", "no_token")
    return caller


def caller_or_none(scope: Scope) -> Caller | None:
    """The caller, if there is a token; an unknown token is refused everywhere."""
    state: Admission = scope["state"]
    if state.get("is_refused"):
        raise unknown_token()
    return state.get("caller")


def unknown_token() -> Refused:
    """The refusal of a token that does not exist, or no longer."""
    return Refused("bad_token", "bad_token")


def check_role(caller: Caller, role: Role) -> None:
    """Refuse a caller without that role."""
    if not caller.may(role):
        raise Refused("not_allowed", "role_needed", role=role, own=caller.account.role)
