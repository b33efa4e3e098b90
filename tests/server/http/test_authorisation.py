"""The authorisation matrix: every route and WebSocket message, sent by every kind of caller."""

import asyncio
import itertools
import json
import re
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, get_args

import pytest

from marchland.games.colorfight.wire.actions import ACTIONS
from marchland.messages import ClientMessage
from marchland.server.app import create_app
from marchland.server.http.application import Application
from marchland.server.http.routing import API
from marchland.server.rounds.service import RoundService
from marchland.server.settings import Settings
from marchland.store import Database
from tests.server.http.authorisation_table import CODES, MESSAGES, OTHER_REQUESTS, READERS, REQUESTS
from tests.support.asgi import ADMIN, App, Player, running_app
from tests.support.game_loading import loaded_games

CALLERS = ("no token", "stranger", "other seat", "own seat", "organiser", "organiser with a seat", "admin", "revoked")
ELSEWHERE = {
    ("GET", "/api/v1/schema"),
    ("GET", "/api/v1/schema/openapi.json"),
}
"""Routes whose response depends on no role."""
MATCH = {
    "game": "colorfight",
    "seats": [{}, {}, {}, {}],
    "config": {"width": 8, "height": 8},
    "clock": {"kind": "ready"},
}
PATIENCE = 60.0
_numbers = itertools.count()


class Row(NamedTuple):
    """A request or message with the expected response to each kind of caller."""

    method: str
    path: str
    body: str
    expected: tuple[str, ...]

    @property
    def name(self) -> str:
        """The row as the table begins it."""
        return f"{self.method} {self.path} {self.body}"


def rows(table: str, prefix: str = "", method: str | None = None) -> Iterator[Row]:
    for line in table.splitlines():
        if line and not line.startswith("#"):
            words = line.split()
            head, expected = words[: -len(CALLERS)], tuple(words[-len(CALLERS) :])
            verb, path, *body = [method, *head] if method else head
            yield Row(verb, prefix + path, " ".join(body), expected)


HTTP_ROWS = [*rows(REQUESTS, API), *rows(OTHER_REQUESTS)]
MESSAGE_ROWS = list(rows(MESSAGES, method="WS"))
READING_ROWS = [row for row in HTTP_ROWS if row.method == "GET" and row.path != "/metrics"]


def bodies_of(number: int) -> dict[str, Any]:
    """The bodies and messages that rows name; ``number`` distinguishes repetitions."""
    return {
        "match": MATCH,
        "seeded_match": {**MATCH, "seed": 4},
        "orders": {"orders": [], "key": f"k{number}", "seat": 0, "ready": False},
        "act": {"order": {"do": "none"}, "key": f"k{number}", "seat": 0},
        "room": {"gameroom_id": f"room{number}", "admin_password": "x"},
        "room_register": {"action": "register", "username": f"p{number}", "password": "x"},
        "room_command": {"action": "command", "cmd_list": []},
        "room_chat": {"action": "chat", "msg": "hello"},
        "see": {"type": "see", "chunks": [0]},
        "live_orders": {"type": "orders", "orders": [], "key": f"k{number}", "ready": False},
        "live_act": {"type": "act", "order": {"do": "none"}, "key": f"k{number}"},
    }


