"""Arrays: loads, stores, slices, rows, and what the compiler may assume about memory."""

import itertools
from typing import Any, NamedTuple

import numpy as np
import pytest

from marchland.kernels import Field, FieldsOpener, PartsOpener, SettingsOpener
from marchland.kernels.types import ELEMENT_TYPES
from tests.support.kernels import kernel, run, translate


@pytest.mark.parametrize("dtype", ELEMENT_TYPES)
def test_elements_of_every_width_keep_their_extremes(dtype: str) -> None:
    def f(a):
        low, high = a[0], a[1]
        a[0], a[1] = high, low
        return low, high

    limits = np.iinfo(dtype)
    a = np.array([limits.min, limits.max], dtype)
    assert run(f, a) == (limits.min, limits.max)
    assert a.tolist() == [limits.max, limits.min]


@pytest.mark.parametrize("index", [-1, -4, 4, -(2**63)])
def test_an_index_does_not_count_from_the_end(index: int) -> None:
    def load(a, i):
        return a[i]

    def store(a, i):
        a[i] = 7

    for f in (load, store):
        with pytest.raises(IndexError, match=f"index {index} is out of range for length 4"):
            run(f, np.array([1, 2, 3, 4], np.int16), index)


def test_slices_are_cut_to_the_array() -> None:
    def f(a, lower, upper):
        part = a[lower:upper]
        total = len(part) * 1000
        for i in range(len(part)):
            total += part[i]
        return total + len(a[lower:]) * 10_000 + len(a[:upper]) * 100_000 + len(a[:]) * 1_000_000

    bounds = (-9, -2, 0, 1, 5, 9, 2**63 - 1, -(2**63))
    for lower, upper in itertools.product(bounds, bounds):
        run(f, np.arange(1, 6), lower, upper)


def test_a_slice_of_a_slice_starts_where_the_first_one_does() -> None:
    def f(a):
        return a[1:][1:][0]

    assert run(f, np.array([5, 6, 7])) == 7


def test_len_of_rows_is_their_number() -> None:
    def f(a):
        return len(a)

    assert run(f, np.zeros((3, 5), np.int8)) == 3


@pytest.mark.parametrize(("i", "j"), [(-1, 0), (0, -1), (2, 0), (0, 3)])
def test_rows_and_columns_do_not_count_from_the_end(i: int, j: int) -> None:
    def f(a, i, j):
        a[i, j] += 100

    with pytest.raises(IndexError, match="is out of range for length"):
        run(f, np.zeros((2, 3), np.int32), i, j)


def test_an_array_without_elements_can_be_passed_and_measured() -> None:
    def f(a, b):
        for i in range(len(a)):
            a[i] = 1
        return len(a) + len(b)

    assert run(f, np.zeros(0, np.int8), np.zeros((0, 3), np.int64)) == 0


# -------------------------------------------------------------------- memory


def test_a_store_through_a_slice_is_seen_through_the_array() -> None:
    def f(a):
        before = a[1]
        part = a[1:]
        part[0] = 50
        return before, a[1]

    assert run(f, np.array([1, 2, 3])) == (2, 50)


def test_a_store_through_the_array_is_seen_through_a_slice() -> None:
    def f(a):
        part = a[1:]
        before = part[0]
        a[1] = 50
        return before, part[0]

    assert run(f, np.array([1, 2, 3])) == (2, 50)


def test_slices_of_one_array_in_two_variables_share_memory() -> None:
    def f(a):
        left, right = a[:3], a[1:]
        for i in range(3):
            right[i] = left[i] + 1
        return a[3]

    assert run(f, np.array([10, 0, 0, 0])) == 13


def test_a_variable_that_holds_either_array_shares_memory_with_both() -> None:
    def f(a, b, x):
        either = a if x else b
        before = a[0] + b[0]
        either[0] = 50
        return before, a[0], b[0]

    for x in (0, 1):
        run(f, np.array([1]), np.array([2]), x)


