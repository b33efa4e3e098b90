"""Whether jails can be made here, and matches of honest bots beside hostile ones."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import marchland
from marchland import arena
from marchland.bots import SandboxError, check_jail
from tests.support.unprivileged import as_unprivileged

ROOT = Path(__file__).parents[2]
FRONTIER = ROOT / "examples/bots/frontier.py"


def why_no_jail() -> str:
    """Why tests of jails are skipped; nothing if they are not."""
    try:
        check_jail()
    except SandboxError as problem:
        return str(problem)
    return ""


needs_jail = pytest.mark.skipif(bool(why_no_jail()), reason=why_no_jail() or "there are jails")

USERS = ("this user", "a user without privileges")


def start_attacks(names: Sequence[str], user: str) -> "subprocess.Popen[str]":
    """Play hostile bots in another process, as this user or another."""
    words = [sys.executable, "-m", "tests.support.hostile_bots", *names]
    return subprocess.Popen(
        as_unprivileged(words) if user != USERS[0] else words,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
    )


def skip_without_jail(user: str) -> None:
    """Skip a test, with the reason, if that user can make no jail here."""
    if user == USERS[0]:
        return
    words = [sys.executable, "-c", "from marchland.bots import check_jail; check_jail()"]
    tried = subprocess.run(as_unprivileged(words), cwd=ROOT, capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"{user}: {tried.stderr.strip().splitlines()[-1]}")


def read_reports(attacks: "subprocess.Popen[str]") -> list[dict[str, Any]]:
    """What each hostile bot did, when all have played."""
    output, _ = attacks.communicate()
    assert attacks.returncode == 0, output
    return [json.loads(line) for line in output.splitlines()]


class Honest(NamedTuple):
    """How a match of honest bots went."""

    digest: str
    cpu: float
    """Seconds of the host and its bots."""
    wall: float


def play_honest(turns: int = 40) -> Honest:
    """A rated match of two jailed bots."""
    kind = marchland.find("colorfight")
    before, began = os.times(), time.monotonic()
    game = marchland.new("colorfight", players=["ada", "bea"], seed=3, config={"width": 14, "height": 14})
    options = arena.ProcessOptions(sandbox=arena.Sandbox("jailed")).for_rating()
    bots = [arena.load_bot(str(FRONTIER), kind, seat, seconds=2, options=options) for seat in range(2)]
    played = arena.play(game, bots, turns=turns)
    after = os.times()
    assert [stats.first_failure for stats in played.stats] == ["", ""]
    assert [stats.sandbox for stats in played.stats] == ["jailed", "jailed"]
    return Honest(game.digest(), sum(after[:4]) - sum(before[:4]), time.monotonic() - began)
