"""Replays of matches that were played over a wire, from our own API."""

from pathlib import Path
from typing import Any

import marchland
from marchland.core.game import Game
from marchland.core.replay import Replay
from tests.support.server import Person


def download_replay(person: Person, match: str, folder: Path) -> Replay:
    """The replay of a match that is over."""
    answer = person.get(f"/matches/{match}/replay")
    assert answer.is_success, answer.text
    path = folder / f"{match}.march"
    path.write_bytes(answer.content)
    return Replay(path, marchland.find)


def orders_by_seat(replay: Replay, game: Game, turn: int) -> dict[int, list[Any]]:
    """The orders of a turn, as plain data."""
    packed = replay.orders(turn)
    found: dict[int, list[Any]] = {}
    for seat, verb, *values, _ in packed.table.T.tolist():
        found.setdefault(seat, []).append(game.codec.unpack(verb, values, game.board.dialect, packed.pool))
    return found