def test_an_array_assigned_in_one_arm_shares_memory_with_both() -> None:
    def f(a, b, x):
        either = a
        if x:
            either = b
        a[0] = 7
        b[0] = 8
        either[0] += 100
        return a[0], b[0]

    assert run(f, np.array([1]), np.array([2]), 0) == (107, 8)
    assert run(f, np.array([1]), np.array([2]), 1) == (7, 108)


def test_arrays_swapped_in_a_loop_keep_their_contents() -> None:
    def f(a, b, n):
        now, then = a, b
        for step in range(n):
            for i in range(len(now)):
                then[i] = now[i] + now[(i + 7) % 8]
            now, then = then, now
        return now[0]

    a = np.arange(8)
    assert run(f, a, np.zeros(8, np.int64), 3) == 44


def test_a_kernel_may_return_either_of_its_arrays_to_a_kernel() -> None:
    @kernel
    def choose(a, b, x):
        if x:
            return a
        return b

    def f(a, b, x):
        chosen = choose(a, b, x)
        before = a[0]
        chosen[0] = 9
        return before, a[0], b[0]

    assert run(f, np.array([1]), np.array([2]), 1) == (1, 9, 2)
    assert run(f, np.array([1]), np.array([2]), 0) == (1, 1, 9)


def test_a_tuple_that_holds_either_array_shares_memory_with_both() -> None:
    def f(a, b, x):
        pair = (a, 1)
        if x:
            pair = (b, 2)
        before = b[0]
        pair[0][0] = 9
        return before, a[0], b[0], pair[1]

    assert run(f, np.array([1]), np.array([2]), 1) == (2, 1, 9, 2)


def test_a_store_in_a_called_kernel_is_seen_by_the_caller() -> None:
    @kernel
    def change(a):
        a[0] += 1

    def f(a):
        before = a[0]
        change(a)
        change(a[0:])
        return before, a[0]

    assert run(f, np.array([5], np.uint8)) == (5, 7)


def test_one_array_passed_twice_to_a_kernel_is_one_array() -> None:
    @kernel
    def copy(a, b):
        for i in range(len(a) - 1):
            a[i + 1] = b[i]

    def f(a):
        copy(a, a)
        return a[len(a) - 1]

    assert run(f, np.arange(1, 20)) == 1


def test_an_array_that_is_only_read_is_marked_as_constant() -> None:
    def f(a, b):
        b[0] = a[0]

    text = translate(f, (np.zeros(1, np.int64), np.zeros(1, np.int64))).text
    assert sum("load i64" in line and "!invariant.load" in line for line in text.splitlines()) == 1


def test_an_array_that_may_be_stored_to_is_not_marked_as_constant() -> None:
    def f(a, b, x):
        either = a if x else b
        either[0] = 1
        return a[0] + b[0]

    assert "!invariant.load !0" not in translate(f, (np.zeros(1, np.int64), np.zeros(1, np.int64), 1)).text


# -------------------------------------------------------------------- fields of a buffer


class Parts(NamedTuple):
    small: Any
    rows: Any
    rest: Any


open_parts = FieldsOpener(Parts, 1, [Field("int16"), Field("int32", 2), Field("uint8")])
open_first = FieldsOpener(None, 0, [Field("int64")])
open_both = PartsOpener([open_first, open_parts])
open_settings = SettingsOpener([("scale", 0, 0), ("table", 1, 3), ("limit", 4, 0)])


def _make_buffer() -> tuple[Any, Any]:
    return np.arange(48, dtype=np.uint8), np.array([0, 8, 8, 16, 16, 32, 32, 39])


def test_the_fields_of_a_buffer_are_arrays_of_their_own_types() -> None:
    def f(buffer, bounds):
        parts = open_parts(buffer, bounds)
        last = parts.rest[len(parts.rest) - 1]
        return len(parts.small), len(parts.rows), len(parts.rest), parts.small[1], parts.rows[1, 0], last

    numbers = np.arange(48, dtype=np.uint8)
    expected = 4, 2, 7, numbers[8:16].view(np.int16)[1], numbers[16:32].view(np.int32)[2], 38
    assert run(f, *_make_buffer()) == expected


