"""A referee process: plays fixtures one after another, on one core.

The first message on stdin is the `MatchSetup`, each further one a `Job`; a `Verdict` for each goes out on stdout. All
are MessagePack with their length before them. The process ends with stdin, so it does not outlive a killed starter.
"""

import os
import queue
import sys
import threading
import traceback
from typing import IO

import msgspec

from marchland.arena.play_fixture import Job, MatchSetup, PlayedMatch, play_fixture
from marchland.arena.worker import encode_message


class Verdict(msgspec.Struct, frozen=True):
    """The result of a job, or why there is none."""

    fixture: str
    played: PlayedMatch | None = None
    problem: str = ""


def read_message(stream: IO[bytes]) -> bytes | None:
    """The next message; None at the end of the stream."""
    size = stream.read(4)
    if len(size) < 4:
        return None
    length = int.from_bytes(size, "big")
    body = stream.read(length)
    return body if len(body) == length else None


def main() -> None:
    """Play until stdin ends. An argument is the number of the core to run on."""
    if len(sys.argv) > 1 and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {int(sys.argv[1])})
    verdicts, sys.stdout = sys.stdout.buffer, sys.stderr  # prints of bots must not end up among the verdicts
    first = read_message(sys.stdin.buffer)
    if first is None:
        return
    setup = msgspec.msgpack.decode(first, type=MatchSetup)
    jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
    threading.Thread(target=_read_jobs, args=(sys.stdin.buffer, jobs), daemon=True).start()
    while True:
        job = jobs.get()
        try:
            verdict = Verdict(job.fixture, play_fixture(setup, job))
        except Exception as problem:
            traceback.print_exc()
            verdict = Verdict(job.fixture, problem=f"{type(problem).__name__}: {problem}")
        verdicts.write(encode_message(verdict))
        verdicts.flush()


def _read_jobs(stream: IO[bytes], jobs: "queue.SimpleQueue[Job]") -> None:
    while (body := read_message(stream)) is not None:
        jobs.put(msgspec.msgpack.decode(body, type=Job))
    os._exit(0)  # also in the middle of a match: its starter is gone


if __name__ == "__main__":
    main()
