"""A small client of Colorfight's wire: it uses the protocol and no code of Marchland."""

import json
from typing import Any

from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as open_socket

PATIENCE = 60.0


class ColorfightClient:
    """Registers, reads states and sends commands, as the first clients did."""

    def __init__(self, base: str, username: str, password: str = "x", *, compression: str | None = "deflate") -> None:
        def channel(name: str) -> ClientConnection:
            # With a full queue a client reads no more, and waits ten seconds for the answer to its closing.
            return open_socket(
                f"{base}/{name}", proxy=None, max_size=None, max_queue=None, compression=compression, legacy=True
            )

        self.game_channel = channel("game_channel")
        self.action_channel = channel("action_channel")
        self.state: dict[str, Any] = {}
        registered = self.request(action="register", username=username, password=password)
        assert registered["success"], registered
        self.uid = int(registered["uid"])

    def request(self, **message: Any) -> dict[str, Any]:
        self.action_channel.send(json.dumps(message))
        answer: dict[str, Any] = json.loads(self.action_channel.recv(timeout=PATIENCE))
        return answer

    def wait_for_turn(self, turn: int) -> dict[str, Any]:
        """Read states until one is of that turn or a later one."""
        while self.state.get("turn", -1) < turn:
            self.read_state()
        return self.state

    def read_state(self) -> None:
        """Read the next state."""
        self.state = json.loads(self.game_channel.recv(timeout=PATIENCE))

    def command(self, *commands: str) -> None:
        assert self.request(action="command", cmd_list=list(commands)) == {"success": True}

    def plan_attacks(self) -> list[str]:
        """Commands that attack the cheapest adjacent cells while the energy lasts."""
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

    def __enter__(self) -> "ColorfightClient":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