def test_a_store_to_a_field_is_seen_in_the_buffer_and_back() -> None:
    def f(buffer, bounds):
        parts = open_parts(buffer, bounds)
        before = buffer[8], parts.small[0]
        parts.small[0] = 258
        between = buffer[8], buffer[9]
        buffer[9] = 7
        return before, between, parts.small[0]

    assert run(f, *_make_buffer()) == ((8, 8 + 9 * 256), (2, 1), 2 + 7 * 256)


def test_one_field_opened_twice_is_one_array() -> None:
    def f(buffer, bounds):
        one, other = open_parts(buffer, bounds), open_parts(buffer, bounds)
        before = other.small[0]
        one.small[0] = 5
        return before, other.small[0]

    assert run(f, *_make_buffer()) == (2312, 5)


def test_several_parts_are_opened_at_once() -> None:
    def f(buffer, bounds):
        head, parts = open_both(buffer, bounds)
        parts.small[1] = 3
        return head[0], parts.small[1], parts.rest[0]

    assert run(f, *_make_buffer()) == (0x0706050403020100, 3, 32)


def test_a_single_field_is_opened_without_a_name() -> None:
    def f(buffer, bounds):
        head = open_first(buffer, bounds)
        head[0] = -1
        return buffer[0] + buffer[7], len(head)

    assert run(f, *_make_buffer()) == (510, 1)


def test_a_field_without_rows_is_empty() -> None:
    def f(buffer, bounds):
        return len(open_parts(buffer, bounds).rows)

    assert run(f, np.zeros(9, np.uint8), np.array([0, 8, 8, 8, 8, 8, 8, 8])) == 0


@pytest.mark.parametrize("bounds", [(0, 7), (-8, 0), (0, 24), (8, 0), (0, -8), (-(2**63), 2**63 - 1)])
def test_a_field_outside_its_buffer_or_of_the_wrong_size_fails(bounds: tuple[int, int]) -> None:
    def f(buffer, bounds):
        return len(open_first(buffer, bounds))

    with pytest.raises(IndexError, match="are no such field of the buffer"):
        run(f, np.zeros(16, np.uint8), np.array(bounds))


def test_bounds_that_end_too_early_fail() -> None:
    def f(buffer, bounds):
        return len(open_first(buffer, bounds))

    with pytest.raises(IndexError, match="index 1 is out of range for length 1"):
        run(f, np.zeros(16, np.uint8), np.array([0]))


def test_settings_have_names() -> None:
    def f(numbers, i):
        settings = open_settings(numbers)
        return settings.scale, settings.limit, settings.table[i], settings.table[2], len(settings.table)

    assert run(f, np.array([5, 6, 7, 8, 9]), 1) == (5, 9, 7, 8, 3)


def test_settings_can_be_passed_on() -> None:
    @kernel
    def double(settings):
        return settings.scale * 2

    def f(numbers):
        return double(open_settings(numbers))

    assert run(f, np.array([5, 6, 7, 8, 9])) == 10


def test_settings_of_too_few_numbers_fail() -> None:
    def f(numbers):
        return open_settings(numbers).scale

    with pytest.raises(IndexError, match="index 4 is out of range for length 4"):
        run(f, np.arange(4))


def test_an_index_into_settings_is_checked() -> None:
    def f(numbers, i):
        return open_settings(numbers).table[i]

    with pytest.raises(IndexError, match="index 3 is out of range for length 3"):
        run(f, np.arange(5), 3)


def test_an_element_that_is_loaded_and_then_stored_to_is_loaded_first() -> None:
    def f(a):
        mask = 3
        for _ in range(1, len(a)):
            before = a[0]
            a[0] = mask & 4095
            mask = a[0] ^ before
            a[len(a) - 1] = 7
        return mask

    a = np.array([11, 10, 9, 10, 8])
    assert run(f, a) == 8
    assert a.tolist() == [3, 10, 9, 10, 7]
