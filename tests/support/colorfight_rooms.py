"""Create and manage rooms over HTTP."""

import os
from typing import Any

from tests.support import http_clients as http
from tests.support.server import ADMIN, Served

SMALL = {"width": 8, "height": 8, "early": True, "round_time": 20, "finish_time": 0}


def new_room(served: Served, **config: Any) -> str:
    """Create a small room with the admin password ``boss``; its name."""
    name = f"room-{os.urandom(4).hex()}"
    body = {"gameroom_id": name, "admin_password": "boss", "config": {**SMALL, **config}}
    assert post_room(served, "creategameroom", body, token=ADMIN) == {"success": True}
    return name


def post_room(served: Served, action: str, body: dict[str, Any], token: str | None = None) -> Any:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return http.post(f"{served.url}/colorfight/{action}", json=body, headers=headers, timeout=60).json()


def room_url(served: Served, room: str) -> str:
    return f"{served.url.replace('http', 'ws', 1)}/colorfight/gameroom/{room}"
