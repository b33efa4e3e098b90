"""A small client of Hive's wire: it uses the protocol and no code of Marchland."""

import json
from typing import Any

import httpx
from websockets.sync.client import connect as open_socket

from tests.support import http_clients as http

PATIENCE = 60.0
HIVE_PRICE = {"2025": 12, "seed": 24}
_STEPS = {"E": (0, 2), "SE": (1, 1), "SW": (1, -1), "W": (0, -2), "NW": (-1, -1), "NE": (-1, 1)}


class Agent:
    """Joins a game and plays a simple strategy: bees forage, carry flowers home, and one becomes a hive."""

    def __init__(self, base: str, game: str, name: str, edition: str = "2025") -> None:
        self._hive_price = HIVE_PRICE[edition]
        self._http = http.open_client(base_url=base, timeout=PATIENCE)
        address = f"{base.replace('http', 'ws', 1)}/ws?id={game}"
        self.turn_socket = open_socket(address, proxy=None, max_queue=None, legacy=True)
        joined = self._http.get("/join", params={"id": game, "name": name}).json()
        self.number: int = joined["id"]
        self._at = {"id": game, "token": joined["token"]}

    def wait_for_turn(self) -> dict[str, Any]:
        turn: dict[str, Any] = json.loads(self.turn_socket.recv(timeout=PATIENCE))
        return turn

    def load_state(self) -> dict[str, Any]:
        answer = self._http.get("/game", params=self._at)
        assert answer.status_code == 200, answer.text
        seen: dict[str, Any] = answer.json()
        return seen

    def post(self, orders: list[dict[str, str]]) -> httpx.Response:
        return self.send(json.dumps(orders).encode())

    def send(self, body: bytes) -> httpx.Response:
        """Post a body, valid or not."""
        return self._http.post("/orders", params=self._at, content=body)

    def plan_orders(self, state: dict[str, Any]) -> list[dict[str, str]]:
        me = self.number
        hexes = {tuple(map(int, at.split(","))): cell for at, cell in state["hexes"].items()}
        hives = [at for at, cell in hexes.items() if _is(cell, "HIVE", me)]
        fields = [at for at, cell in hexes.items() if cell.get("resources")]
        orders = []
        bees = sorted(at for at, cell in hexes.items() if _is(cell, "BEE", me))
        if len(bees) > 1 and len(hives) == 1 and state["playerResources"][me] >= self._hive_price:
            founder = max(bees, key=lambda at: _distance(at, hives[0]))
            orders.append({"type": "BUILD_HIVE", "coords": f"{founder[0]},{founder[1]}", "direction": ""})
        for at in bees:
            loaded = hexes[at]["entity"].get("hasFlower", False)
            goals = hives if loaded else fields
            if not goals:
                continue
            if (loaded and min(_distance(at, hive) for hive in hives) == 1) or (not loaded and at in fields):
                orders.append({"type": "FORAGE", "coords": f"{at[0]},{at[1]}", "direction": ""})
                continue
            ways = {way: (at[0] + down, at[1] + right) for way, (down, right) in _STEPS.items()}
            free = {way: to for way, to in ways.items() if to in hexes and _is_free(hexes[to])}
            if free:
                best = min(free, key=lambda way: (min(_distance(free[way], goal) for goal in goals), way))
                orders.append({"type": "MOVE", "coords": f"{at[0]},{at[1]}", "direction": best})
        return orders

    def close(self) -> None:
        self.turn_socket.close()
        self._http.close()


def _is(cell: dict[str, Any], kind: str, player: int) -> bool:
    entity = cell.get("entity", {})
    return bool(entity.get("type") == kind and entity.get("player") == player)


def _is_free(cell: dict[str, Any]) -> bool:
    return cell["terrain"] != "ROCK" and "entity" not in cell


def _distance(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    down, right = abs(one[0] - other[0]), abs(one[1] - other[1])
    return down + max(0, (right - down) // 2)
