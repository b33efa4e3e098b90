"""Faults: what checked mode raises, where, and that nothing runs after them. What compiled mode checks too."""

import functools
import re
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from marchland.kernels import Kernel, Word
from marchland.kernels.python_mode import PythonKernel
from tests.support.kernels import define, in_python, kernel, run, run_checked, run_compiled

LOWEST = -(2**63)
HIGHEST = 2**63 - 1


def expect_fault(error: type[Exception], message: str, body: str, *arguments: Any) -> None:
    """The kernel ``f(x, y)`` with this body fails in checked mode, in its last line."""
    parameters = ", ".join("xyz"[: len(arguments)])
    source = f"def f({parameters}):\n" + "\n".join(f"    {line}" for line in body.splitlines())
    last = len(source.splitlines())
    with pytest.raises(error, match=re.escape(f"{message} (f in sample, line {last})")):
        run_checked(define(source, Word=Word)["f"], *arguments)


@pytest.mark.parametrize(
    ("error", "message", "body", "arguments"),
    [
        (IndexError, "index 3 is out of range for length 3", "z = 1\nreturn x[y]", (np.zeros(3, np.int8), 3)),
        (IndexError, "index -4 is out of range for length 3", "return x[y]", (np.zeros(3, np.int8), -4)),
        (IndexError, "index 3 is out of range for length 3", "return x[3]", (np.zeros(3, np.int8),)),
        (IndexError, "index -4 is out of range for length 3", "x[y] = 1", (np.zeros(3, np.int8), -4)),
        (IndexError, f"index {LOWEST} is out of range for length 3", "return x[y]", (np.zeros(3, np.int8), LOWEST)),
        (IndexError, "index 2 is out of range for length 2", "return x[y, 0]", (np.zeros((2, 3), np.int8), 2)),
        (IndexError, "index 3 is out of range for length 3", "x[0, y] = 1", (np.zeros((2, 3), np.int8), 3)),
        (IndexError, "index 1 is out of range for length 1", "y = x[1:2]\nreturn y[1]", (np.zeros(3, np.int8),)),
        (OverflowError, f"operation on {HIGHEST} and 1 does not fit 64 bits", "return x + 1", (HIGHEST,)),
        (OverflowError, f"operation on {LOWEST} and 1 does not fit 64 bits", "x -= 1", (LOWEST,)),
        (OverflowError, f"operation on {HIGHEST} and 2 does not fit 64 bits", "return x * 2", (HIGHEST,)),
        (OverflowError, f"operation on 0 and {LOWEST} does not fit 64 bits", "return -x", (LOWEST,)),
        (OverflowError, f"operation on {LOWEST} and 0 does not fit 64 bits", "return abs(x)", (LOWEST,)),
        (OverflowError, f"operation on {LOWEST} and -1 does not fit 64 bits", "return x // y", (LOWEST, -1)),
        (OverflowError, f"operation on {LOWEST} and -1 does not fit 64 bits", "return x // -1", (LOWEST,)),
        (OverflowError, "operation on 1 and 63 does not fit 64 bits", "return x << y", (1, 63)),
        (OverflowError, "does not fit 64 bits", "return int(x)", (Word(2**63),)),
        (ValueError, "128 does not fit an element of 8 bits", "x[0] = y", (np.zeros(1, np.int8), 128)),
        (ValueError, "-1 does not fit an element of 8 bits", "x[0] = y", (np.zeros(1, np.uint8), -1)),
        (ValueError, "65536 does not fit an element of 16 bits", "x[0] = y", (np.zeros(1, np.uint16), 65536)),
        (ValueError, "-32769 does not fit an element of 16 bits", "x[0] -= 1", (np.array([-32768], np.int16),)),
        (ValueError, f"{2**31} does not fit an element of 32 bits", "x[0] = y", (np.zeros(1, np.int32), 2**31)),
        (ValueError, f"{2**32} does not fit an element of 32 bits", "x[0] = y", (np.zeros(1, np.uint32), 2**32)),
        (ValueError, "shift count 64 is outside 0 to 63", "return x >> y", (1, 64)),
        (ValueError, "shift count -1 is outside 0 to 63", "return x << y", (1, -1)),
        (ValueError, "shift count 64 is outside 0 to 63", "return x << 64", (Word(1),)),
        (ZeroDivisionError, "7 is divided by zero", "return x // y", (7, 0)),
        (ZeroDivisionError, "7 is divided by zero", "return x % 0", (7,)),
        (ZeroDivisionError, "7 is divided by zero", "return x % y", (Word(7), Word(0))),
        (IndexError, "index 2 is out of range for length 2", "return (x, x)[y]", (7, 2)),
    ],
)
def test_a_fault_names_its_values_its_kernel_and_its_line(
    error: type[Exception], message: str, body: str, arguments: tuple[Any, ...]
) -> None:
    full = f"result of an {message}" if message.startswith("operation") else message
    if message == "does not fit 64 bits":
        full = f"result of an operation on {LOWEST} and 0 {message}"
    expect_fault(error, full, body, *arguments)


