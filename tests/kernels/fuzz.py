"""Compare the modes on many generated programs: ``python -m tests.kernels.fuzz --programs 100000 --processes 2``.

Program number n is generated from seed n, so that a difference can be seen again with ``--show n``. A process that
crashes counts as a difference, and another takes over behind the program that it crashed on.
"""

import argparse
import faulthandler
import multiprocessing
import os
import random
import sys
import time
from multiprocessing.sharedctypes import Synchronized
from typing import Any

from tests.support.kernel_differences import FAST, FULL, find_difference
from tests.support.kernel_programs import generate_program

_REPORT_SECONDS = 30
_HANG_SECONDS = 120
"""A program that takes longer counts as a crash, and the process writes where it was."""
_LIFETIME = 1000
"""Programs after which a process is replaced: llvmlite keeps about 0.2 MB of each."""


def find_difference_of(seed: int, *, is_full: bool = False) -> str | None:
    """What the modes disagree on in the program of a seed; one in forty is compiled as for users."""
    program = generate_program(random.Random(seed))
    try:
        difference = find_difference(program, FULL if is_full or seed % 40 == 0 else FAST)
    except Exception as problem:
        difference = f"{type(problem).__name__}: {problem}"
    return None if difference is None else f"program {seed}: {difference}\n{program.source}"


def _work(first: int, step: int, end: int, is_full: bool, current: "Synchronized[int]", differences: Any) -> None:
    parent = os.getppid()
    for seed in range(first, end, step)[:_LIFETIME]:
        if os.getppid() != parent:  # it was killed
            return
        current.value = seed
        faulthandler.dump_traceback_later(_HANG_SECONDS, exit=True)
        if difference := find_difference_of(seed, is_full=is_full):
            differences.put(difference)
        faulthandler.cancel_dump_traceback_later()
        current.value = seed + step


class _Worker:
    """A process that takes every ``step``-th program, and its successors."""

    def __init__(self, first: int, step: int, end: int, is_full: bool, differences: Any) -> None:
        self._range = range(first, end, step)
        self._is_full = is_full
        self._differences = differences
        self._context = multiprocessing.get_context("spawn")
        self.current: Synchronized[int] = self._context.Value("q", first)
        self._start(first)

    def _start(self, first: int) -> None:
        arguments = first, self._range.step, self._range.stop, self._is_full, self.current, self._differences
        self._process = self._context.Process(target=_work, args=arguments, daemon=True)
        self._process.start()

    @property
    def done(self) -> int:
        """How many programs are behind it."""
        return len(range(self._range.start, self.current.value, self._range.step))

    def is_running(self) -> bool:
        """Whether it has programs left; a crash is reported and left behind."""
        self._process.join(0.1)
        if self._process.is_alive():
            return True
        if self._process.exitcode:
            self._differences.put(f"program {self.current.value}: crash, exit code {self._process.exitcode}")
            self.current.value += self._range.step
        if self.current.value >= self._range.stop:
            return False
        self._start(self.current.value)
        return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="seed of the first program")
    parser.add_argument("--full", action="store_true", help="compile every program as for users")
    parser.add_argument("--show", type=int, help="show one program and what the modes disagree on")
    options = parser.parse_args()
    if options.show is not None:
        print(generate_program(random.Random(options.show)))
        print(find_difference_of(options.show, is_full=options.full) or "no difference")
        return 0
    differences = multiprocessing.get_context("spawn").Queue()
    end = options.first + options.programs
    firsts = range(options.first, options.first + options.processes)
    workers = [_Worker(first, options.processes, end, options.full, differences) for first in firsts]
    count, start, reported = 0, time.monotonic(), 0.0
    while True:
        is_running = sum(worker.is_running() for worker in workers) > 0
        while not differences.empty():
            count += 1
            print(differences.get(), flush=True)
        seconds = time.monotonic() - start
        if not is_running or seconds - reported > _REPORT_SECONDS:
            reported = seconds
            done = sum(worker.done for worker in workers)
            print(f"{done} programs in {seconds:.0f} s, {count} differences", flush=True)
        if not is_running:
            return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
