"""The content of a replay's blocks, which `Recording` writes and `Replay` reads."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from marchland.core.order_columns import Columns
from marchland.core.orders import Packed
from marchland.messages import Legend, Outcome

INPUTS_IN_A_BLOCK = 50


class Header(msgspec.Struct, frozen=True):
    """What a replay says about its match."""

    game: str
    version: int
    config: dict[str, Any]
    names: list[str]
    legend: Legend
    first_turn: int


class Inputs(msgspec.Struct, frozen=True, array_like=True):
    """Consecutive turns and immediate actions, distinguished by a byte each, and the digest after each."""

    orders: Columns
    digests: bytes
    acts: bytes


class SavedState(msgspec.Struct, frozen=True, array_like=True):
    """The match before input number ``index`` (counted from 0)."""

    index: int
    state: bytes


class End(msgspec.Struct, frozen=True):
    """How the recording ended; joiners are named with the number of the input before which they came."""

    turns: int
    orders: int
    outcome: Outcome | None
    joins: list[tuple[int, str]]


class Input(NamedTuple):
    """What went into a match at once: a turn's orders or an immediate action."""

    orders: Packed
    act: bool
    digest: str


def joins_by_input(joins: Iterable[tuple[int, str]]) -> dict[int, list[str]]:
    """The names of the joiners, by the number of the input before which they came."""
    names: dict[int, list[str]] = {}
    for before, name in joins:
        names.setdefault(before, []).append(name)
    return names
