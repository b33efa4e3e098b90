"""Start-up times. Every run is a fresh process, measured from outside; nothing of the engine is imported here.

A cold run starts with an empty kernel cache. Warm runs share a cache that one uncounted run has filled.
"""

import contextlib
import http.client
import json
import select
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from marchland.bench.processes import LIMIT, MARCHLAND, Process, start_process
from marchland.errors import UnknownNameError, did_you_mean
from marchland.registry import games

Sample = dict[str, float | None]
"""The seconds of one run; None for what the server does not support."""

_QUICK_RUNS = 10
_SLOW_RUNS = 3
_POLL = 0.02
_REQUEST_LIMIT = 10.0

_NEW = "import sys, marchland; marchland.new(sys.argv[1])"
_FIRST_TURN = """
import sys, marchland
kind = marchland.find(sys.argv[1])
game = kind.new(max(2, kind.least_players), seed=1)
game.step({})
game.view(0)
game.legal(0)
"""


class Case(NamedTuple):
    """What is measured: one run of it, given the folder of the kernel cache."""

    name: str
    run: Callable[[Path], Sample]
    warm: bool
    runs: int


def list_cases() -> list[Case]:
    """Every case, the quick ones first."""
    return [
        Case("help", _process(*MARCHLAND, "--help"), warm=True, runs=_QUICK_RUNS),
        Case("import", _process("-c", "import marchland"), warm=True, runs=_QUICK_RUNS),
        *(Case(f"new/{game}", _process("-c", _NEW, game), warm=True, runs=_QUICK_RUNS) for game in games()),
        *(Case(f"cold/{game}", _process("-c", _FIRST_TURN, game), warm=False, runs=_SLOW_RUNS) for game in games()),
        Case("cold/all", _time_first_turns, warm=False, runs=_SLOW_RUNS),
        Case("warmup", _process(*MARCHLAND, "warmup"), warm=False, runs=_SLOW_RUNS),
        Case("serve/cold", _time_server, warm=False, runs=_SLOW_RUNS),
        Case("serve/warm", _time_server, warm=True, runs=_SLOW_RUNS),
    ]


def select_cases(wanted: Iterable[str]) -> list[Case]:
    """The cases of these names, or of these groups (`cold`, `new`, `serve`); all of them if none is named."""
    cases = list_cases()
    names = list(wanted)
    for name in names:
        if not any(_is_in(case.name, name) for case in cases):
            raise UnknownNameError(f"There is no case {name!r}; {did_you_mean(name, [case.name for case in cases])}")
    return [case for case in cases if not names or any(_is_in(case.name, name) for name in names)]


def measure_case(
    case: Case, runs: int | None = None, on_run: Callable[[int], object] = lambda done: None
) -> dict[str, Any]:
    """Median and worst seconds of a case; ``on_run`` is called with the number of finished runs."""
    samples: list[Sample] = []
    with tempfile.TemporaryDirectory(prefix="marchland-bench-") as folder:
        warm_cache = Path(folder) / "warm"
        if case.warm:
            case.run(warm_cache)
        for number in range(runs or case.runs):
            samples.append(case.run(warm_cache if case.warm else Path(folder) / f"cold-{number}"))
            on_run(number + 1)
    figures: dict[str, Any] = {"game": "start", "scenario": case.name, "runs": len(samples)}
    for name in samples[0]:
        seconds = [sample[name] for sample in samples]
        measured = [value for value in seconds if value is not None]
        complete = len(measured) == len(seconds)
        figures[f"{name}_median"] = round(statistics.median(measured), 3) if complete else None
        figures[f"{name}_worst"] = round(max(measured), 3) if complete else None
    return figures


def _is_in(case: str, name: str) -> bool:
    return case == name or case.startswith(f"{name}/")


def _process(*arguments: str) -> Callable[[Path], Sample]:
    return partial(_time_process, arguments)


def _time_process(arguments: Sequence[str], cache: Path) -> Sample:
    """Run Python with these arguments to its end."""
    with start_process(arguments, cache) as process:
        wall = process.wait()
        return {"wall_s": wall, "cpu_s": process.cpu_seconds}


def _time_first_turns(cache: Path) -> Sample:
    """Play the first turn of every game, each in a process of its own, all at once."""
    with contextlib.ExitStack() as running:
        processes = [running.enter_context(start_process(["-c", _FIRST_TURN, game], cache)) for game in games()]
        wall = max(process.wait() for process in processes)
        return {"wall_s": wall, "cpu_s": sum(process.cpu_seconds for process in processes)}


def _time_server(cache: Path) -> Sample:
    """Serve the demo on an empty database until every room has moved.

    ``answer_s``: the first HTTP response. ``ready_s``: /readyz is 200. ``moving_s``: all demo rooms have moved a turn.
    """
    with tempfile.TemporaryDirectory(prefix="marchland-bench-") as folder:
        command = [*MARCHLAND, "serve", "--demo", "--port", "0", "--db", f"{folder}/start.db"]
        with start_process(command, cache) as server:
            port = _read_port(server)
            while _get(port, "/") is None:
                _pause(server)
            sample: Sample = {"answer_s": server.elapsed, "ready_s": None, "moving_s": None}
            rooms = RoomProgress(f"{game} demo" for game in games())
            supports_ready = True
            while sample["moving_s"] is None or (supports_ready and sample["ready_s"] is None):
                if supports_ready and sample["ready_s"] is None:
                    status, _ = _get(port, "/readyz") or (None, b"")
                    supports_ready = status != http.client.NOT_FOUND
                    sample["ready_s"] = server.elapsed if status == http.client.OK else None
                if sample["moving_s"] is None:
                    status, body = _get(port, "/api/v1/matches?state=running&limit=200") or (None, b"")
                    rooms.note(json.loads(body) if status == http.client.OK else [])
                    sample["moving_s"] = server.elapsed if rooms.have_moved else None
                _pause(server)
            server.stop()
            return {**sample, "cpu_s": server.cpu_seconds}


class RoomProgress:
    """Which rooms have moved since their match was first seen running."""

    def __init__(self, rooms: Iterable[str]) -> None:
        self._waiting = set(rooms)
        self._first_turns: dict[str, int] = {}

    def note(self, matches: Sequence[Mapping[str, Any]]) -> None:
        """Compare the turns with those that were seen first."""
        for match in matches:
            if match["turn"] > self._first_turns.setdefault(match["room"], match["turn"]):
                self._waiting.discard(match["room"])

    @property
    def have_moved(self) -> bool:
        """Whether all of them have."""
        return not self._waiting


def _read_port(server: Process) -> int:
    """The port, from the first line that the server prints."""
    readable, _, _ = select.select([server.output], [], [], LIMIT)
    line = server.output.readline().decode().strip() if readable else ""
    port = line.rpartition(":")[2]
    if not port.isdigit():
        raise server.failure(f"printed no address, but {line!r}")
    return int(port)


def _get(port: int, path: str) -> tuple[int, bytes] | None:
    """Status and body of a response; None if there is none."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_REQUEST_LIMIT)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read()
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def _pause(server: Process) -> None:
    """Wait a moment before the next request; fail if the server has ended or takes too long."""
    if server.has_ended():
        raise server.failure("ended by itself")
    if server.elapsed > LIMIT:
        raise server.failure(f"was not ready after {LIMIT:.0f} s")
    time.sleep(_POLL)
