"""RPC to a match's owner node over the database; at-least-once, handlers are idempotent.

A node needs no address of the others, and a call finds the owner also if that changes meanwhile. Every call can be
repeated: actions have idempotency keys, joiners are identified by their accounts, turns by their numbers.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from marchland.errors import (
    JoinRefusedError,
    MarchlandError,
    OwnershipLost,
    OwnerTimeout,
    Refused,
    StorageUnavailable,
)
from marchland.match import MatchReloading
from marchland.server.cluster.notifications import PgListener, wait_for
from marchland.store import Database
from marchland.store.ids import new_id
from marchland.store.notify import notify
from marchland.store.schema import matches, owner_calls

_POLL = 0.5
"""Seconds between queries without a notification."""
_EXPIRY = 300.0
"""Seconds after which a call whose caller has died is deleted."""
_TOPIC = "owner calls"

log = logging.getLogger(__name__)

Handler = Callable[[str, Any], Awaitable[Any]]
"""Called with the match and the decoded body on the node that owns the match."""


class OwnerCall(NamedTuple):
    """One call: what to do for which match."""

    id: str
    match: str
    what: str
    body: bytes


class CallResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """The value of a call, or why it was refused."""

    value: Any = None
    problem: str = ""
    """The kind of refusal: refused, join_refused or bad_input."""
    error: str = ""
    sentence: str = ""
    """Or the code of the refusal, with arguments."""
    arguments: dict[str, Any] = {}


class OwnerCalls:
    """Serves calls of other nodes and sends its own; without a ``listener`` this is the only node."""

    def __init__(self, store: Database, node: str, listener: PgListener | None, timeout: float) -> None:
        self._store = store
        self._node = node
        self._listener = listener
        self._timeout = timeout
        """Seconds to wait for the owner; as long as a lease, since another node takes over after that."""
        self._handlers: dict[str, Handler] = {}
        self._running: dict[str, asyncio.Task[None]] = {}

    def register(self, what: str, handler: Handler) -> None:
        """Set the handler of one kind of call."""
        self._handlers[what] = handler

    async def call(self, what: str, match: str, body: Any) -> Any:
        """Have the owner of a match do something; raises its refusal, or `OwnerTimeout`."""
        if self._listener is None:
            raise MatchReloading
        call = OwnerCall(new_id(), match, what, msgspec.json.encode(body))
        with self._listener.subscribe(_reply_topic(call.id)) as woken:
            await self._store.write(partial(_insert_call, call=call))
            try:
                result = await self._wait_for_result(call.id, woken)
            finally:
                await self._store.write(partial(_delete_call, id=call.id))
        return _value_of(result)

    async def _wait_for_result(self, id: str, woken: asyncio.Event) -> CallResult:
        end = time.monotonic() + self._timeout
        while (left := end - time.monotonic()) > 0:
            await wait_for(woken, min(left, _POLL))
            result = await self._store.read(partial(_find_result, id=id))
            if result is not None:
                return msgspec.json.decode(result, type=CallResult)
        raise OwnerTimeout("The node that runs this match does not answer; send the same request again.")

    async def serve(self) -> None:
        """Run the calls for matches that this node owns, until cancelled."""
        if self._listener is None:
            return
        with self._listener.subscribe(_TOPIC) as woken:
            while True:
                try:
                    for call in await self._store.read(partial(_list_calls, node=self._node)):
                        if call.id not in self._running:
                            self._running[call.id] = asyncio.create_task(self._run(call))
                except StorageUnavailable as problem:
                    log.error("owner calls wait for the database", extra={"error": str(problem)})
                await wait_for(woken, _POLL)

    async def close(self) -> None:
        """Cancel running calls."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, call: OwnerCall) -> None:
        try:
            result = msgspec.json.encode(await self._result_of(call))
            await self._store.write(partial(_set_result, id=call.id, result=result))
        except (StorageUnavailable, OwnershipLost):  # the next owner runs it, or the caller repeats it
            await asyncio.sleep(_POLL)
        finally:
            self._running.pop(call.id, None)

    async def _result_of(self, call: OwnerCall) -> CallResult:
        try:
            return CallResult(await self._handlers[call.what](call.match, msgspec.json.decode(call.body)))
        except Refused as problem:
            return _refusal("refused", problem, problem.error)
        except JoinRefusedError as problem:
            return _refusal("join_refused", problem)
        except MarchlandError as problem:
            return _refusal("bad_input", problem)
        except (StorageUnavailable, OwnershipLost):
            raise
        except Exception:
            log.exception("an owner call failed", extra={"match": call.match, "what": call.what})
            return CallResult(problem="refused", error="unexpected", sentence="owner_failed")


def _refusal(kind: str, problem: MarchlandError, error: str = "") -> CallResult:
    return CallResult(None, kind, error, problem.code or str(problem), problem.arguments)


def _value_of(result: CallResult) -> Any:
    if result.problem == "refused":
        raise Refused(result.error, result.sentence, **result.arguments)
    if result.problem == "join_refused":
        raise JoinRefusedError(result.sentence, **result.arguments)
    if result.problem == "bad_input":
        raise MarchlandError(result.sentence, **result.arguments)
    return result.value


# -------------------------------------------------------------------- queries


def _insert_call(connection: Connection, call: OwnerCall) -> None:
    now = time.time()
    connection.execute(delete(owner_calls).where(owner_calls.c.at < now - _EXPIRY))
    connection.execute(insert(owner_calls).values(**call._asdict(), at=now))
    notify(connection, _TOPIC)


def _list_calls(connection: Connection, node: str) -> list[OwnerCall]:
    """Unanswered calls for the matches that ``node`` owns, the oldest first."""
    query = (
        select(owner_calls.c.id, owner_calls.c.match, owner_calls.c.what, owner_calls.c.body)
        .join(matches, matches.c.id == owner_calls.c.match)
        .where(owner_calls.c.answer.is_(None), matches.c.owner == node)
        .order_by(owner_calls.c.at)
    )
    return [OwnerCall(*row) for row in connection.execute(query)]


def _set_result(connection: Connection, id: str, result: bytes) -> None:
    connection.execute(update(owner_calls).where(owner_calls.c.id == id).values(answer=result))
    notify(connection, _reply_topic(id))


def _find_result(connection: Connection, id: str) -> bytes | None:
    return connection.execute(select(owner_calls.c.answer).where(owner_calls.c.id == id)).scalar()


def _delete_call(connection: Connection, id: str) -> None:
    """Delete a call; if it has not started, it never will."""
    connection.execute(delete(owner_calls).where(owner_calls.c.id == id))


def _reply_topic(id: str) -> str:
    return f"owner call {id}"
