"""The id of a request: in its response, and in every line that it logs."""

import asyncio
import io
import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from marchland.server.json_log import JsonLines
from marchland.store import Database
from tests.support.asgi import App, running_app
from tests.support.game_loading import loaded_games
from tests.support.server import Person, Served

GENERATED = re.compile(r"[0-9a-f]{16}")


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What the server logs during a test, as it would print it."""
    lines = io.StringIO()
    handler = logging.StreamHandler(lines)
    handler.setFormatter(JsonLines())
    logger = logging.getLogger("marchland")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield lines
    logger.setLevel(level)
    logger.removeHandler(handler)


def lines_of(log: io.StringIO, what: str) -> list[dict[str, Any]]:
    """The lines of one event."""
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    return [line for line in lines if line["what"] == what]


async def request_ids(folder: Path, *sent: str | bytes | None) -> list[str]:
    """The ids of the responses to requests with these ids."""
    async with running_app(folder, loaded_games()) as app:
        headers: list[Any] = [{} if one is None else {"X-Request-Id": one} for one in sent]
        return [(await app.get("/healthz", headers=one)).headers["x-request-id"] for one in headers]


def test_a_request_without_an_id_gets_one_of_its_own(tmp_path: Path) -> None:
    first, second = asyncio.run(request_ids(tmp_path, None, None))
    assert GENERATED.fullmatch(first) and GENERATED.fullmatch(second)
    assert first != second


def test_the_id_that_a_proxy_sends_is_returned(tmp_path: Path) -> None:
    sent = ["a", "0123456789abcdef0123456789abcdef", "proxy-7_x.42", "x" * 64]
    assert asyncio.run(request_ids(tmp_path, *sent)) == sent


def test_an_id_that_is_too_long_or_has_other_characters_is_replaced(tmp_path: Path) -> None:
    sent: list[str | bytes] = ["", "x" * 65, "two words", 'a"b', "a\tb", "a/b", "é".encode(), b"\xff"]
    returned = asyncio.run(request_ids(tmp_path, *sent))
    assert len(returned) == len(sent)
    assert [one for one in returned if not GENERATED.fullmatch(one)] == []


def test_an_error_response_has_the_id_too(tmp_path: Path) -> None:
    async def refused() -> list[tuple[int, str]]:
        paths = ["/api/v1/nothing", "/api/v1/matches/unknown", "/assets/nothing", "/hive/nothing"]
        async with running_app(tmp_path, loaded_games()) as app:
            answers = [await app.get(path, headers={"X-Request-Id": "mine"}) for path in paths]
        return [(answer.status_code, answer.headers["x-request-id"]) for answer in answers]

    assert asyncio.run(refused()) == [(404, "mine")] * 4


async def over_the_limit(folder: Path) -> tuple[str, str]:
    """The ids of a request and of a WebSocket handshake that exceed the limit of their address."""
    async with running_app(folder, loaded_games(), rate_address=0.1) as app:
        while (refused := await app.get("/readyz")).status_code != 429:
            pass
        while (denied := await app.open_websocket("/api/v1/matches/m/live")) is None:
            pass
        assert denied.status == 429
    return refused.headers["x-request-id"], denied.headers["x-request-id"]


def test_a_request_over_the_rate_limit_gets_its_id(tmp_path: Path) -> None:
    assert all(GENERATED.fullmatch(one) for one in asyncio.run(over_the_limit(tmp_path)))


def test_an_accepted_websocket_has_the_id_in_its_handshake(served: Served, anna: Person) -> None:
    match = anna.match("colorfight", "open", "idle")
    with anna.watch(match) as socket:
        response = socket.connection.response
    assert response is not None
    assert GENERATED.fullmatch(response.headers["X-Request-Id"])


async def break_rooms(app: App) -> None:
    """Make every request for the rooms fail in the database."""

    def drop(connection: Connection) -> None:
        connection.exec_driver_sql("DROP TABLE rooms")

    await app.dependency(Database).write(drop)


def test_what_a_failed_request_logs_has_its_id(tmp_path: Path, log: io.StringIO) -> None:
    async def fail() -> None:
        async with running_app(tmp_path, loaded_games()) as app:
            await break_rooms(app)
            asked = [app.get("/api/v1/rooms", headers={"X-Request-Id": f"r{number}"}) for number in range(5)]
            answers = await asyncio.gather(*asked)
            assert [answer.status_code for answer in answers] == [503] * 5

    asyncio.run(fail())
    assert sorted(line["request_id"] for line in lines_of(log, "unavailable")) == [f"r{number}" for number in range(5)]


def test_what_a_match_logs_later_has_no_id_of_the_request_that_created_it(tmp_path: Path, log: io.StringIO) -> None:
    async def play() -> None:
        async with running_app(tmp_path, loaded_games()) as app:
            body = {"config": {"width": 12, "height": 12, "max_turn": 2}, "clock": {"kind": "every", "seconds": 0.2}}
            bots = [{"kind": "builtin", "bot": "idle"}] * 2
            match = (await app.post("/api/v1/matches", json={"game": "colorfight", "seats": bots, **body})).json()["id"]
            async with asyncio.timeout(30):
                while (await app.get(f"/api/v1/matches/{match}")).json()["state"] != "over":
                    await asyncio.sleep(0.05)

    asyncio.run(play())
    (over,) = lines_of(log, "match over")
    assert "request_id" not in over
