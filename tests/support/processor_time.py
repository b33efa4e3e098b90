"""What the kernel counts of a process: the time that it computed, and the time that it had to wait for a processor."""

import contextlib
import os
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid: int) -> float:
    """Processor time that a process has used; unlike delays it does not depend on other processes."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def waiting_seconds(pid: int) -> float:
    """How long the main thread of a process was ready to run without a processor: the machine's other work."""
    with contextlib.suppress(FileNotFoundError):  # not every kernel counts it
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9
    return 0.0
