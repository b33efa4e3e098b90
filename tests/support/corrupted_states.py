"""Open and play corrupted snapshots: ``python -m tests.support.corrupted_states GAME ROUNDS``.

A process of its own, since a state that slips through may end the process. Prints how many were accepted.
"""

import random
import sys
from typing import Any

import msgspec
import numpy as np
import xxhash

import marchland
from marchland.conformance.playing import pick_orders
from marchland.core.compression import zstd
from marchland.core.game import Game
from marchland.core.snapshot import _MAGIC, SnapshotData, pack, read
from tests.support.small_matches import SMALL

EXTREMES = (0, 1, -1, 2, 5, 127, -128, 32_767, -32_768, 2**31 - 1, -(2**31), 2**40, 2**63 - 1, -(2**63))


def sealed(stored: SnapshotData) -> bytes:
    """A snapshot with a right checksum, whatever it holds."""
    body = zstd.compress(msgspec.msgpack.encode(stored), level=1)
    return _MAGIC + xxhash.xxh3_64_digest(body) + body


def played(game: str, chance: random.Random) -> Game:
    """A small match after some turns."""
    match = marchland.new(game, 2, seed=chance.randrange(1000), **SMALL.get(game, {}))
    play(match, chance, chance.randrange(12))
    return match


def play(match: Game, chance: random.Random, turns: int) -> None:
    """Some turns with random orders, and everything that can be seen of them."""
    for _ in range(turns):
        match.step({seat: pick_orders(match, seat, chance) for seat in range(len(match.players))})
    for seat in range(len(match.players)):
        match.view(seat)
        match.observe(seat)
        match.legal(seat)
    match.scene()


def corrupt(match: Game, chance: random.Random) -> SnapshotData:
    """A snapshot of the match with some values replaced."""
    stored = read(pack(match))
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        stored = msgspec.structs.replace(stored, **chance.choice(CORRUPTIONS)(match, stored, chance))
    return stored


def _value(match: Game, stored: SnapshotData, chance: random.Random) -> dict[str, Any]:
    """An element of an array."""
    layout = match.layout
    number = chance.randrange(len(layout.schema.fields))
    field = layout.schema.fields[number]
    first, end = layout.at[2 * number : 2 * number + 2].tolist()
    state = bytearray(stored.state[0])
    if field.part in layout.schema.work or end > len(state) or first == end:
        return _byte(match, stored, chance)
    values = np.frombuffer(state, field.dtype, (end - first) // field.dtype.itemsize, first)
    values[chance.randrange(len(values))] = np.array(chance.choice(EXTREMES)).astype(field.dtype)
    return {"state": [bytes(state), *stored.state[1:]]}


def _byte(match: Game, stored: SnapshotData, chance: random.Random) -> dict[str, Any]:
    """A byte of the fixed arrays or of a table."""
    state = [bytearray(part) for part in stored.state]
    part = chance.choice([part for part in state if part])
    part[chance.randrange(len(part))] = chance.randrange(256)
    return {"state": [bytes(part) for part in state]}


def _rows(match: Game, stored: SnapshotData, chance: random.Random) -> dict[str, Any]:
    """The size of an array."""
    name = chance.choice(list(stored.rows))
    count = stored.rows[name]
    return {"rows": {**stored.rows, name: chance.choice((0, 1, count - 1, count + 1, 2 * count))}}


def _last_orders(match: Game, stored: SnapshotData, chance: random.Random) -> dict[str, Any]:
    """The orders of the last turn."""
    numbers = [chance.choice(EXTREMES) for _ in range(6 * chance.randrange(1, 4))]
    return {"last_orders": np.array(numbers, np.int64).tobytes()}


def _board(match: Game, stored: SnapshotData, chance: random.Random) -> dict[str, Any]:
    """The sides of the board."""
    if stored.board["rectangle"] is None:
        return {"board": {**stored.board, "cells": stored.board["cells"][8:]}}
    width, height = stored.board["rectangle"]
    return {"board": {**stored.board, "rectangle": chance.choice(([height, width], [width, height + 1], [1, 1]))}}


def _config(match: Game, stored: SnapshotData, chance: random.Random) -> dict[str, Any]:
    """A setting that is a number."""
    numbers = [name for name, value in stored.config.items() if type(value) is int]
    return {"config": {**stored.config, chance.choice(numbers): chance.choice(EXTREMES)}}


CORRUPTIONS = (_value, _value, _value, _byte, _byte, _rows, _last_orders, _board, _config)


def main(game: str, rounds: int) -> None:
    """Open as many corrupted states, and play those that are accepted."""
    accepted = refused = 0
    for seed in range(rounds):
        chance = random.Random(seed)
        data = sealed(corrupt(played(game, chance), chance))
        try:
            match = marchland.restore(data)
        except marchland.MarchlandError:
            refused += 1
            continue
        accepted += 1
        play(match, chance, 3)
    print(accepted, refused)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
