"""Referees on other machines, through Dask: a carrier for trusted machines that have the same bots and games.

Dask only carries: it may play a bundle twice or forget it when a worker or the scheduler dies. SQL holds the truth, and
a result counts only under its lease. Each Dask thread has a referee process of its own, so a bot that ends its referee
does not end the worker.
"""

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Final

import msgspec

from marchland import registry
from marchland.arena.entrants import Entrant, fingerprint_of
from marchland.arena.play_fixture import Job, MatchSetup, PlayedMatch
from marchland.arena.referee_pool import LostMatchError, Referee
from marchland.bots import SandboxError, check_jail
from marchland.errors import MarchlandError

if TYPE_CHECKING:
    from distributed import Client

_REACH_SECONDS: Final = 5.0
_CONNECT_SECONDS: Final = 30
_CLOSE_SECONDS: Final = 2
_COUNT_EVERY: Final = 5.0
_local = threading.local()


class ClusterCarrier:
    """Plays bundles on the workers of a Dask scheduler, as many at once as they have threads."""

    def __init__(self, setup: MatchSetup, entrants: Sequence[Entrant], address: str) -> None:
        self._address = address
        self._client = _connect(address)
        if setup.limits.sandbox == "jailed":
            self._check_jails()
        self._setup = msgspec.msgpack.encode(setup)
        self._fingerprints = {entrant.spec: entrant.fingerprint for entrant in entrants}
        self._slots, self._counted = 1, 0.0

    def _check_jails(self) -> None:
        """Refuse a cluster with a worker that can make no jail; one that joins later loses its matches."""
        with self._reporting_loss():
            found: dict[str, str] = self._client.run(describe_missing_jail)
        for worker, problem in found.items():
            if problem:
                self.close()
                raise SandboxError(f"The worker {worker} of the cluster: {problem}")

    @property
    def slots(self) -> int:
        """The threads of all workers; they may come and go."""
        if self._client.status == "closed":
            raise self._lost()
        if time.monotonic() - self._counted >= _COUNT_EVERY:
            with self._reporting_loss():
                self._slots = max(sum(self._client.nthreads().values()), 1)
            self._counted = time.monotonic()
        return self._slots

    def submit(self, jobs: Sequence[Job]) -> list["Future[PlayedMatch]"]:
        """Send a bundle to the cluster, as one task."""
        futures: list[Future[PlayedMatch]] = [Future() for _ in jobs]
        body = msgspec.msgpack.encode(list(jobs))
        with self._reporting_loss():
            task = self._client.submit(play_bundle, self._setup, body, self._fingerprints, pure=False)
            task.add_done_callback(lambda done: self._deliver(done, futures))
        return futures

    def _deliver(self, done: Any, futures: Sequence["Future[PlayedMatch]"]) -> None:
        """Resolve the futures of a bundle; in a thread of Dask, where an exception would be lost."""
        try:
            with self._reporting_loss():
                outcomes = self._outcomes(done, len(futures))
        except MarchlandError as problem:
            outcomes = [problem] * len(futures)
        for future, outcome in zip(futures, outcomes, strict=True):
            if isinstance(outcome, MarchlandError):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)

    def _outcomes(self, done: Any, count: int) -> list[PlayedMatch | MarchlandError]:
        if done.status == "finished":
            found = msgspec.msgpack.decode(done.result(), type=list[PlayedMatch | str])
            return [LostMatchError(played) if isinstance(played, str) else played for played in found]
        if done.status == "error":
            return [LostMatchError(f"The cluster lost it: {done.exception()}")] * count
        raise self._lost()

    @contextlib.contextmanager
    def _reporting_loss(self) -> Iterator[None]:
        """Without its scheduler, a client of Dask raises many things."""
        try:
            yield
        except MarchlandError:
            raise
        except (Exception, asyncio.CancelledError) as problem:
            raise self._lost() from problem

    def _lost(self) -> MarchlandError:
        return MarchlandError(f"The cluster at {self._address} is lost; the same command continues.")

    def close(self) -> None:
        """Leave the cluster; what it still plays does not count."""
        with contextlib.suppress(MarchlandError), self._reporting_loss():
            self._client.close(timeout=_CLOSE_SECONDS)


def describe_missing_jail() -> str:
    """On a worker: why it can make no jail; empty if it can."""
    try:
        check_jail()
    except SandboxError as problem:
        return str(problem)
    return ""


def play_bundle(setup: bytes, jobs: bytes, fingerprints: Mapping[str, str]) -> bytes:
    """On a worker: play the fixtures of a bundle; a sentence for each that has no result."""
    decoded = msgspec.msgpack.decode(setup, type=MatchSetup)
    kind = registry.find(decoded.game)
    found: list[PlayedMatch | str] = []
    for job in msgspec.msgpack.decode(jobs, type=list[Job]):
        try:
            for entrant in job.seating:
                spec = decoded.bots[entrant]
                if fingerprint_of(spec, kind) != fingerprints[spec]:
                    raise LostMatchError(f"The bot {spec} or its game is another one on this worker.")
            found.append(_referee_of(setup, decoded).play(job))
        except (MarchlandError, OSError) as problem:
            found.append(str(problem))
    return msgspec.msgpack.encode(found)


def _referee_of(encoded: bytes, setup: MatchSetup) -> Referee:
    """The referee of this thread; another tournament gets another one."""
    if getattr(_local, "setup", None) != encoded:
        if getattr(_local, "referee", None) is not None:
            _local.referee.close()
        _local.setup, _local.referee = encoded, Referee(setup, None)
    referee: Referee = _local.referee
    return referee


def _connect(address: str) -> "Client":
    try:
        from distributed import Client
    except ImportError:
        raise MarchlandError("--cluster needs the extra: pip install 'marchland[cluster]'") from None
    try:
        _reach(address)
        return Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as problem:
        why = str(problem).partition("\n")[0] or type(problem).__name__
        raise MarchlandError(f"There is no Dask scheduler at {address}: {why}.") from None


def _reach(address: str) -> None:
    """Fail at once where nothing listens. A client of Dask tries for its whole timeout, which a busy machine needs."""
    from distributed.comm.addressing import parse_address, parse_host_port

    scheme, location = parse_address(address)
    if scheme in ("tcp", "tls"):
        socket.create_connection(parse_host_port(location), _REACH_SECONDS).close()
