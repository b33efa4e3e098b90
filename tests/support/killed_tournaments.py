"""The tournament command under SIGKILL: of itself and of its referees, at random moments, until it is finished."""

import contextlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import create_engine

from marchland.server.retention.check import Checked, check_database
from marchland.store.addresses import database_url
from tests.support.dask_cluster import DaskCluster

GAME = ("enova", "--set", "turn_limit=8")
BOTS = "greedy,random,idle,greedy"
_POLL = 0.005
_DEADLINE = 3600.0


class Kills(NamedTuple):
    """How often each kind of process was killed."""

    commands: int
    referees: int


def command_of(db: Path, matches: int, *options: str) -> list[str]:
    command = [sys.executable, "-m", "marchland", "tournament", *GAME, "--bots", BOTS, "--json", "--workers", "2"]
    return [*command, "--db", str(db), "--matches", str(matches), *options]


def play_undisturbed(db: Path, matches: int, *options: str) -> dict[str, Any]:
    """What the command prints."""
    command = command_of(db, matches, *options)
    ran = subprocess.run(command, check=True, capture_output=True, text=True, timeout=_DEADLINE)
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def play_under_kills(db: Path, matches: int, kills: int, seed: int, *options: str) -> tuple[dict[str, Any], Kills]:
    """What the command prints in the end, after ``kills`` processes were killed while it was played."""
    dice = random.Random(seed)
    moments = sorted(dice.sample(range(1, matches - 4), kills))
    done = Kills(0, 0)
    process = _start(db, matches, options)
    end = time.monotonic() + _DEADLINE
    while True:
        assert time.monotonic() < end, "the tournament does not come to its end"
        if process.poll() is not None:
            out, err = process.communicate()
            assert process.returncode == 0, err
            assert not moments, "it was finished before all kills"
            found: dict[str, Any] = json.loads(out)
            return found, done
        if moments and count_done(db) >= moments[0]:
            referees = children_of(process.pid)
            if not referees:
                continue
            moments.pop(0)
            if dice.random() < 0.5:
                _kill(dice.choice(referees))
                done = done._replace(referees=done.referees + 1)
            else:
                _kill(process.pid)
                process.communicate()
                done = done._replace(commands=done.commands + 1)
                process = _start(db, matches, options)
        time.sleep(_POLL)


def play_under_cluster_kills(
    db: Path, matches: int, kills: int, seed: int, cluster: DaskCluster
) -> tuple[dict[str, Any], Counter[str]]:
    """The same on a cluster, of which workers, the scheduler and the command are killed."""
    dice = random.Random(seed)
    moments = sorted(dice.sample(range(1, matches - 8), kills))
    done = Counter[str]()
    process = _start(db, matches, ("--cluster", cluster.address))
    end = time.monotonic() + _DEADLINE
    while True:
        assert time.monotonic() < end, "the tournament does not come to its end"
        if process.poll() is not None:
            out, err = process.communicate()
            assert process.returncode == 0, err
            assert not moments, "it was finished before all kills"
            found: dict[str, Any] = json.loads(out)
            return found, done
        if moments and count_done(db) >= moments[0]:
            moments.pop(0)
            victim = dice.choice(("worker", "scheduler", "command"))
            done[victim] += 1
            if victim == "worker":
                cluster.kill_worker(dice.randrange(len(cluster.workers)))
                continue
            if victim == "scheduler":
                cluster.restart()
            else:
                _kill(process.pid)
            out, err = process.communicate()
            assert victim == "command" or process.returncode == 0 or "the same command continues" in err, err
            process = _start(db, matches, ("--cluster", cluster.address))
        time.sleep(_POLL)


def _start(db: Path, matches: int, options: tuple[str, ...]) -> "subprocess.Popen[str]":
    command = command_of(db, matches, *options)
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def children_of(pid: int) -> list[int]:
    """The processes that any thread of a process has started."""
    with contextlib.suppress(OSError):
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    return []


def count_done(db: Path) -> int:
    """How many fixtures have a result by now."""
    if not db.exists():
        return 0
    with (
        contextlib.suppress(sqlite3.OperationalError),
        contextlib.closing(sqlite3.connect(f"file:{db}?mode=ro", uri=True)) as connection,
    ):
        return int(connection.execute("SELECT count(*) FROM fixtures WHERE state = 'done'").fetchone()[0])
    return 0


def count_rows(db: Path) -> dict[str, int]:
    """The number of rows that results are made of."""
    with contextlib.closing(sqlite3.connect(db)) as connection:
        return {
            table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("fixtures", "places", "matches", "results")
        }


def verify_all(db: Path) -> Checked:
    """Every replay of the database, played again."""
    engine = create_engine(database_url(str(db)))
    try:
        return check_database(engine)
    finally:
        engine.dispose()
