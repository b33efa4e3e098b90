"""A host that dies between reserving an NFT and burning it: ``python -m tests.games.boidvoid.killed FOLDER MOMENT``."""

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from marchland.core.orders import HOST
from marchland.games.boidvoid.burning import spend
from marchland.games.boidvoid.game import BoidVoid
from marchland.games.boidvoid.ledger import FileLedger, Nft, host_orders
from tests.games.boidvoid.arena import position


class FileJournal:
    """A line for each accepted action."""

    def __init__(self, path: Path, dies_after: bool = False, dies_before: bool = False) -> None:
        self.path, self.dies_after, self.dies_before = path, dies_after, dies_before

    def entries(self) -> dict[str, dict[str, Any]]:
        lines = self.path.read_text().splitlines() if self.path.exists() else []
        return {entry["key"]: entry["order"] for entry in map(json.loads, lines)}

    def find(self, key: str) -> dict[str, Any] | None:
        return self.entries().get(key)

    def write(self, key: str, player: int, order: dict[str, Any]) -> None:
        if self.dies_before:
            os.kill(os.getpid(), signal.SIGKILL)
        with self.path.open("a") as file:
            file.write(json.dumps({"key": key, "player": player, "order": order}) + "\n")
            file.flush()
            os.fsync(file.fileno())
        if self.dies_after:
            os.kill(os.getpid(), signal.SIGKILL)


def builder(folder: Path, moment: str = "") -> tuple[BoidVoid, FileLedger, FileJournal]:
    """A game in which player 0 may build, with a ledger and a journal in files."""
    ledger = FileLedger(folder / "ledger.json")
    hall = Nft(id=2**40, owner="p0", kind="superstructure", template=9, modifiers={"health": 30, "build_rate": 1})
    ledger.mint(hall)
    game = position([{"id": 0, "at": [1, 0]}, {"id": 1, "at": [2, 1], "battery": 20000, "ratio": 100}])
    for order in host_orders(hall, 0):
        game.act(HOST, order)
    return game, ledger, FileJournal(folder / "journal", moment == "write", moment == "reserve")


if __name__ == "__main__":
    match, book, notes = builder(Path(sys.argv[1]), sys.argv[2])
    spend(match, 0, {"do": "build", "unit": 0, "nft": 2**40}, book, notes, "m")
