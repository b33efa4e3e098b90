"""What only the owner of a match can do, asked of any node: the request travels through the database.

A node needs no way to reach the others, and a request finds the owner also if that changes meanwhile. Everything that
travels so may be asked twice and is done once: actions by their keys, joiners by their accounts, turns by their
numbers. So whoever gets no answer in time may send the same request again.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import msgspec

from marchland.errors import JoinRefusedError, MarchlandError, OwnershipLost, Refused, StorageUnavailable
from marchland.match import MatchReloading
from marchland.server.accounts.queries import new_id
from marchland.server.cluster import call_queries
from marchland.server.cluster.call_queries import BELL, Errand, bell_of
from marchland.server.cluster.notifications import Listener, wait
from marchland.store import Store

_POLL = 0.5  # seconds after which one looks without having been woken

log = logging.getLogger(__name__)

Handler = Callable[[str, Any], Awaitable[Any]]
"""Takes the match and what was asked, both plain, and does it if this node runs the match."""


class Told(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of an errand: a value, or why not."""

    value: Any = None
    problem: str = ""
    """The kind of refusal: refused, no_way_in, bad_input or unavailable."""
    error: str = ""
    sentence: str = ""


class NoAnswer(StorageUnavailable):
    """The owner was silent for too long."""


class Errands:
    """Runs errands for other nodes and sends its own; without a ``listener`` there are no other nodes."""

    def __init__(self, store: Store, node: str, listener: Listener | None, patience: float) -> None:
        self._store = store
        self._node = node
        self._listener = listener
        self._patience = patience
        """Seconds in which the owner must have answered; with the lease's length, another takes over after them."""
        self._handlers: dict[str, Handler] = {}
        self._begun: dict[str, asyncio.Task[None]] = {}

    def handle(self, what: str, handler: Handler) -> None:
        """Say who does errands of a kind on this node."""
        self._handlers[what] = handler

    async def send(self, what: str, match: str, body: Any) -> Any:
        """Have the owner of a match do something; raises what it refuses, `NoAnswer` if it is silent."""
        if self._listener is None:
            raise MatchReloading
        errand = Errand(new_id(), match, what, msgspec.json.encode(body))
        with self._listener.expecting(bell_of(errand.id)) as rung:
            await self._store.write(partial(call_queries.ask, errand=errand))
            try:
                told = await self._answer(errand.id, rung)
            finally:
                await self._store.write(partial(call_queries.forget, id=errand.id))
        return _value(told)

    async def _answer(self, id: str, rung: asyncio.Event) -> Told:
        end = time.monotonic() + self._patience
        while (left := end - time.monotonic()) > 0:
            await wait(rung, min(left, _POLL))
            told = await self._store.read(partial(call_queries.answered, id=id))
            if told is not None:
                return msgspec.json.decode(told, type=Told)
        raise NoAnswer("The node that runs this match does not answer; send the same request again.")

    async def run(self) -> None:
        """Do whatever is asked of the matches that this node owns, for ever."""
        if self._listener is None:
            return
        with self._listener.expecting(BELL) as rung:
            while True:
                try:
                    for errand in await self._store.read(partial(call_queries.waiting, node=self._node)):
                        if errand.id not in self._begun:
                            self._begun[errand.id] = asyncio.create_task(self._do(errand))
                except StorageUnavailable as problem:
                    log.error("errands wait for the database", extra={"why": str(problem)})
                await wait(rung, _POLL)

    async def close(self) -> None:
        """Stop what has begun."""
        tasks = list(self._begun.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _do(self, errand: Errand) -> None:
        try:
            told = await self._told(errand)
            await self._store.write(partial(call_queries.answer, id=errand.id, told=msgspec.json.encode(told)))
        except (
            StorageUnavailable,
            OwnershipLost,
        ):  # whoever owns the match next does it, or nobody and it is asked again
            await asyncio.sleep(_POLL)
        finally:
            self._begun.pop(errand.id, None)

    async def _told(self, errand: Errand) -> Told:
        try:
            return Told(await self._handlers[errand.what](errand.match, msgspec.json.decode(errand.body)))
        except Refused as problem:
            return Told(problem="refused", error=problem.error, sentence=str(problem))
        except JoinRefusedError as problem:
            return Told(problem="no_way_in", sentence=str(problem))
        except MarchlandError as problem:
            return Told(problem="bad_input", sentence=str(problem))
        except (StorageUnavailable, OwnershipLost):
            raise
        except Exception:
            log.exception("an errand failed", extra={"match": errand.match, "what": errand.what})
            return Told(problem="refused", error="unexpected", sentence="The node that runs this match failed at it.")


def _value(told: Told) -> Any:
    if told.problem == "refused":
        raise Refused(told.error, told.sentence)
    if told.problem == "no_way_in":
        raise JoinRefusedError(told.sentence)
    if told.problem == "bad_input":
        raise MarchlandError(told.sentence)
    return told.value
