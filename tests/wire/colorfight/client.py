"""A small client of Colorfight's wire: it knows the protocol and nothing of Marchland."""

import json
from typing import Any

from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as open_socket

PATIENCE = 30.0


class WirePlayer:
    """Registers, looks and sends commands, as the first clients did."""

    def __init__(self, base: str, username: str, password: str = "x", *, compression: str | None = "deflate") -> None:
        def channel(name: str) -> ClientConnection:
            return open_socket(f"{base}/{name}", proxy=None, max_size=None, compression=compression, legacy=True)

        self.game_channel = channel("game_channel")
        self.action_channel = channel("action_channel")
        self.state: dict[str, Any] = {}
        self.uid = int(self.ask(action="register", username=username, password=password)["uid"])

    def ask(self, **message: Any) -> dict[str, Any]:
        self.action_channel.send(json.dumps(message))
        answer: dict[str, Any] = json.loads(self.action_channel.recv(timeout=PATIENCE))
        return answer

    def look(self, turn: int) -> dict[str, Any]:
        """Listen until the state is that of a turn, or of a later one."""
        while self.state.get("turn", -1) < turn:
            self.hear()
        return self.state

    def hear(self) -> None:
        """Listen to the next state."""
        self.state = json.loads(self.game_channel.recv(timeout=PATIENCE))

    def command(self, *commands: str) -> None:
        assert self.ask(action="command", cmd_list=list(commands)) == {"success": True}

    def grab(self) -> list[str]:
        """Attack the cheapest cells next to one's own, as far as energy lasts."""
        names = self.state["game_map"]["headers"]
        board = [[dict(zip(names, cell, strict=True)) for cell in row] for row in self.state["game_map"]["data"]]
        me = self.state["users"][str(self.uid)]
        near = {(x + dx, y + dy) for x, y in me["cells"] for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))}
        inside = sorted((x, y) for x, y in near if 0 <= y < len(board) and 0 <= x < len(board[0]))
        wanted = [(board[y][x]["attack_cost"], x, y) for x, y in inside if board[y][x]["owner"] != self.uid]
        commands, energy = [], me["energy"]
        for cost, x, y in sorted(wanted):
            if cost < energy:
                commands.append(f"a {x} {y} {cost + 1}")
                energy -= cost + 1
        return commands

    def close(self) -> None:
        self.game_channel.close()
        self.action_channel.close()

    def __enter__(self) -> "WirePlayer":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
