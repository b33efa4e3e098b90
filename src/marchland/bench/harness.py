"""What benchmarks of the server share: a server in a subprocess, and percentiles."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import NamedTuple

import httpx

TOKEN = "the-token-of-a-benchmark"


class RunningServer(NamedTuple):
    """A server in a subprocess, and an HTTP client of it."""

    url: str
    process: "subprocess.Popen[str]"
    http: httpx.AsyncClient

    def memory(self) -> int:
        """Resident memory in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) * 1024  # type: ignore[index]

    def cpu_seconds(self) -> float:
        """The CPU time of the server and of its workers so far."""
        pid = self.process.pid
        workers = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        ticks = 0
        for process in (str(pid), *workers):
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])  # in user and in kernel mode
        return ticks / os.sysconf("SC_CLK_TCK")


_NO_LIMITS = ("--rate", "1000000", "--rate-address", "1000000", "--posts", "1000000", "--sockets", "1000000")


@contextlib.asynccontextmanager
async def running_server(options: Sequence[str] = _NO_LIMITS) -> AsyncIterator[RunningServer]:
    """Start a server with an empty database, by default without rate limits; stop it at the end of the block."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "marchland", "serve", "--port", "0", "--db", f"{folder}/bench.db"]
        limits = ["--admin-token", TOKEN, *options]
        process = subprocess.Popen(
            [*command, *limits], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=os.environ.copy()
        )
        try:
            assert process.stdout is not None
            url = process.stdout.readline().split()[-1]
            headers = {"Authorization": f"Bearer {TOKEN}"}
            # Plain HTTP: `verify=False` only saves the reading of root certificates, 50 ms of CPU.
            async with httpx.AsyncClient(base_url=f"{url}/api/v1", headers=headers, timeout=60, verify=False) as http:
                yield RunningServer(url, process, http)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)
            if process.stdout is not None:
                process.stdout.close()


def percentiles(unit: str, seconds: list[float]) -> dict[str, float]:
    """Median and 99th percentile, in milliseconds."""
    ordered = sorted(seconds)
    return {
        f"{unit}_p50": round(1e3 * ordered[len(ordered) // 2], 2),
        f"{unit}_p99": round(1e3 * ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)], 2),
    }
