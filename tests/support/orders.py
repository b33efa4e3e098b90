"""Random orders of any game, valid and invalid, and a packer that does nothing but what the format says."""

import math
from typing import Any

import msgspec
import numpy as np
from hypothesis import strategies as st

from marchland.board import Dialect
from marchland.core.orders import LEFT_OUT, MALFORMED, SWITCH, Codec, Packed, Slot, encode_cell, piece_at
from marchland.messages.orders import LARGEST


class OwnInt(int):
    """Counts as a number."""


class OwnText(str):
    """Counts as a text, but not as a key."""


class OwnDict(dict[str, Any]):
    """Counts as an order."""


class SilentDict(dict[str, Any]):
    """Raises when it is asked."""

    def __getitem__(self, key: str) -> Any:
        raise RuntimeError(key)


class OwnList(list[Any]):
    """Counts as a list."""


numbers = st.integers(-3, 40) | st.sampled_from([-LARGEST, LARGEST, LARGEST + 1, 2**63, 10**30, -(10**30)])
coordinates = st.integers(-2, 30) | st.sampled_from([2**29, -(2**29), 2**31, 10**30])
pairs = st.tuples(coordinates, coordinates).flatmap(lambda pair: st.sampled_from([list(pair), pair]))
rubbish = (
    st.sampled_from(
        [
            *(None, True, False, "", "0", b"0", 1.0, 1.5, -0.0, math.nan, math.inf, 10**30, object(), {}, {1: 2}),
            *([], [[]], [0], [0, 0, 0], [True, 0], [1.0, 2], ["0", "0"], [10**30, 0], [[0, 0], [0]], {"do": "do"}),
            *(OwnInt(3), [OwnInt(3), 4], OwnList([3, 4]), OwnText("home"), np.int64(3), frozenset([1, 2]), {1, 2}),
        ]
    )
    | st.text(max_size=3)
    | numbers
)


def valid_values(slot: Slot) -> st.SearchStrategy[Any]:
    """Values that this parameter takes, most of them within its bounds."""
    if slot.pick == "cell":
        return pairs
    if slot.pick == "path":
        return st.lists(pairs, max_size=4)
    if slot.pick == "text":
        return st.text(max_size=5)
    if slot.choices == SWITCH:
        return st.booleans()
    if slot.choices:
        return st.sampled_from(slot.choices)
    return numbers | pairs if slot.pick == "piece" else numbers


@st.composite
def raw_orders(draw: st.DrawFn, codec: Codec) -> Any:
    """One order: mostly valid, sometimes with a wrong value, a missing or unknown parameter, or no order at all."""
    kind = draw(st.sampled_from(["valid"] * 6 + ["value", "missing", "extra", "class", "ready-made", "rubbish"]))
    if kind == "rubbish":
        return draw(rubbish)
    verb = draw(st.integers(0, len(codec.verbs) - 1))
    slots = codec.slots[verb]
    if kind == "ready-made":
        return codec.verbs[verb](*[draw(valid_values(slot) | rubbish) for slot in slots])
    order: dict[Any, Any] = {"do": codec.names[verb]}
    for slot in slots:
        if not slot.optional or draw(st.booleans()):
            order[slot.name] = draw(valid_values(slot) | st.none() if slot.optional else valid_values(slot))
    names = [*order]
    if kind == "value":
        order[draw(st.sampled_from(names))] = draw(rubbish)
    elif kind == "missing":
        del order[draw(st.sampled_from(names))]
    elif kind == "extra":
        order[draw(st.sampled_from(["extra", "", 0, None, OwnText("do")]))] = draw(rubbish)
    elif kind == "class":
        return draw(st.sampled_from([OwnDict, SilentDict]))(order)
    return order


def pack_one_by_one(codec: Codec, dialect: Dialect, raw: list[Any], host: bool) -> tuple[Packed, dict[int, str]]:
    """The packed orders of player 0, made from `Codec.parse` alone; and the sentences on malformed ones."""
    rows: list[list[int]] = []
    pool: list[int] = []
    problems: dict[int, str] = {}
    for index, entry in enumerate(raw):
        order = codec.parse(entry, host)
        if isinstance(order, str):
            problems[index] = order
            rows.append([0, MALFORMED, 0, 0, 0])
            continue
        verb = codec.verbs.index(type(order))
        row = [0, verb + 1]
        for slot, value in zip(codec.slots[verb], msgspec.structs.astuple(order), strict=True):
            row.append(_encode(slot, value, dialect, pool))
        rows.append(row + [0] * (5 - len(row)))
    return Packed.of_rows(rows, pool), problems


def _encode(slot: Slot, value: Any, dialect: Dialect, pool: list[int]) -> int:
    if value is None:
        return LEFT_OUT
    if slot.pick in ("path", "text"):
        start = len(pool)
        is_text = slot.pick == "text"
        content = value.encode("utf-8", "replace") if is_text else [encode_cell(dialect, *pair) for pair in value]
        pool += [len(content), *content]
        return start
    if slot.pick == "cell":
        return encode_cell(dialect, *value)
    if slot.pick == "piece" and isinstance(value, tuple):
        return piece_at(encode_cell(dialect, *value))
    if slot.choices and slot.choices != SWITCH:
        return slot.choices.index(value)
    return int(value)
