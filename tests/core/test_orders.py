"""From JSON to packed columns and back."""

from typing import Annotated, Any, ClassVar, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marchland.board import DIALECTS
from marchland.core.order_columns import decode_columns, encode_columns
from marchland.core.orders import LEFT_OUT, Codec, Packed, decode_cell, encode_cell
from marchland.core.packing import packer_for
from marchland.messages import Cell, Number, Order, Path, Pick
from marchland.messages.orders import LARGEST


class Walk(Order, frozen=True, tag="walk"):
    """Go somewhere."""

    key: ClassVar[str] = "w"

    unit: Annotated[int | tuple[int, int], Pick("piece")]
    path: Path


class Send(Order, frozen=True, tag="send"):
    """Send units."""

    from_: Cell = msgspec.field(name="from")
    mood: Literal["brave", "shy"]
    units: Number | None = None


CODEC = Codec("testgame", (Walk, Send))
coordinates = st.integers(-1000, 1000)


def round_trip(order: dict[str, Any], dialect: str = "xy") -> Any:
    packer = packer_for(CODEC, DIALECTS[dialect])
    rows, problems = packer.decode([order], host=False)
    assert not problems
    packed = packer.pack([3], rows)
    _, verb, *values, _ = packed.table[:, 0].tolist()
    return CODEC.unpack(verb, values, DIALECTS[dialect], packed.pool)


@pytest.mark.parametrize(
    "order",
    [
        {"do": "walk", "unit": 7, "path": [[1, 2], [-3, 4]]},
        {"do": "walk", "unit": [4, 6], "path": []},
        {"do": "send", "from": [5, 5], "mood": "shy", "units": 12},
        {"do": "send", "from": [5, 5], "mood": "brave", "units": -4},
        {"do": "send", "from": [5, 5], "mood": "brave"},
    ],
)
def test_an_order_survives_packing(order: dict[str, Any]) -> None:
    assert round_trip(order) == order


@given(st.sampled_from(sorted(DIALECTS)), coordinates, coordinates)
def test_a_cell_is_named_by_its_coordinates_in_every_dialect(dialect: str, first: int, second: int) -> None:
    language = DIALECTS[dialect]
    code = encode_cell(language, first, second)
    assert decode_cell(language, code) == ([first, second] if language.valid(first, second) else None)


@pytest.mark.parametrize("pair", [(2**40, 0), (0, -(2**40)), (10**30, 10**30)])
def test_coordinates_that_no_board_can_have_name_no_cell(pair: tuple[int, int]) -> None:
    assert decode_cell(DIALECTS["xy"], encode_cell(DIALECTS["xy"], *pair)) is None


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (None, 'such as {"do": "walk"'),
        ([], "such as"),
        ({}, 'no "do"; testgame has walk and send'),
        ({"do": "fly"}, "no order 'fly'; testgame has walk and send"),
        ({"do": ["walk"]}, "no order ['walk']"),
        ({"do": "send", "mood": "shy"}, "missing required field `from`"),
        ({"do": "send", "from": [1, 2], "mood": "angry"}, "mood"),
        ({"do": "send", "from": [1], "mood": "shy"}, "from"),
        ({"do": "send", "from": [1, 2], "mood": "shy", "units": 2**60}, "units"),
        ({"do": "send", "from": [1, 2], "mood": "shy", "speed": 1}, "speed"),
        ({"do": "send", "from": [1.5, 2], "mood": "shy"}, "from"),
    ],
)
def test_what_is_no_order_is_explained(raw: Any, words: str) -> None:
    problem = CODEC.parse(raw)
    assert isinstance(problem, str)
    assert words in problem


def test_the_legend_follows_from_the_classes() -> None:
    walk, send = CODEC.legend()
    assert (walk.do, walk.key, walk.help) == ("walk", "w", "Go somewhere.")
    assert [(parameter.name, parameter.pick) for parameter in walk.params] == [("unit", "piece"), ("path", "path")]
    assert [(parameter.name, parameter.pick, parameter.optional) for parameter in send.params] == [
        ("from", "cell", False),
        ("mood", "choice", False),
        ("units", "number", True),
    ]
    assert send.params[1].choices == ["brave", "shy"]


def test_a_number_left_out_differs_from_every_number_that_can_be_given() -> None:
    assert round_trip({"do": "send", "from": [0, 0], "mood": "shy", "units": -1}) == {
        "do": "send",
        "from": [0, 0],
        "mood": "shy",
        "units": -1,
    }
    assert LEFT_OUT < -LARGEST


packed_turns = st.lists(
    st.tuples(
        st.lists(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=5, max_size=5), max_size=8),
        st.lists(st.integers(-(2**63), 2**63 - 1), max_size=5),
    ),
    max_size=6,
)


@given(packed_turns)
def test_columns_give_back_what_was_put_in(turns: list[tuple[list[list[int]], list[int]]]) -> None:
    packed = [Packed.of_rows(rows, pool) for rows, pool in turns]
    again = decode_columns(encode_columns(packed))
    assert len(again) == len(packed)
    assert all(one.same_orders(other) for one, other in zip(packed, again, strict=True))
