"""Packing of whole turns: what the fast path must refuse, and what it must not keep."""

from typing import Any

import msgspec
import numpy as np
import pytest

from marchland.board import DIALECTS
from marchland.core.order_input import parse_orders
from marchland.core.orders import MALFORMED, NO_CELL, Codec, Packed, encode_cell, piece_at
from marchland.core.packing import _MOST_CODES, CellCodes
from marchland.messages import Cell, Number, Order, Path, Text

XY = DIALECTS["xy"]


class March(Order, frozen=True, tag="march"):
    """Go along a path."""

    path: Path
    units: Number = 7


class Call(Order, frozen=True, tag="call"):
    """Give a cell a name."""

    at: Cell
    name: Text | None = None
    reason: Text = "none"


class Tour(Order, frozen=True, tag="tour", kw_only=True):
    """Go round."""

    units: Number = 7
    path: Path = msgspec.field(default_factory=list)
    at: Cell


class Even(Order, frozen=True, tag="even"):
    """Name an even number."""

    number: Number

    def __post_init__(self) -> None:
        if self.number % 2:
            raise ValueError("the number is odd")


class Stop(Order, frozen=True, tag="stop"):
    """End the match."""

    role = "host"


CODEC = Codec("testgame", (March, Call, Even, Stop, Tour))
LONE = Codec("lone", (March,))

MARCH = {"do": "march", "path": [[1, 2], [3, 4]]}


class Loud(str):
    def encode(self, *arguments: Any) -> bytes:
        raise RuntimeError


def pack(*orders: Any, codec: Codec = CODEC, host: bool = False) -> tuple[Packed, dict[int, str]]:
    packed, given = parse_orders(codec, XY, 2, {0: list(orders)}, host)
    assert given is not None
    return packed, given.problems


def test_paths_and_texts_lie_in_the_pool_in_the_order_of_the_rows() -> None:
    packed, _ = pack({"do": "call", "at": [0, 0], "name": "ab", "reason": "c"}, MARCH, {"do": "call", "at": [0, 0]})
    cells = [encode_cell(XY, 1, 2), encode_cell(XY, 3, 4)]
    assert packed.pool.tolist() == [2, *b"ab", 1, *b"c", 2, *cells, 4, *b"none"]
    assert packed.table[2:5, 1].tolist() == [5, 7, 0]


def test_what_a_player_leaves_out_has_its_default() -> None:
    packed, problems = pack({"do": "tour", "at": [1, 2]})
    assert not problems
    assert packed.table[1:5, 0].tolist() == [5, 7, 0, encode_cell(XY, 1, 2)]
    assert packed.pool.tolist() == [0]


def test_an_order_has_at_most_three_parameters() -> None:
    class Crowded(Order, frozen=True, tag="crowded"):
        """Name four numbers."""

        one: Number
        two: Number
        three: Number
        four: Number

    with pytest.raises(ValueError, match="Crowded has 4 parameters"):
        pack(codec=Codec("crowded", (Crowded,)))


def test_an_order_without_a_verb_is_refused_also_where_there_is_only_one() -> None:
    packed, problems = pack({"path": []}, codec=LONE)
    assert packed.table[1].tolist() == [MALFORMED]
    assert problems == {0: 'The order has no "do"; lone has march.'}


@pytest.mark.parametrize("rubbish", [{"do": ""}, {"do": "", "never": 1}, {"do": None}, None, [MARCH], "march"])
def test_one_malformed_order_leaves_the_others_as_they_are(rubbish: Any) -> None:
    alone, _ = pack(*[MARCH] * 40)
    packed, problems = pack(*[MARCH] * 20, rubbish, *[MARCH] * 20)
    assert list(problems) == [20]
    assert np.array_equal(np.delete(packed.table, 20, axis=1), alone.table)
    assert np.array_equal(packed.pool, alone.pool)


def test_a_check_of_the_order_class_itself_counts() -> None:
    packed, problems = pack({"do": "even", "number": 2}, {"do": "even", "number": 3})
    assert packed.table[1].tolist() == [3, MALFORMED]
    assert list(problems) == [1]


def test_only_the_host_gives_orders_of_the_host() -> None:
    assert pack({"do": "stop"})[1] == {0: "This order is the host's."}
    assert pack({"do": "stop"}, host=True)[1] == {}
    assert pack(MARCH, host=True)[1] == {0: "This order is a player's."}


def test_a_text_of_a_class_of_its_own_is_read_as_a_text() -> None:
    assert pack({"do": "call", "at": [0, 0], "name": Loud("x")})[0].pool.tolist() == [1, *b"x", 4, *b"none"]


def test_a_dict_of_a_class_of_its_own_is_asked_for_its_verb() -> None:
    class Other(dict[str, Any]):
        def __getitem__(self, key: str) -> Any:
            return "call" if key == "do" else super().__getitem__(key)

    assert list(pack(Other(MARCH))[1]) == [0]


@pytest.mark.parametrize("pieces", [False, True])
def test_cell_codes_are_remembered_within_a_bound(pieces: bool) -> None:
    codes = CellCodes(XY, pieces=pieces)
    for first in range(_MOST_CODES + 10):
        cell = encode_cell(XY, first, 5)
        assert codes[first, 5] == (piece_at(cell) if pieces else cell)
    assert len(codes) <= _MOST_CODES


@pytest.mark.parametrize("pieces", [False, True])
def test_coordinates_that_no_board_can_have_are_not_remembered(pieces: bool) -> None:
    codes = CellCodes(XY, pieces=pieces)
    before = len(codes)
    assert codes[10**30, 0] == (piece_at(NO_CELL) if pieces else NO_CELL)
    assert len(codes) == before