def test_a_range_of_step_zero_is_reported_by_its_line() -> None:
    f = define("def f(x):\n    y = 0\n    for i in range(0, y, x):\n        y += i\n    return y\n")["f"]
    for mode in (run, run_compiled):
        with pytest.raises(ValueError, match=r"range\(\) step is zero \(f in sample, line 3\)"):
            mode(f, 0)


@pytest.mark.parametrize(
    ("body", "arguments"),
    [
        ("return x[y]", (np.zeros(3, np.int8), 3)),
        ("x[0] = y", (np.zeros(3, np.int8), 128)),
        ("return x // y", (1, 0)),
        ("return x % y", (1, 0)),
        ("return x << y", (1, -1)),
        ("return x >> y", (1, -1)),
        ("for i in range(0, x, y):\n        pass", (1, 0)),
        ("return (x, x)[y]", (1, 5)),
        ("return x[y, 0]", (np.zeros((2, 3), np.int8), -3)),
    ],
)
def test_checked_mode_raises_what_python_raises_in_the_same_line(body: str, arguments: tuple[Any, ...]) -> None:
    f = define(f"def f(x, y):\n    {body}\n")["f"]
    with pytest.raises((ArithmeticError, LookupError, ValueError)):
        run(f, *arguments)


def test_a_fault_belongs_to_the_first_line_of_its_operation() -> None:
    f = define("""
        def f(a, x, y):
            z = (
                x
                // (
                    y
                )
            )
            return a[
                z
            ]
    """)["f"]
    for arguments in ((np.zeros(2, np.int8), 5, 0), (np.zeros(2, np.int8), 5, 1)):
        with pytest.raises((ArithmeticError, LookupError)):
            run(f, *arguments)


def test_a_fault_in_a_called_kernel_names_that_kernel() -> None:
    @kernel
    def inner(a, i):
        return a[i]

    def f(a, i):
        return inner(a, i) + 1

    with pytest.raises(IndexError, match=r"index 9 is out of range for length 3 \(.*inner in .*, line \d+\)"):
        run(f, np.zeros(3, np.int8), 9)


def test_stores_before_a_fault_are_done_and_those_after_it_are_not() -> None:
    def f(a, b, x):
        for i in range(len(a)):
            a[i] = 100 // (x - i)
            b[i] = a[i]

    a, b = np.zeros(5, np.int64), np.zeros(5, np.int8)
    with pytest.raises(ZeroDivisionError):
        run(f, a, b, 3)
    assert a.tolist() == [33, 50, 100, 0, 0]
    assert b.tolist() == [33, 50, 100, 0, 0]


def test_a_store_that_does_not_fit_changes_nothing() -> None:
    def f(a, x):
        a[0] = x

    a = np.array([7], np.int8)
    with pytest.raises(ValueError, match="300 does not fit an element of 8 bits"):
        run(f, a, 300)
    assert a[0] == 7


def test_of_two_targets_the_first_is_stored_before_the_second_fails() -> None:
    def f(a, x):
        a[0], a[9] = x, x

    a = np.zeros(2, np.int8)
    with pytest.raises(IndexError):
        run(f, a, 5)
    assert a.tolist() == [5, 0]


