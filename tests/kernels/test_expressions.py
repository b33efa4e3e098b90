"""Each expression on integers and Words gives the same in Python, checked and compiled mode."""

import itertools
import operator
from collections.abc import Callable

import numpy as np
import pytest

from marchland.kernels import KernelError, Word
from tests.support.kernels import define, kernel, run, run_checked, run_compiled

LOWEST = -(2**63)
HIGHEST = 2**63 - 1
NUMBERS = (0, 1, -1, 2, -2, 7, -7, 63, HIGHEST, LOWEST, LOWEST + 1)
WORDS = (0, 1, 2, 7, 2**32, 2**63 - 1, 2**63, 2**64 - 1)
_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}


def _fits(value: int) -> bool:
    return LOWEST <= value <= HIGHEST


@pytest.mark.parametrize("symbol", _OPERATORS)
def test_an_operator_on_integers_does_what_python_does(symbol: str) -> None:
    f = define(f"""
        def f(a, x, y):
            for i in range(len(x)):
                a[i] = x[i] {symbol} y[i]
    """)["f"]
    pairs = [
        (x, y)
        for x, y in itertools.product(NUMBERS, NUMBERS)
        if (y or symbol not in ("//", "%")) and _fits(_OPERATORS[symbol](x, y))
    ]
    left, right = (np.array(side, np.int64) for side in zip(*pairs, strict=True))
    results = np.zeros(len(pairs), np.int64)
    run(f, results, left, right)
    assert results.tolist() == [_OPERATORS[symbol](x, y) for x, y in pairs]


