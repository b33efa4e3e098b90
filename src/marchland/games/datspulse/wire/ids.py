"""Ants by UUID (ruling 17)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from marchland.games.datspulse.rules.state import ID_KEY0, ID_KEY1
from marchland.games.datspulse.wire.arena_json import UUID_LENGTH, put_uuids

if TYPE_CHECKING:
    from marchland.games.datspulse.game import Datspulse


def uuid_of(game: "Datspulse", ant: int) -> str:
    """An ant's stable id on the wire."""
    return uuids_of(game, [ant])[0]


def uuids_of(game: "Datspulse", ants: Sequence[int]) -> list[str]:
    """The stable ids of ants on the wire."""
    out, numbers = np.empty(UUID_LENGTH * len(ants), np.uint8), np.array(ants, np.int64)
    put_uuids(out, int(game.head[ID_KEY0]), int(game.head[ID_KEY1]), numbers)
    text = out.tobytes().decode()
    return [text[start : start + UUID_LENGTH] for start in range(0, len(text), UUID_LENGTH)]
