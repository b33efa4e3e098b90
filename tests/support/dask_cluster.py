"""A Dask scheduler and workers in processes of their own, which can be killed."""

import json
import subprocess
import sys
import time
from pathlib import Path

WORKERS = 2
_PATIENCE = 120.0


class DaskCluster:
    """A scheduler and workers of one thread each, restarted at a new address."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / "scheduler.json"
        self.start()

    def start(self) -> None:
        self._file.unlink(missing_ok=True)
        options = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(self._file))
        self.scheduler = self._run("scheduler", *options)
        end = time.monotonic() + _PATIENCE
        while not self._file.exists() or not self._file.read_text().endswith("}"):
            assert self.scheduler.poll() is None and time.monotonic() < end
            time.sleep(0.02)
        self.address = str(json.loads(self._file.read_text())["address"])
        self.workers = [self._start_worker() for _ in range(WORKERS)]

    def wait_for_worker(self) -> None:
        """Return when a worker has joined."""
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(1, timeout=_PATIENCE)

    def kill_worker(self, number: int = 0) -> None:
        """Kill a worker, and start another one."""
        killed = self.workers[number]
        killed.kill()
        killed.wait()
        self.workers[number] = self._start_worker()

    def restart(self) -> None:
        """Kill everything, and start a new cluster."""
        self.stop()
        self.start()

    def stop(self) -> None:
        for process in (self.scheduler, *self.workers):
            process.kill()
            process.wait()

    def _start_worker(self) -> "subprocess.Popen[bytes]":
        return self._run("worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard")

    def _run(self, what: str, *options: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *options]
        quiet = subprocess.DEVNULL
        return subprocess.Popen(command, cwd=self._folder, stdout=quiet, stderr=quiet)
