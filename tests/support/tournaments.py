"""Tournaments in tests: a carrier without processes, and small matches that end soon."""

from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from marchland.arena import Tournament
from marchland.arena.play_fixture import Job, MatchSetup, PlayedMatch, play_fixture

SMALL: dict[str, dict[str, Any]] = {
    "boidvoid": {"maps": ["duel"], "config": {"turn_limit": 6, "start_hulls": 1}},
    "colorfight": {"config": {"width": 8, "height": 8, "max_turn": 12}},
    "datspulse": {"config": {"radius": 12, "ant_limit": 12, "max_turn": 8}},
    "enova": {"config": {"turn_limit": 8}},
    "hive": {"config": {"max_turn": 12}},
}


class InlineCarrier:
    """Plays each fixture in this process as it is submitted."""

    slots = 1

    def __init__(self, setup: MatchSetup, workers: int) -> None:
        self._setup = setup

    def submit(self, jobs: Sequence[Job]) -> list["Future[PlayedMatch]"]:
        futures = []
        for job in jobs:
            future: Future[PlayedMatch] = Future()
            future.set_result(play_fixture(self._setup, job))
            futures.append(future)
        return futures

    def close(self) -> None:
        pass


def small_tournament(game: str, bots: Sequence[str], **options: Any) -> Tournament:
    """A tournament of small matches, in this process unless a carrier is named."""
    return Tournament(game, bots, **{"carrier": InlineCarrier, "workers": 2, **SMALL[game], **options})


def play_all(tournament: Tournament) -> Tournament:
    for _ in tournament.play():
        pass
    return tournament


def write_bot(folder: Path, name: str, body: str) -> str:
    """A bot file whose function ``play`` has this body."""
    path = folder / f"{name}.py"
    path.write_text(f"import os, random\n\n\ndef play(view):\n    {body}\n")
    return str(path)