class World:
    """An application with an account of every kind, and what the rows name."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.tokens: dict[str, str | None] = {}
        self.host: Player
        self.own: Player
        self.seated: list[Player] = []
        self.fixed: dict[str, str] = {}
        self.bodies: dict[str, dict[str, Any]] = {}
        """What was read, by row and caller."""

    async def fill(self) -> None:
        """Create the accounts, and a match that runs."""
        self.host, self.own = await self.app.player("host", "organiser"), await self.app.player("own")
        others = [await self.app.player(name) for name in ("stranger", "other")]
        organisers = [await self.app.player(name, "organiser") for name in ("organiser", "judge")]
        revoked = await self.own.must("POST", "/tokens", {})
        await self.own.must("DELETE", f"/tokens/{revoked['id']}")
        self.seated = [self.own, others[1], organisers[1]]
        tokens = (None, others[0].token, others[1].token, self.own.token, organisers[0].token, organisers[1].token)
        self.tokens = dict(zip(CALLERS, (*tokens, ADMIN, revoked["token"]), strict=True))
        (test_rounds,) = (await self.app.get(f"{API}/rounds")).json()
        await self.app.request_as(ADMIN, "DELETE", f"/rounds/{test_rounds['id']}")  # its lobby closes at some time
        running = await self.lobby()
        await self.host.must("POST", f"/matches/{running}/start")
        fixed = {"running": running, "round": await self.round_match(), "hive": await self.hive_game()}
        self.fixed = {"own": self.own.id, **fixed}

    async def lobby(self) -> str:
        """A new match in its lobby, of the host, with seats 0 to 2 taken."""
        match = (await self.host.must("POST", "/matches", {**MATCH, "auto_start": False}))["id"]
        for player in self.seated:
            await player.must("POST", f"/matches/{match}/join", {})
        return str(match)

    async def round_match(self) -> str:
        """A round's match for which the seated accounts are registered."""
        body = {"name": "cup", "template": MATCH, "starts": time.time() + 500, "lobby": 600}
        cup = (await self.app.request_as(ADMIN, "POST", "/rounds", body)).json()["id"]
        for player in self.seated:
            await player.must("POST", f"/rounds/{cup}/register", {})
        await self.app.dependency(RoundService).tick(time.time() + 600)
        async with asyncio.timeout(PATIENCE):
            while True:
                (run,) = (await self.app.get(f"{API}/rounds/{cup}/runs")).json()
                if run["match"]:
                    return str(run["match"])
                await asyncio.sleep(0.02)

    async def hive_game(self) -> str:
        """A running game of Hive's original protocol."""
        created = (await self.app.get("/hive/newgame?map=tiny&players=2&bots=random")).json()
        (await self.app.get("/hive/join", params={"id": created["id"], "name": "agent"})).raise_for_status()
        return str(created["id"])

    async def resolve(self, text: str) -> str:
        """A path or body with its placeholders filled in; things that a request changes are new each time."""
        number = next(_numbers)
        made: dict[str, Callable[[], Awaitable[str]]] = {"lobby": self.lobby, "own_token": self.own_token}
        bodies = bodies_of(number)
        for name in re.findall(r"\{(\w+)\}", text):
            if name in made:
                value = await made[name]()
            elif name in bodies:
                value = json.dumps(bodies[name])
            else:
                value = self.fixed.get(name, f"name {number}")
            text = text.replace(f"{{{name}}}", value)
        return text

    async def own_token(self) -> str:
        return str((await self.own.must("POST", "/tokens", {}))["id"])

    async def request(self, row: Row, caller: str) -> str:
        """The response to a request, in the form of the table."""
        token = self.tokens[caller]
        headers = {"Authorization": f"Bearer {token}" if token else "", "X-Auth-Token": token or ""}
        body = None if row.body == "-" else await self.resolve(row.body)
        answer = await self.app.request(row.method, await self.resolve(row.path), content=body, headers=headers)
        if row.method == "GET" and answer.status_code == 200:
            self.bodies.setdefault(row.name, {})[caller] = _lasting(answer.content)
        return f"{answer.status_code}{_code(answer.status_code, answer.content)}"

    async def message(self, row: Row, caller: str) -> str:
        """The answer to a message on a WebSocket, in the form of the table."""
        path = await self.resolve(row.path)
        async with self.app.websocket(path, self.tokens[caller]) as socket:
            if path.endswith("/action_channel"):  # it sends nothing by itself
                await socket.send(json.loads(await self.resolve(row.body)))
                answered = await socket.receive()
                return str(answered) if isinstance(answered, int) else str(answered["success"])[0]
            first = await socket.receive()
            if isinstance(first, int):
                return str(first)
            if row.body != "-":
                await socket.send(json.loads(await self.resolve(row.body)))
                answer = await socket.receive_type("news" if "see" in row.body else "answer")
                return answer if isinstance(answer, str) else str(answer.get("error") or "ok")
        return "ok"


def _lasting(content: bytes) -> Any:
    """A body without what changes by itself."""
    try:
        body = json.loads(content)
    except ValueError:
        return content
    changing = ("now", "closes", "turn", "seats") if isinstance(body, list) else ("now", "closes")
    for part in body if isinstance(body, list) else [body]:
        if isinstance(part, dict):  # a list of matches has one that is played meanwhile
            for name in changing:
                part.pop(name, None)
    return body


