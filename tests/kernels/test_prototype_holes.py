"""What the compiler's prototype got wrong in silence: each is handled as Python does, or refused."""

from typing import NamedTuple

import numpy as np
import pytest

from marchland.kernels import Kernel, KernelError, Word
from tests.support.kernels import define, kernel, run, run_checked, run_compiled

shadow = 5


class Point(NamedTuple):
    x: int
    y: int


def test_break_in_a_loop_over_a_tuple_leaves_that_loop_only() -> None:
    def f(n):
        total = 0
        for i in range(n):
            for item in (1, 10, 100):
                if item > 10:
                    break
                total += item
            total += 1000 * i
        return total

    assert run(f, 3) == 3033


def test_continue_in_a_loop_over_a_tuple_goes_to_the_next_item() -> None:
    def f(n):
        total = 0
        for i in range(n):
            for item in (1, 10, 100):
                if item == 10:
                    continue
                total += item
            total += 1000 * i
        return total

    assert run(f, 3) == 3303


def test_the_items_of_a_loop_are_evaluated_at_once() -> None:
    def f(a):
        total = 0
        for item in (a[0], a[1], a[2]):
            a[1] = a[2] = 100
            total += item
        return total

    assert run(f, np.array([1, 2, 3])) == 6


def test_a_slice_with_a_step_is_refused() -> None:
    def f(a):
        return len(a[::2])

    with pytest.raises(KernelError, match="a slice has no step"):
        run_compiled(f, np.arange(4))


def test_a_named_tuple_gets_its_keywords() -> None:
    def f(x):
        return Point(y=x, x=1)

    assert run(f, 5) == Point(1, 5)


@pytest.mark.parametrize("arguments", ["x", "x, x, x", "x, x=x", "x, z=x"])
def test_a_named_tuple_with_other_arguments_than_its_fields_is_refused(arguments: str) -> None:
    f = define(
        f"""
        def f(x):
            return Point({arguments})
    """,
        Point=Point,
    )["f"]
    with pytest.raises(KernelError, match=r"the call does not fit the parameters \(x, y\)"):
        run_compiled(f, 1)


def test_max_of_a_tuple_is_refused() -> None:
    def f(x):
        return max((x, 5))

    with pytest.raises(KernelError, match="no such operation as max of a tuple of 2"):
        run_compiled(f, 1)


def test_a_local_read_before_its_assignment_is_not_the_global_of_that_name() -> None:
    def f(x):
        y = shadow
        shadow = x
        return y

    with pytest.raises(KernelError, match="'shadow' may have no value here"):
        run_compiled(f, 1)


def test_a_local_that_was_assigned_on_one_path_only_is_refused() -> None:
    def f(x):
        if x:
            y = 1
        return y

    with pytest.raises(KernelError, match="'y' may have no value here"):
        run_compiled(f, 1)


@pytest.mark.parametrize("count", [64, 200, -1, 2**63 - 1])
def test_a_shift_count_outside_0_to_63_fails_in_checked_mode(count: int) -> None:
    def f(x, count):
        return x << count

    def g(x, count):
        return x >> count

    for function in (f, g):
        with pytest.raises(ValueError, match=f"shift count {count} is outside 0 to 63"):
            run_checked(function, 1, count)


@pytest.mark.parametrize("mode", [run_checked, run_compiled])
def test_a_range_of_step_zero_fails_in_every_mode(mode: object) -> None:
    def f(step):
        for i in range(0, 10, step):
            pass

    def g(x):
        for i in range(0, x, 0):
            pass

    for function in (f, g):
        with pytest.raises(ValueError, match=r"range\(\) step is zero"):
            mode(function, 0)  # type: ignore[operator]


def test_an_array_of_uint64_is_refused() -> None:
    @Kernel
    def f(a):
        return a[0]

    with pytest.raises(TypeError, match="an array of uint64 is none of int8, int16"):
        f(np.zeros(1, np.uint64))


def test_words_are_unsigned_in_min_max_abs_and_unary_minus() -> None:
    def f(v, w):
        return min(v, w), max(v, w), abs(w), -v

    assert run(f, Word(1), Word(2**64 - 1)) == (1, 2**64 - 1, 2**64 - 1, 2**64 - 1)


@pytest.mark.parametrize("place", [(0, 3), (0, -4), (2, 0), (-3, 0)])
def test_row_and_column_are_both_checked(place: tuple[int, int]) -> None:
    def f(a, i, j):
        return a[i, j]

    with pytest.raises(IndexError, match="is out of range for length"):
        run(f, np.zeros((2, 3), np.int8), *place)


def test_a_row_without_a_column_is_refused() -> None:
    def f(a):
        return a[0]

    with pytest.raises(KernelError, match=r"an element of an array of int8 with 3 columns is \[row, column\]"):
        run_compiled(f, np.zeros((2, 3), np.int8))


def test_a_slice_of_rows_is_refused() -> None:
    def f(a):
        return len(a[0:1])

    with pytest.raises(KernelError, match="a slice has no step and is of one dimension"):
        run_compiled(f, np.zeros((2, 3), np.int8))


def test_nothing_is_written_after_a_fault() -> None:
    def f(a, i):
        a[0] = 1
        a[i] = 2
        a[1] = 3

    a = np.zeros(3, np.int64)
    with pytest.raises(IndexError):
        run(f, a, 10**15)
    assert a.tolist() == [1, 0, 0]


def test_a_caller_does_not_go_on_after_a_fault_in_a_kernel_it_calls() -> None:
    @kernel
    def fail(x):
        return 1 // x

    def f(a, x):
        a[fail(x)] = 7

    a = np.zeros(2, np.int64)
    with pytest.raises(ZeroDivisionError):
        run(f, a, 0)
    assert a.tolist() == [0, 0]


@pytest.mark.parametrize("given", [[1, 2], (1,), (1, 2, 3)])
def test_a_kernel_compiled_for_a_tuple_survives_other_arguments(given: object) -> None:
    @Kernel
    def f(t):
        return t[0] + t[-1]

    assert f((1, 2)) == 3
    if isinstance(given, list):
        with pytest.raises(TypeError, match="list is not an integer, an integer array or a tuple of these"):
            f(given)
    else:
        assert isinstance(given, tuple)
        assert f(given) == given[0] + given[-1]


def test_a_read_only_array_cannot_be_written() -> None:
    @Kernel
    def f(a):
        a[0] = 1

    table = np.zeros(2, np.int64)
    table.flags.writeable = False
    with pytest.raises(TypeError, match="stores to 'a', but the array passed is read-only"):
        f(table)
    assert table[0] == 0
