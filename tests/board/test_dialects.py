"""Every dialect names every place, and says the same place back."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marchland.board.dialects import DIALECTS, DOUBLED, ODD_R, Dialect, dialect_for
from tests.support.board_strategies import modest

numbers = st.integers(-(10**20), 10**20)


@modest
@given(st.sampled_from(list(DIALECTS.values())), numbers, numbers)
def test_a_frame_pair_survives_the_way_out_and_back(dialect: Dialect, p: int, r: int) -> None:
    a, b = dialect.from_frame(p, r)
    assert dialect.valid(a, b)
    assert dialect.to_frame(a, b) == (p, r)


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=lambda dialect: dialect.name)
def test_arrays_convert_like_single_pairs(dialect: Dialect) -> None:
    p, r = np.meshgrid(np.arange(-5, 6), np.arange(-5, 6))
    a, b = dialect.from_frame(p, r)
    back = dialect.to_frame(a, b)
    assert [(int(x), int(y)) for x, y in zip(a.flat, b.flat, strict=True)] == [
        dialect.from_frame(int(x), int(y)) for x, y in zip(p.flat, r.flat, strict=True)
    ]
    assert np.array_equal(back, (p, r))


@pytest.mark.parametrize("column", [-3, 0, 2])
@pytest.mark.parametrize("row", [-3, -2, -1, 0, 1, 2])
def test_odd_r_is_the_published_formula(column: int, row: int) -> None:
    assert ODD_R.to_frame(column, row) == (column - (row - (row & 1)) // 2, row)


def test_half_of_the_doubled_pairs_name_no_cell() -> None:
    assert DOUBLED.valid(1, 1) and DOUBLED.valid(-1, 3) and DOUBLED.valid(0, -2)
    assert not DOUBLED.valid(0, 1) and not DOUBLED.valid(-1, 2)


def test_a_dialect_of_the_other_topology_is_refused_with_the_choices() -> None:
    with pytest.raises(ValueError, match="A hex board cannot use the dialect 'xy': choose 'axial' or 'odd-r' or"):
        dialect_for("hex", "xy")


def test_an_unknown_topology_is_refused() -> None:
    with pytest.raises(ValueError, match="a board is 'square' or 'hex'"):
        dialect_for("triangle", "xy")  # type: ignore[arg-type]


def test_importing_the_package_does_not_load_llvm() -> None:
    subprocess.run(
        [sys.executable, "-c", "import sys, marchland.board.dialects; assert 'llvmlite' not in sys.modules"], check=True
    )
