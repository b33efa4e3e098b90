"""The compiler divides numbers that cannot be negative as unsigned ones: whatever can be negative rounds down."""

import numpy as np
import pytest

from tests.support.kernels import define, kernel, run


@pytest.mark.parametrize(
    "expression",
    [
        "len(b) - 2",
        "b[0] - 1",
        "0 - len(b)",
        "-len(b)",
        "-b[1]",
        "~len(b)",
        "~b[0]",
        "min(len(b), x)",
        "min(b[1], 5, x)",
        "max(x, -3)",
        "max(x, x)",
        "len(b) % x - len(b) % x + x",
        "b[1] % x",
        "len(b) // x",
        "b[1] // x",
        "b[1] * x",
        "b[0] + x",
        "b[0] | x",
        "b[0] ^ x",
        "x & -1",
        "x >> 1",
        "x // 2",
        "x << 1",
        "x if b[1] else 1",
        "1 if b[0] else x",
        "b[1] and x",
        "b[0] or x",
        "(1, x)[1]",
        "(1, x)[b[1]]",
        "(0, -1)[b[1]]",
        "(x < 0) - 2",
        "(0 < 1 < 2) - 2",
        "bool(x) - 2",
        "abs(x) - 3",
        "int(x)",
        "len((1, 2)) - 3",
        "negate(len(b))",
        "subtract(b[0], b[1])",
    ],
)
@pytest.mark.parametrize("x", [-1, -2])
def test_a_quotient_that_may_be_negative_rounds_down(expression: str, x: int) -> None:
    @kernel
    def negate(x):
        return -x

    @kernel
    def subtract(x, y):
        return x - y

    f = define(
        f"""
            def f(a, b, x):
                return ({expression}) // len(a), ({expression}) % len(a)
        """,
        negate=negate,
        subtract=subtract,
    )["f"]
    run(f, np.arange(10, 20), np.array([0, 1], np.uint8), x)


@pytest.mark.parametrize("bounds", ["x, 3", "x, 3, 2", "3, x, -1", "2, x * 2, -2", "len(b), x, -1", "0, -4, x"])
def test_the_numbers_of_a_range_that_may_be_negative_round_down(bounds: str) -> None:
    f = define(f"""
        def f(a, b, x):
            total = 0
            for i in range({bounds}):
                total = total * 20 + i // len(a)
            return total
    """)["f"]
    run(f, np.arange(10, 20), np.array([0, 1], np.uint8), -3)


def test_a_variable_that_becomes_negative_rounds_down() -> None:
    def f(a, n):
        i = 2
        total = 0
        while n > 0:
            total = total * 20 + i // len(a)
            i -= 1
            n -= 1
        return total

    run(f, np.arange(10, 20), 5)


def test_a_variable_that_becomes_negative_in_one_arm_rounds_down() -> None:
    def f(a, x):
        i = len(a) // 2
        if x:
            i = -1
        return i // len(a)

    assert run(f, np.arange(4), 1) == -1
    assert run(f, np.arange(4), 0) == 0


def test_a_variable_that_follows_another_that_becomes_negative_rounds_down() -> None:
    def f(a, n):
        i = j = 1
        total = 0
        for _ in range(n):
            total = total * 20 + i // len(a)
            i = j
            j = j - 1
        return total

    run(f, np.arange(10, 20), 5)


def test_a_tuple_whose_item_becomes_negative_rounds_down() -> None:
    def f(a, n):
        place = (1, 2)
        total = 0
        for _ in range(n):
            total = total * 20 + place[0] // len(a)
            place = (place[1] - 3, place[0])
        return total

    run(f, np.arange(10, 20), 4)


def test_a_loop_over_a_tuple_with_a_negative_item_rounds_down() -> None:
    def f(a):
        total = 0
        for i in (0, 1, -1):
            total = total * 20 + i // len(a)
        return total

    run(f, np.arange(10, 20))


def test_a_kernel_gets_negative_numbers_after_others() -> None:
    @kernel
    def divide(a, i):
        return i // len(a)

    def f(a, x):
        return divide(a, 0), divide(a, len(a) + 1), divide(a, x), divide(a, -5)

    assert run(f, np.arange(4), -1) == (0, 1, -1, -2)


@pytest.mark.parametrize("divisor", ["len(b)", "b[0]", "7", "(x & 7 | 1)"])
def test_division_of_negative_numbers_rounds_down(divisor: str) -> None:
    f = define(f"""
        def f(b, x):
            return x // {divisor}, x % {divisor}, (len(b) - 3) // {divisor}, b[0] // (-{divisor}), b[0] % (-{divisor})
    """)["f"]
    for x in (-9, -7, -1, 0, 5, -(2**63)):
        run(f, np.array([6, 1], np.uint16), x)


def test_comparisons_and_extremes_of_negative_numbers_are_signed() -> None:
    def f(b, x):
        return len(b) > x, b[0] >= x, min(len(b), x), max(b[0], x), min(len(b), b[0]), abs(x), (len(b) - 5) >> 1

    assert run(f, np.array([3], np.uint32), -1) == (True, True, -1, 3, 1, 1, -2)
