"""Rated matches between two bots in C: what hosting costs, and how many matches this machine plays in an hour.

One process for each processor plays matches, pinned to it with its bots. It runs this file as a module. Matches an hour
are given twice: by the clock, and as the processor time would allow on a machine with nothing else to do.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from marchland import arena, registry
from marchland.bots import Level, ProcessOptions, Sandbox, can_jail
from marchland.core.game import TournamentCase
from marchland.errors import MarchlandError
from marchland.processors import count_processors, pin_to_processor

_PLAYERS: Final = 2
_SEED: Final = 7
_SECONDS: Final = 5.0
_HOUR: Final = 3600
_EXAMPLES: Final = Path(__file__).parents[3] / "examples/bots"
_IDLE: Final = r"""
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>
int main(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0)
        if (strncmp(line, "{\"type\":\"turn\"", 14) == 0) {
            puts("[]");
            fflush(stdout);
        }
    return 0;
}
"""
"""A bot that reads its view and gives no orders."""


class Work(msgspec.Struct):
    """What one process plays."""

    game: str
    level: Level
    program: str
    turns: int
    config: dict[str, Any]
    matches: int
    processor: int


class Measured(msgspec.Struct):
    """What it took, in seconds; of the host alone while matches were played."""

    turns: int
    host_cpu: float
    cpu: float
    wall: float


def measure_tournaments(games: Sequence[str], levels: Sequence[Level], matches: int) -> Iterator[dict[str, Any]]:
    """The figures of each game in each sandbox."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise MarchlandError("This benchmark compiles bots in C, but there is no cc on this machine.")
    with tempfile.TemporaryDirectory(prefix="marchland-bench-") as folder:
        for game in games:
            case = registry.find(game).tournament_case()
            program, name = _compile(compiler, case, Path(folder))
            for level in levels:
                if level != "jailed" or can_jail():
                    yield _measure(game, case, level, program, name, matches)


def _compile(compiler: str, case: TournamentCase, folder: Path) -> tuple[Path, str]:
    """The bot's program and its name; the example is in a clone of the repository only."""
    source = folder / "idle.c"
    source.write_text(_IDLE)
    if case.example and (_EXAMPLES / case.example).is_file():
        source = _EXAMPLES / case.example
    program = folder / source.stem
    subprocess.run([compiler, "-O2", "-o", program, source], check=True)
    folder.chmod(0o755)
    return program, source.stem


def _measure(game: str, case: TournamentCase, level: Level, program: Path, name: str, matches: int) -> dict[str, Any]:
    processors = count_processors()
    registry.find(game).load()
    works = [
        Work(game, level, str(program), case.turns, dict(case.config), matches, number) for number in range(processors)
    ]
    workers = [
        subprocess.Popen([sys.executable, "-m", __name__, msgspec.json.encode(work).decode()], stdout=subprocess.PIPE)
        for work in works
    ]
    measured = []
    for worker in workers:
        output, _ = worker.communicate()
        if worker.returncode:
            raise MarchlandError(f"A process of the benchmark failed with exit code {worker.returncode}.")
        measured.append(msgspec.json.decode(output, type=Measured))
    turns = sum(played.turns for played in measured)
    cpu = sum(played.cpu for played in measured) / (matches * processors)
    return {
        "game": game,
        "scenario": f"tournament/{level}/{name}",
        "turns": turns // (matches * processors),
        "host_us_per_seat_turn": round(1e6 * sum(played.host_cpu for played in measured) / (_PLAYERS * turns)),
        "cpu_ms_per_match": round(1e3 * cpu),
        "matches_per_hour_by_cpu": round(processors * _HOUR / cpu),
        "matches_per_hour": round(sum(matches * _HOUR / played.wall for played in measured)),
        "processors": processors,
    }


def play_matches(work: Work) -> Measured:
    """Play one match that does not count, then the others."""
    pin_to_processor(work.processor)
    _play(work)
    before, began = os.times(), time.perf_counter()
    turns, host_cpu = 0, 0.0
    for _ in range(work.matches):
        played, spent = _play(work)
        turns += played
        host_cpu += spent
    after = os.times()
    return Measured(turns, host_cpu, sum(after[:4]) - sum(before[:4]), time.perf_counter() - began)


def _play(work: Work) -> tuple[int, float]:
    """The turns of a match, and the processor time of the host."""
    kind = registry.find(work.game)
    options = ProcessOptions(sandbox=Sandbox(work.level)).for_rating()
    bots = [arena.load_bot(f"cmd:{work.program}", kind, seat, _SECONDS, options) for seat in range(_PLAYERS)]
    game = kind.new(_PLAYERS, seed=_SEED, config=work.config)
    began = time.process_time()
    played = arena.play(game, bots, turns=work.turns)
    spent = time.process_time() - began
    failed = next((stats.first_failure for stats in played.stats if stats.failures), "")
    if failed:
        raise MarchlandError(f"A bot of the benchmark failed {failed}")
    return played.turns, spent


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.encode(play_matches(msgspec.json.decode(sys.argv[1], type=Work))))
