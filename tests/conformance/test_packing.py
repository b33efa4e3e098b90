"""Orders packed a turn at a time are the orders packed one by one, whatever is among them."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import marchland
from marchland.board import DIALECTS
from marchland.core.packing import packer_for
from tests.support.orders import pack_one_by_one, raw_orders
from tests.support.small_matches import TESTED

GAMES = marchland.games()


@pytest.mark.parametrize("name", GAMES)
@settings(deadline=None, max_examples=300)
@given(data=st.data(), dialect=st.sampled_from(sorted(DIALECTS)), host=st.booleans())
def test_a_turn_is_packed_as_its_orders_are_one_by_one(
    name: str, data: st.DataObject, dialect: str, host: bool
) -> None:
    codec = marchland.find(name).codec
    raw: list[Any] = data.draw(st.lists(raw_orders(codec), max_size=40))
    expected, sentences = pack_one_by_one(codec, DIALECTS[dialect], raw, host)
    packer = packer_for(codec, DIALECTS[dialect])
    rows, problems = packer.decode(raw, host)
    packed = packer.pack([0] * len(raw), rows)
    assert np.array_equal(packed.table, expected.table)
    assert np.array_equal(packed.pool, expected.pool)
    assert problems == sentences


@pytest.mark.parametrize("name", GAMES)
@settings(deadline=None, max_examples=50)
@given(data=st.data())
def test_a_turn_has_the_results_of_its_orders_packed_one_by_one(name: str, data: st.DataObject) -> None:
    game, twin = TESTED[name].new(), TESTED[name].new()
    for _ in range(3):
        raw: list[Any] = data.draw(st.lists(raw_orders(game.codec), max_size=20))
        report = game.step({0: raw})
        packed, sentences = pack_one_by_one(game.codec, game.board.dialect, raw, host=False)
        expected = twin.step(packed)
        results = report.results.get(0, [])
        reasons = [result.reason for result in expected.results.get(0, [])]
        assert [result.reason for result in results] == reasons
        assert all(result.order is order for result, order in zip(results, raw, strict=True))
        assert {row: results[row].sentence for row in sentences if results[row].reason == "MALFORMED"} == sentences
        assert game.digest() == twin.digest()
