"""What a process and its descendants use, read from /proc."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
# Places behind the name of the program in /proc/PID/stat.
_UTIME, _STIME, _CUTIME, _CSTIME, _THREADS, _RSS = 11, 12, 13, 14, 17, 21


class Usage(NamedTuple):
    """Processor time in seconds so far, with that of descendants that have exited, and resident memory in bytes now."""

    cpu: float = 0.0
    memory: int = 0
    processes: int = 0


def measure_descendants(root: int) -> Usage:
    """What all descendants of a process use together; the root itself does not count."""
    ticks = pages = processes = 0
    for pid, fields in _walk(root):
        ticks += int(fields[_CUTIME]) + int(fields[_CSTIME])
        if pid != root:
            ticks += int(fields[_UTIME]) + int(fields[_STIME])
            pages += int(fields[_RSS])
            processes += 1
    return Usage(ticks / _TICKS, pages * _PAGE, processes)


def list_descendants(root: int) -> list[int]:
    """The numbers of all descendants of a process."""
    return [pid for pid, _ in _walk(root) if pid != root]


def _walk(root: int) -> Iterator[tuple[int, list[bytes]]]:
    """A process and its descendants, each with what /proc/PID/stat says behind the name of its program."""
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        try:
            fields = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
            waiting += _list_children(pid, int(fields[_THREADS]))
        except (OSError, ValueError, IndexError):  # it has exited meanwhile
            continue
        yield pid, fields


def _list_children(pid: int, threads: int) -> list[int]:
    """The children of a process; a thread has its own."""
    tasks = [str(pid)] if threads <= 1 else [task.name for task in Path(f"/proc/{pid}/task").iterdir()]
    children: list[int] = []
    for task in tasks:
        with contextlib.suppress(OSError):
            children += map(int, _read(f"/proc/{pid}/task/{task}/children").split())
    return children


def _read(path: str) -> bytes:
    file = os.open(path, os.O_RDONLY)
    try:
        return os.read(file, 65536)
    finally:
        os.close(file)