@pytest.mark.parametrize("divisor", [1, 2, 8, 2**62, 3, 10, -1, -2, -8, -7, HIGHEST])
def test_division_by_a_constant_rounds_down(divisor: int) -> None:
    f = define(f"""
        def f(x):
            return x // {divisor}, x % {divisor}
    """)["f"]
    for x in NUMBERS:
        if _fits(x // divisor):
            assert run(f, x) == divmod(x, divisor)


@pytest.mark.parametrize("symbol", [*_OPERATORS, "<<", ">>"])
def test_an_operator_on_words_wraps(symbol: str) -> None:
    f = define(f"""
        def f(x, y):
            return x {symbol} y
    """)["f"]
    for x, y in itertools.product(WORDS, WORDS):
        if (symbol in ("<<", ">>") and y > 63) or (symbol in ("//", "%") and not y):
            continue
        result = run(f, Word(x), Word(y))
        assert type(result) is Word


def test_a_constant_beside_a_word_is_a_word() -> None:
    def f(w):
        return w + 1, 3 - w, w // 2, 100 % w, w & 255, w * 0xFFFF_FFFF

    assert all(type(item) is Word for item in run(f, Word(2**64 - 1)))


def test_shifts_by_zero_to_63_do_what_python_does() -> None:
    def f(x, count):
        return x >> count, (x & 1) << (count & 31), 1 << (count % 63)

    for x, count in itertools.product(NUMBERS, (0, 1, 31, 62, 63)):
        run(f, x, count)


def test_a_word_counts_a_shift_of_an_integer() -> None:
    def f(x, w):
        return x << w

    assert run(f, 3, Word(4)) == 48


def test_a_right_shift_of_an_integer_keeps_its_sign_and_of_a_word_does_not() -> None:
    def f(x, w):
        return x >> 60, w >> 60

    assert run(f, LOWEST, Word(2**63)) == (-8, 8)


@pytest.mark.parametrize("x", [number for number in NUMBERS if number != LOWEST])
def test_unary_operators_on_integers(x: int) -> None:
    def f(x):
        return -x, +x, ~x, abs(x)

    assert run(f, x) == (-x, x, ~x, abs(x))


@pytest.mark.parametrize("w", WORDS)
def test_unary_operators_on_words_are_unsigned(w: int) -> None:
    def f(w):
        return -w, +w, ~w, abs(w)

    assert run(f, Word(w)) == (-w % 2**64, w, 2**64 - 1 - w, w)


@pytest.mark.parametrize("symbol", ["<", "<=", "==", "!=", ">", ">="])
def test_comparisons_of_integers_are_signed_and_of_words_unsigned(symbol: str) -> None:
    f = define(f"""
        def f(x, y):
            return x {symbol} y
    """)["f"]
    for x, y in itertools.product(NUMBERS, NUMBERS):
        run(f, x, y)
    for x, y in itertools.product(WORDS, WORDS):
        run(f, Word(x), Word(y))


def test_a_comparison_is_a_number() -> None:
    def f(x):
        return (x > 1) + (x > 2) + (x > 3)

    assert run(f, 3) == 2


def test_a_comparison_chain_evaluates_each_operand_at_most_once() -> None:
    @kernel
    def count(a, value):
        a[0] += 1
        return value

    def f(a, x, y, z):
        return count(a, x) < count(a, y) <= count(a, z)

    for numbers, calls in (((1, 2, 2), 3), ((2, 1, 5), 2), ((1, 2, 0), 3), ((1, 5, 3), 3)):
        a = np.zeros(1, np.int64)
        x, y, z = numbers
        assert run(f, a, *numbers) == (x < y <= z)
        assert a[0] == calls


def test_in_compares_with_every_item() -> None:
    def f(x, y):
        return x in (1, y, 5), x not in (1, y, 5), x in (), x not in ()

    assert run(f, 3, 3) == (True, False, False, True)
    assert run(f, 2, 3) == (False, True, False, True)


def test_a_word_can_be_looked_for_among_constants() -> None:
    def f(w):
        return w in (1, 2)

    assert run(f, Word(2))


@pytest.mark.parametrize(("x", "y"), [(0, 0), (0, 4), (3, 0), (3, 4)])
def test_and_and_or_give_the_operand_that_decides(x: int, y: int) -> None:
    def f(x, y):
        return (x and y), (x or y), (not x), (not x or y)

    assert run(f, x, y) == ((x and y), (x or y), (not x), (not x or y))


def test_and_and_or_do_not_evaluate_what_does_not_matter() -> None:
    def f(a, i):
        return (i < len(a) and a[i] > 2), (i >= len(a) or a[i] > 2)

    a = np.array([1, 3])
    assert [run(f, a, i) for i in range(3)] == [(False, False), (True, True), (False, True)]


def test_and_of_words_is_a_word() -> None:
    def f(v, w):
        return (v and w) + 1

    assert run(f, Word(1), Word(2**64 - 1)) == 0


def test_a_conditional_expression_evaluates_one_side() -> None:
    def f(x):
        return 10 // x if x else 0

    assert [run(f, x) for x in (0, 3)] == [0, 3]


def test_a_constant_condition_leaves_out_the_other_side() -> None:
    is_debugging = False

    def f(x):
        if is_debugging and (1 if x else 2) == 1:
            return x / 2
        return x + (1 if is_debugging else 2)

    assert run(f, 3) == 5


def test_a_condition_that_is_never_true_may_be_followed_by_any_other() -> None:
    def f(x):
        if x in () and (1 if x else 2) == 1 and x < (3 if x else 4) < 5:
            return 1
        return 0

    assert run(f, 3) == 0


def test_min_and_max_take_two_or_more_numbers() -> None:
    def f(x, y, z):
        return min(x, y), max(x, y, z), min(x, y, z, 0)

    assert run(f, 3, -7, 9) == (-7, 9, -7)


def test_min_and_max_of_words_are_unsigned() -> None:
    def f(v, w):
        return min(v, w), max(v, w)

    assert run(f, Word(1), Word(2**63)) == (1, 2**63)


def test_min_of_a_word_and_a_constant_is_refused_because_python_may_return_either_type() -> None:
    def f(w):
        return min(w, 5) - 7

    with pytest.raises(KernelError, match="min of a Word, an integer"):
        run_compiled(f, Word(9))


def test_int_and_word_convert() -> None:
    def f(x, w):
        return Word(x), int(w), Word(w), int(x), Word(-1)

    result = run(f, -1, Word(2**63 - 1))
    assert result == (2**64 - 1, 2**63 - 1, 2**63 - 1, -1, 2**64 - 1)
    assert [type(item) for item in result] == [Word, int, Word, int, Word]


def test_a_word_literal_may_have_64_bits() -> None:
    def f(w):
        return (w ^ Word(0x9E37_79B9_7F4A_7C15)) * Word(0xFFFF_FFFF_FFFF_FFFF)

    assert run(f, Word(1)) == -(1 ^ 0x9E37_79B9_7F4A_7C15) % 2**64


def test_bool_is_one_or_zero() -> None:
    def f(x, w):
        return bool(x) + bool(w) * 2

    assert run(f, 5, Word(0)) == 1
    assert run(f, 0, Word(2**63)) == 2


def test_truth_values_are_numbers() -> None:
    def f(flag):
        return flag + True, flag == 1, False

    assert run(f, True) == (2, True, False)


def test_the_lowest_and_highest_integers_can_be_written() -> None:
    def f(x):
        return x + -9223372036854775808, 9223372036854775807 - x

    assert run(f, 0) == (LOWEST, HIGHEST)


def test_the_lowest_integer_divided_by_minus_one_wraps_in_compiled_mode() -> None:
    def f(x, y):
        return x // y, x % y

    assert run_compiled(f, LOWEST, -1) == (LOWEST, 0)


def test_a_sum_wraps_in_compiled_mode() -> None:
    def f(x):
        return x + 1

    assert run_compiled(f, HIGHEST) == LOWEST


@pytest.mark.parametrize("count", [64, 65, -1])
def test_shift_counts_wrap_in_compiled_mode(count: int) -> None:
    def f(x, count):
        return x << count, x >> count

    assert run_compiled(f, 4, count) == (
        (4 << (count % 64)) if count % 64 < 60 else 0,
        4 >> (count % 64),
    )


def test_a_shift_by_a_constant_above_63_wraps_in_compiled_mode_and_fails_in_checked_mode() -> None:
    def f(x):
        return x >> 64

    assert run_compiled(f, 4) == 4
    with pytest.raises(ValueError, match="shift count 64 is outside 0 to 63"):
        run_checked(f, 4)


def test_operands_are_evaluated_from_left_to_right() -> None:
    @kernel
    def take(a):
        a[0] += 1
        return a[0]

    def f(a):
        return take(a) * 1000 + take(a) * 100 + (take(a), take(a))[1] * 10 + max(take(a), 0)

    assert run(f, np.zeros(1, np.int64)) == 1245
