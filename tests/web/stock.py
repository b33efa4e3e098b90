"""Test data of the pages: matches of a real server, and a replay."""

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

from marchland.registry import games
from tests.support.server import ADMIN, Person, Served, person
from tests.support.small_matches import SMALL
from tests.web.event_samples import event_samples


class Stock(msgspec.Struct):
    """Where a page finds what."""

    over: dict[str, str]
    large: str
    replay: str
    page: str
    organiser: str
    """The token of an organiser, who may save maps."""
    small: dict[str, dict[str, Any]]
    """For each game what makes a match of it small."""
    admin: str
    """A token that may do everything."""
    events: str
    """A file with films in which every kind of event happens."""


def stocked(served: Served, folder: Path) -> Stock:
    """Play matches to their end, and save one as a replay."""
    replay, page = folder / "match.march", folder / "match.html"
    with person(served, "organiser") as host, person(served, "organiser") as walker:
        over = {game: host.match(game, "greedy", "greedy", spectator_delay=0) for game in ("colorfight", "hive")}
        for match in over.values():
            _wait_for_the_end(host, match)
        replay.write_bytes(host.get(f"/matches/{over['hive']}/replay").raise_for_status().content)
        large = _large(walker)
        token = host.token or ""
    command = [sys.executable, "-m", "marchland.cli", "replay", "html", str(replay), "-o", str(page)]
    subprocess.run(command, check=True, capture_output=True)
    small = {game: SMALL.get(game, {}) for game in games()}
    events = folder / "events.json"
    events.write_bytes(msgspec.json.encode(event_samples()))
    return Stock(over, large, str(replay), str(page), token, small, ADMIN, str(events))


def _wait_for_the_end(host: Person, match: str) -> None:
    deadline = time.monotonic() + 120
    while host.info(match).state != "over":
        assert time.monotonic() < deadline, f"match {match} does not end"
        time.sleep(0.2)


def _large(walker: Person) -> str:
    """A board of 102,400 cells on which one player has spread a little."""
    size = {"width": 320, "height": 320, "max_turn": 1000}
    match = walker.match("colorfight", "open", "empty", config=size)
    walker.join(match)
    while walker.info(match).state != "running":
        time.sleep(0.1)
    for _ in range(24):
        menu = walker.must("POST", f"/matches/{match}/legal", json={})
        orders = [{"do": "attack", "at": cell, "energy": 120} for cell in menu["attack"]["cells"][:5]]
        assert walker.order(match, *orders).is_success
    return match
