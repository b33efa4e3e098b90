"""Rooms for tests."""

import os
from typing import Any

import httpx

from tests.serving import ADMIN, Served

SMALL = {"width": 8, "height": 8, "early": True, "round_time": 20, "finish_time": 0}


def new_room(served: Served, **config: Any) -> str:
    """A small room of the organiser's, whose admin password is ``boss``."""
    name = f"room-{os.urandom(4).hex()}"
    wish = {"gameroom_id": name, "admin_password": "boss", "config": {**SMALL, **config}}
    assert managed(served, "creategameroom", wish, token=ADMIN) == {"success": True}
    return name


def managed(served: Served, what: str, asked: dict[str, Any], token: str | None = None) -> Any:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return httpx.post(f"{served.url}/colorfight/{what}", json=asked, headers=headers, timeout=30).json()


def base(served: Served, room: str) -> str:
    return f"{served.url.replace('http', 'ws', 1)}/colorfight/gameroom/{room}"
