"""A client of DatsPulse's wire for several teams, which also plays transcripts.

In a transcript, a line ``reds > POST /api/move {"moves":[]}`` sends; the next, ``< 200 {...}``, is the status and the
whole body of the answer. ``reds ~ GET /api/arena`` repeats the request until the answer is the one below. In an answer
``<n>`` stands for a whole number, ``<s>`` for seconds, ``<time>`` for a time, ``<uuid>`` for a UUID, ``<any>`` for
anything, ``{reds}`` for the name of the team; all other bytes must be equal.
"""

import os
import re
import time
from typing import Any, Self

import httpx

from tests.support import http_clients as http
from tests.support.api import end_lobby
from tests.support.server import ADMIN, Person, Served

PATIENCE = 60.0
_LOBBY = 600.0
_PLACEHOLDERS = {
    "<n>": r"-?\d+",
    "<s>": r"\d+(\.\d+)?",
    "<time>": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z",
    "<uuid>": r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "<any>": r".*",
}
_POLL = 0.02
SMALL = {"radius": 12, "ant_limit": 12, "max_turn": 5}
SEEDED = {"seed": 5}
"""A template of a round whose map is always the same: on some maps, ants stand before rock."""
WAIT_FOR_ALL = {"kind": "every", "seconds": 60, "early": True}
"""A turn ends as soon as every team has moved."""


class TeamClient:
    """Teams by name, on one base path of a server."""

    def __init__(self, served: Served, base: str) -> None:
        self.served = served
        self.base = base
        self.organiser = Person(served, ADMIN)
        self.tokens: dict[str, str] = {"stranger": "no-token-of-ours"}
        self._http = http.open_client(base_url=served.url + base, timeout=PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self._http.close()
        self.organiser.close()

    def token(self, team: str) -> str:
        """A team's token; creates its account at the first use."""
        if team not in self.tokens:
            name = f"{team} {os.urandom(3).hex()}"
            self.tokens[team] = self.organiser.must("POST", "/accounts", json={"name": name})["token"]
        return self.tokens[team]

    def request(self, team: str, method: str, path: str, body: str | bytes = b"") -> httpx.Response:
        """Send one request of a team."""
        return self._http.request(method, path, content=body, headers={"X-Auth-Token": self.token(team)})

    def wait_for_arena(self, team: str, turn: int = 0) -> Any:
        """A team's arena, once it is of that turn or a later one."""
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            answer = self.request(team, "GET", "/api/arena")
            assert answer.status_code == 200, answer.text
            if answer.json()["turnNo"] >= turn:
                return answer.json()
            time.sleep(_POLL)
        raise AssertionError(f"Turn {turn} does not come.")

    def announce(self, name: str, lobby: float = _LOBBY, **more: Any) -> str:
        """Announce a round whose lobby opens now; its id. ``end_lobby`` starts it."""
        config = {**SMALL, **more.pop("config", {})}
        template = {
            "game": "datspulse",
            "rules": "upstream",
            "config": config,
            "seats": more.pop("seats", [{"kind": "open"}]),
            "clock": more.pop("clock", WAIT_FOR_ALL),
            **more.pop("template", {}),
        }
        body = {"name": name, "kind": "final", "starts": time.time() + lobby, "lobby": lobby, "template": template}
        return str(self.organiser.must("POST", "/rounds", json={**body, **more})["id"])

    def announce_and_register(self, name: str, *teams: str, **more: Any) -> str:
        """Announce a round, register teams for it, and start it."""
        cup = self.announce(name, **more)
        for team in teams:
            self.request(team, "POST", "/api/register").raise_for_status()
        self.end_lobby(cup)
        return cup

    def end_lobby(self, round: str) -> None:
        """Start a round."""
        end_lobby(self.served, round)

    def wait_for_match(self, round: str) -> str:
        """The match of a round, once it runs."""
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            run = self.organiser.must("GET", f"/rounds/{round}")["current"]
            if run["match"] and self.organiser.must("GET", f"/matches/{run['match']}")["state"] == "running":
                return str(run["match"])
            time.sleep(_POLL)
        raise AssertionError("The match does not start.")

    def play(self, transcript: str) -> None:
        """Play a transcript."""
        lines = [line.strip() for line in transcript.strip().splitlines() if line.strip()]
        assert len(lines) % 2 == 0, "Every request has an answer."
        for sent, expected in zip(lines[::2], lines[1::2], strict=True):
            team, how, rest = sent.split(" ", 2)
            method, path, *body = rest.split(" ", 2)
            self._exchange(team, how, (method, path, body[0] if body else ""), expected)

    def _exchange(self, team: str, how: str, request: tuple[str, str, str], expected: str) -> None:
        pattern = _pattern(expected.removeprefix("< ").replace("{" + team + "}", self._name(team)))
        ends = time.monotonic() + (PATIENCE if how == "~" else 0)
        while True:
            answer = self.request(team, *request)
            received = f"{answer.status_code} {answer.text}".rstrip()
            if pattern.fullmatch(received):
                return
            assert time.monotonic() < ends, f"{team} {' '.join(request)}\nanswered {received}\nexpected {expected}"
            time.sleep(_POLL)

    def _name(self, team: str) -> str:
        if team == "stranger":
            return team
        who = {"Authorization": f"Bearer {self.token(team)}"}
        return str(http.get(f"{self.served.url}/api/v1/me", headers=who).json()["name"])


def _pattern(expected: str) -> re.Pattern[str]:
    parts = re.split("(" + "|".join(map(re.escape, _PLACEHOLDERS)) + ")", expected)
    return re.compile("".join(_PLACEHOLDERS.get(part) or re.escape(part) for part in parts), re.DOTALL)