def _code(status: int, content: bytes) -> str:
    """What a cell says beside the status: a refusal's code, or whether Colorfight did what was asked."""
    try:
        body = json.loads(content)
    except ValueError:
        return ""
    if isinstance(body, dict) and "success" in body and status == 200:
        return f":{body['success']}"
    return f":{body['error']}" if isinstance(body, dict) and "error" in body and status >= 400 else ""


def expected_cell(cell: str, caller: str, got: str) -> str:
    """A cell with the error code that its status implies."""
    if cell[0].isdigit() and cell[-1] in CODES:
        return f"{cell[:-1]}:{CODES[cell[-1]]}"
    if cell == "seat":
        return "not_your_seat"
    if ":" not in got:
        return cell
    usual = {
        "400": "bad_request",
        "401": "no_token" if caller == "no token" else "bad_token",
        "403": "not_allowed",
        "404": "not_found",
    }
    return f"{cell}:{usual.get(cell, '')}"


class Answers(NamedTuple):
    """What every caller got, by row: cells of the table, and bodies that were read."""

    cells: dict[str, list[str]]
    bodies: dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    async def run() -> Answers:
        async with running_app(tmp_path_factory.mktemp("authorisation"), loaded_games()) as app:
            world = World(app)
            await world.fill()
            found = {row.name: [await world.request(row, caller) for caller in CALLERS] for row in HTTP_ROWS}
            live = {row.name: [await world.message(row, caller) for caller in CALLERS] for row in MESSAGE_ROWS}
            return Answers(found | live, world.bodies)

    return asyncio.run(run())


@pytest.mark.parametrize("row", [*HTTP_ROWS, *MESSAGE_ROWS], ids=lambda row: row.name)
def test_every_caller_gets_the_answer_of_the_table(row: Row, answers: Answers) -> None:
    got = dict(zip(CALLERS, answers.cells[row.name], strict=True))
    expected = dict(zip(CALLERS, row.expected, strict=True))
    assert got == {caller: expected_cell(cell, caller, got[caller]) for caller, cell in expected.items()}


@pytest.mark.parametrize("row", READING_ROWS, ids=lambda row: row.name)
def test_callers_read_the_same_unless_the_table_says_who_reads_what(row: Row, answers: Answers) -> None:
    bodies = answers.bodies.get(row.name, {})
    letters = next((other.expected for other in rows(READERS, API) if other.name == row.name), ("a",) * len(CALLERS))
    letter_of = dict(zip(CALLERS, letters, strict=True))
    for one, other in itertools.combinations(bodies, 2):
        is_same = letter_of[one] == letter_of[other]
        assert (bodies[one] == bodies[other]) == is_same, f"{one} and {other}"


def test_every_route_has_a_row(tmp_path: Path) -> None:
    settings = Settings(db=str(tmp_path / "server.db"))
    with Database(settings.db) as store:
        known = set(_routes(create_app(settings, store, loaded_games())))
    covered = {route for route in known for row in (*HTTP_ROWS, *MESSAGE_ROWS) if _is_of(row, *route)}
    assert known - covered - ELSEWHERE == set()
    assert known >= ELSEWHERE


def test_every_message_has_a_row() -> None:
    named = {name for row in MESSAGE_ROWS for name in re.findall(r"\{(\w+)\}", row.body)}
    messages = [body for name, body in bodies_of(0).items() if name in named]
    assert {message["type"] for message in messages if "type" in message} == {
        kind.__struct_config__.tag for kind in get_args(ClientMessage)
    }
    assert {message["action"] for message in messages if "action" in message} == set(ACTIONS)


def _routes(app: Application) -> Iterator[tuple[str, str]]:
    """Every route that looks at tokens, and those for operators."""
    for path, endpoint in app.endpoints():
        if not endpoint.ignores_token or path in ("/healthz", "/readyz", "/metrics"):
            yield "WS" if endpoint.method == "WEBSOCKET" else endpoint.method, path


def _is_of(row: Row, method: str, path: str) -> bool:
    """Whether a row is a request to a route; the wires' plain handlers answer every method."""
    pattern = re.sub(r"\\\{[^}]*\\\}", "[^/]+", re.escape(path))
    return method in (row.method, "ANY") and re.fullmatch(pattern, row.path.partition("?")[0]) is not None