@pytest.mark.parametrize(
    ("body", "arguments", "error"),
    [
        ("return x // y", (1, 0), ZeroDivisionError),
        ("return x % y", (1, 0), ZeroDivisionError),
        ("return x // 0", (1, 1), ZeroDivisionError),
        ("return x // y", (Word(1), Word(0)), ZeroDivisionError),
        ("return x % y", (Word(1), Word(0)), ZeroDivisionError),
        ("return x[y[0] // y[1]]", (np.zeros(1, np.int8), np.zeros(2, np.int8)), ZeroDivisionError),
    ],
)
def test_division_by_zero_fails_in_compiled_mode_too(
    body: str, arguments: tuple[Any, ...], error: type[Exception]
) -> None:
    f = define(f"def f(x, y):\n    {body}\n")["f"]
    with pytest.raises(error, match=r"is divided by zero \(f in sample, line 2\)"):
        run_compiled(f, *arguments)


def test_a_division_that_python_does_not_reach_does_not_fail() -> None:
    def f(a, x):
        total = 0
        for i in range(len(a)):
            if a[i] != 0:
                total += x // a[i]
        return total

    assert run(f, np.array([0, 2, 0, 3]), 12) == 10


def test_a_store_that_does_not_fit_is_truncated_in_compiled_mode() -> None:
    def f(a, x):
        a[0] = x
        return a[0]

    assert run_compiled(f, np.zeros(1, np.int8), 300) == 44


def test_a_kernel_can_be_called_again_after_a_fault() -> None:
    @Kernel
    def divide(x, y):
        return x // y

    for _ in range(1000):
        with pytest.raises(ZeroDivisionError):
            divide(1, 0)
        assert divide(7, 2) == 3


def test_modes_of_one_function_do_not_disturb_each_other() -> None:
    def f(x):
        return x + 1

    assert Kernel(f, mode="compiled")(HIGHEST) == LOWEST
    with pytest.raises(OverflowError):
        Kernel(f, mode="checked")(HIGHEST)
    assert PythonKernel(in_python(f))(HIGHEST) == 2**63


# -------------------------------------------------------------------- threads


def count_up(n, divisor):
    total = 0
    for i in range(n):
        total += i % 7
    return total // divisor


def in_threads(works: Sequence[Callable[[], Any]]) -> list[Any]:
    """What each function returned or raised, run at once."""
    results: list[Any] = [None] * len(works)
    barrier = threading.Barrier(len(works))

    def work(number: int) -> None:
        barrier.wait()
        try:
            results[number] = works[number]()
        except Exception as problem:
            results[number] = problem

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return results


def test_other_threads_run_while_a_kernel_does() -> None:
    count = Kernel(count_up)
    count(1, 1)
    ended = threading.Event()
    steps = 0

    def work() -> None:
        count(2 * 10**8, 1)
        ended.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not ended.is_set():
        steps += 1
        time.sleep(0)
    thread.join()
    assert steps > 10


def test_a_fault_in_one_thread_does_not_disturb_another() -> None:
    count = Kernel(count_up)
    count(1, 1)

    def fail() -> list[str]:
        found = []
        for i in range(200):
            try:
                count(i, 0)
            except ZeroDivisionError as problem:
                found.append(str(problem))
        return found

    expected = sum(i % 7 for i in range(10**5))
    results = in_threads([fail, lambda: {count(10**5, 1) for _ in range(200)}, fail])
    assert results[1] == {expected}
    for found in (results[0], results[2]):
        assert [int(message.split()[0]) for message in found] == [sum(j % 7 for j in range(i)) for i in range(200)]


def test_threads_that_call_a_kernel_for_the_first_time_at_once_all_get_its_result() -> None:
    count = Kernel(count_up)
    assert in_threads([lambda: count(10, 1)] * 6) == [sum(i % 7 for i in range(10))] * 6


def test_threads_may_call_one_kernel_with_different_types() -> None:
    @Kernel
    def last(a):
        return a[len(a) - 1]

    arrays = [np.array([number], dtype) for number, dtype in enumerate(("int8", "int16", "int32", "int64"))]

    def call_often(array: Any) -> set[int]:
        return {last(array) for _ in range(300)}

    assert in_threads([functools.partial(call_often, array) for array in arrays]) == [{0}, {1}, {2}, {3}]
