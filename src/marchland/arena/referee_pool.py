"""Referee processes on this machine: one match on each core, restarted when one dies."""

import contextlib
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from typing import IO, Protocol

import msgspec

from marchland.arena.play_fixture import Job, MatchSetup, PlayedMatch
from marchland.arena.referee import Verdict, read_message
from marchland.arena.worker import encode_message
from marchland.errors import MarchlandError

_LAST_WORDS = 400
_EXIT_SECONDS = 2.0

Task = tuple[Job, "Future[PlayedMatch]"]


class LostMatchError(MarchlandError):
    """A match ended without a result, by no fault of its bots."""


class Carrier(Protocol):
    """Whatever plays fixtures: processes here, or other machines."""

    @property
    def slots(self) -> int:
        """How many bundles are played at the same time."""

    def submit(self, jobs: Sequence[Job]) -> list["Future[PlayedMatch]"]:
        """Play the fixtures of one bundle in the same place; a future fails with `LostMatchError`."""

    def close(self) -> None:
        """End everything; futures that are not done stay so."""


class RefereePool:
    """The carrier on this machine."""

    def __init__(self, setup: MatchSetup, workers: int) -> None:
        self.slots = workers
        self._setup = setup
        self._tasks: queue.SimpleQueue[list[Task] | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        cores = _cores_for(workers)
        self._referees = [Referee(setup, core) for core in cores]
        self._threads = [
            threading.Thread(target=self._serve, args=(referee,), name="referee", daemon=True)
            for referee in self._referees
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pids(self) -> list[int]:
        """The processes that run now."""
        return [pid for referee in self._referees if (pid := referee.pid) is not None]

    def submit(self, jobs: Sequence[Job]) -> list["Future[PlayedMatch]"]:
        """Queue the fixtures of a bundle for the next free referee."""
        tasks: list[Task] = [(job, Future()) for job in jobs]
        self._tasks.put(tasks)
        return [future for _, future in tasks]

    def close(self) -> None:
        """Kill the referees."""
        self._closing.set()
        for _ in self._threads:
            self._tasks.put(None)
        for referee in self._referees:
            referee.kill()
        for thread, referee in zip(self._threads, self._referees, strict=True):
            thread.join(_EXIT_SECONDS)
            referee.close()

    def _serve(self, referee: "Referee") -> None:
        while (tasks := self._tasks.get()) is not None and not self._closing.is_set():
            for job, future in tasks:
                if self._closing.is_set():
                    return
                try:
                    played = referee.play(job)
                except LostMatchError as problem:
                    future.set_exception(problem)
                except OSError as problem:
                    future.set_exception(LostMatchError(f"A referee cannot be started: {problem.strerror}."))
                else:
                    future.set_result(played)


class Referee:
    """One process, started with its first job and again after its death."""

    def __init__(self, setup: MatchSetup, core: int | None) -> None:
        self._setup = setup
        self._core = core
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """Of the process that runs now."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def play(self, job: Job) -> PlayedMatch:
        """Play a fixture; `LostMatchError` if the process dies or cannot."""
        process = self._running()
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(encode_message(job))
            process.stdin.flush()
            body = read_message(process.stdout)
        except (OSError, ValueError):  # the pipe is broken, or was closed
            body = None
        if body is None:
            raise LostMatchError(self._describe_death(process))
        verdict = msgspec.msgpack.decode(body, type=Verdict)
        if verdict.played is None or verdict.fixture != job.fixture:
            raise LostMatchError(verdict.problem or "The referee played another match.")
        return verdict.played

    def kill(self) -> None:
        """End the process, from any thread."""
        process = self._process
        if process is not None:
            with contextlib.suppress(OSError):
                process.kill()

    def close(self) -> None:
        """End the process and close its pipes, while no other thread uses them."""
        self.kill()
        process, self._process = self._process, None
        if process is not None:
            process.wait()
            for stream in (process.stdin, process.stdout, self._log):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self.close()
        command = [sys.executable, "-m", "marchland.arena.referee", *([] if self._core is None else [str(self._core)])]
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            start_new_session=True,  # Ctrl-C is for the starter
        )
        self._process = process
        assert process.stdin is not None
        with contextlib.suppress(OSError):  # it died at once: the first job says so
            process.stdin.write(encode_message(self._setup))
            process.stdin.flush()
        return process

    def _describe_death(self, process: subprocess.Popen[bytes]) -> str:
        code = process.wait()
        how = f"with exit code {code}" if code >= 0 else f"by signal {-code}"
        return f"The referee ended {how}{self._last_words()}."

    def _last_words(self) -> str:
        if self._log is None or self._log.closed:
            return ""
        size = self._log.seek(0, os.SEEK_END)
        self._log.seek(max(size - _LAST_WORDS, 0))
        lines = self._log.read().decode(errors="replace").strip().splitlines()
        return f": {lines[-1]}" if lines else ""


def _cores_for(workers: int) -> list[int | None]:
    """A core for each referee, if there are enough; else the system places them."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    return list(cores[:workers]) if len(cores) >= workers else [None] * workers
