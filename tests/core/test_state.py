"""The buffer: arrays where the layout says, live rows only in digest and snapshot, and a move to a larger layout."""

from typing import NamedTuple

import numpy as np

from marchland.core.state import GAME, Int8s, Int16s, Int64s, Schema


class Land(NamedTuple):
    owner: Int16s
    height: Int8s


class Things(NamedTuple):
    id: Int64s


class Scratch(NamedTuple):
    mark: Int64s


SCHEMA = Schema(Land, tables={Things: GAME}, work=(Scratch,))


def test_equal_sizes_share_a_layout_and_arrays_do_not_overlap() -> None:
    layout = SCHEMA.layout(land=5, things=3, scratch=4)
    assert layout is SCHEMA.layout(scratch=4, things=3, land=5)
    buffer = layout.buffer()
    land, things = layout.arrays(buffer, Land), layout.arrays(buffer, Things)
    land.owner[:], land.height[:], things.id[:] = -7, 3, 2**40
    assert land.owner.tolist() == [-7] * 5
    assert land.height.tolist() == [3] * 5
    assert things.id.tolist() == [2**40] * 3
    assert layout.head(buffer).tolist() == [0] * 32


def test_rows_that_are_not_alive_do_not_count() -> None:
    layout = SCHEMA.layout(land=5, things=3, scratch=4)
    one, other = layout.buffer(), layout.buffer()
    for buffer in (one, other):
        layout.head(buffer)[GAME] = 2
    layout.arrays(one, Things).id[2] = 99
    assert layout.digest(one) == layout.digest(other)
    layout.arrays(one, Things).id[1] = 99
    assert layout.digest(one) != layout.digest(other)


def test_a_larger_layout_holds_the_same_state() -> None:
    small, large = SCHEMA.layout(land=5, things=1, scratch=1), SCHEMA.layout(land=5, things=9, scratch=1)
    buffer = small.buffer()
    small.head(buffer)[GAME] = 1
    small.arrays(buffer, Things).id[0] = 5
    small.arrays(buffer, Land).owner[:] = np.arange(5)
    moved = small.copy_to(buffer, large)
    assert large.digest(moved) == small.digest(buffer)
    assert large.arrays(moved, Things).id.tolist() == [5] + [0] * 8


def test_the_schemas_hash_tells_other_arrays_apart() -> None:
    assert SCHEMA.hash == Schema(Land, tables={Things: GAME}, work=(Scratch,)).hash
    assert SCHEMA.hash != Schema(Land, tables={Things: GAME}).hash
