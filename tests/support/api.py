"""What organisers and players send to a server, as JSON."""

import time
import uuid
from collections.abc import Callable
from typing import Any, Self, TypeVar

import httpx

from tests.support import http_clients as http
from tests.support.server import ADMIN, Server

Found = TypeVar("Found")
PATIENCE = 60.0

SMALL = {
    "game": "colorfight",
    "seats": [{"kind": "builtin", "bot": "greedy"}, {"kind": "builtin", "bot": "random"}],
    "config": {"width": 12, "height": 12, "max_turn": 3},
    "clock": {"kind": "every", "seconds": 0.1},
    "spectator_delay": 0,
}


def some_name(word: str) -> str:
    return f"{word} {uuid.uuid4().hex[:8]}"


def until(look: Callable[[], Found | None]) -> Found:
    """What ``look`` finds, as soon as it finds anything."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.05)
    raise AssertionError("It did not happen.")


class Api:
    """One token's view of a server; what was refused gives the status and the problem's word and sentence."""

    def __init__(self, server: Server, token: str | None = None, account: str = "", name: str = "") -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.server, self.token, self.account, self.name = server, token, account, name
        self._http = http.open_client(
            base_url=f"{server.url}/api/v1", headers=headers, timeout=60, transport=server.transport
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def new_account(self, name: str = "") -> "Api":
        with Api(self.server) as stranger:
            made = stranger.post("/accounts", name=name or some_name("p"))
        return Api(self.server, made["token"], made["account"]["id"], made["account"]["name"])

    def get(self, path: str, **query: Any) -> Any:
        return self._done(self._http.get(path, params=query))

    def post(self, path: str, **body: Any) -> Any:
        return self._done(self._http.post(path, json=body))

    def put(self, path: str, body: Any) -> Any:
        return self._done(self._http.put(path, json=body))

    def patch(self, path: str, **body: Any) -> Any:
        return self._done(self._http.patch(path, json=body))

    def delete(self, path: str) -> None:
        self._done(self._http.delete(path))

    def refused(self, method: str, path: str, body: Any = None) -> tuple[int, str, str]:
        answer = self._http.request(method, path, json=body)
        assert answer.status_code >= 400, answer.text
        return answer.status_code, answer.json()["error"], answer.json()["sentence"]

    def _done(self, answer: httpx.Response) -> Any:
        assert answer.status_code < 300, f"{answer.status_code} {answer.text}"
        return answer.json() if answer.content else None


def end_lobby(server: Server, round: str) -> None:
    """Let the current run of a round start now, however long its lobby was to last."""
    with Api(server, ADMIN) as admin:
        path, ahead = f"/rounds/{round}", 0.1
        while True:
            starts = time.time() + ahead
            answer = admin._http.patch(path, json={"starts": starts})
            if answer.is_success:
                break
            assert ahead < PATIENCE and answer.json()["code"] == "round_start_past", answer.text
            ahead *= 2  # on a busy machine that moment has passed before the server reads it
        until(lambda: time.time() > starts)
        admin.patch(path)  # changes nothing, but wakes the scheduler
