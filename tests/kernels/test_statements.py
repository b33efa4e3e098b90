"""Each statement of the kernel language gives the same in Python, checked and compiled mode."""

import numpy as np
import pytest

from tests.support.kernels import define, kernel, run


def test_a_chained_assignment_gives_every_target_the_same_value() -> None:
    def f(a, x):
        a[0] = y = z = x + 1
        return y, z

    a = np.zeros(1, np.int64)
    assert run(f, a, 4) == (5, 5)
    assert a[0] == 5


def test_an_annotated_assignment_is_an_assignment() -> None:
    def f(x):
        y: int = x + 1
        return y

    assert run(f, 1) == 2


def test_names_can_be_swapped() -> None:
    def f(x, y):
        x, y = y, x
        return x, y

    assert run(f, 1, 2) == (2, 1)


def test_targets_of_an_unpacking_are_assigned_from_left_to_right() -> None:
    def f(a, i):
        i, a[i] = 1, 7
        return i

    a = np.zeros(2, np.int8)
    assert run(f, a, 0) == 1
    assert a.tolist() == [0, 7]


def test_nested_tuples_are_unpacked() -> None:
    def f(x):
        (a, b), (c, (d,)) = (x, 2), (3, (4,))
        return a * 1000 + b * 100 + c * 10 + d

    assert run(f, 1) == 1234


@pytest.mark.parametrize(
    ("operator", "expected"),
    [("+", 16), ("-", 10), ("*", 39), ("//", 4), ("%", 1), ("&", 1), ("|", 15), ("^", 14), ("<<", 104), (">>", 1)],
)
def test_every_operator_has_an_augmented_assignment(operator: str, expected: int) -> None:
    f = define(f"""
        def f(x, y):
            x {operator}= y
            return x
    """)["f"]
    assert run(f, 13, 3) == expected


def test_the_target_of_an_augmented_assignment_is_evaluated_once() -> None:
    @kernel
    def take(a):
        a[0] += 1
        return a[0]

    def f(a, b):
        b[take(a)] += 10

    a, b = np.zeros(1, np.int64), np.arange(4)
    run(f, a, b)
    assert a.tolist() == [1]
    assert b.tolist() == [0, 11, 2, 3]


def test_an_augmented_element_is_loaded_before_the_operand_is_evaluated() -> None:
    @kernel
    def overwrite(a):
        a[0] = 100
        return 1

    def f(a):
        a[0] += overwrite(a)

    a = np.array([5])
    run(f, a)
    assert a[0] == 6


def test_the_value_of_an_assignment_is_evaluated_before_its_target() -> None:
    @kernel
    def take(a):
        a[0] += 1
        return a[0]

    def f(a, b):
        b[take(a)] = take(a)

    a, b = np.zeros(1, np.int64), np.zeros(4, np.int64)
    run(f, a, b)
    assert b.tolist() == [0, 0, 1, 0]


def test_elif_and_else_choose_one_arm() -> None:
    def f(x):
        if x < 0:
            y = 1
        elif x == 0:
            y = 2
        else:
            y = 3
        return y

    assert [run(f, x) for x in (-5, 0, 5)] == [1, 2, 3]


def test_a_name_assigned_in_every_arm_that_goes_on_has_a_value() -> None:
    def f(x):
        if x < 0:
            return -1
        elif x:
            y = 2
        else:
            y = 3
        return y

    assert [run(f, x) for x in (-5, 0, 5)] == [-1, 3, 2]


def test_while_runs_until_its_condition_is_false() -> None:
    def f(x):
        steps = 0
        while x != 1:
            x = x // 2 if x % 2 == 0 else 3 * x + 1
            steps += 1
        return steps

    assert run(f, 27) == 111


def test_a_name_assigned_before_the_only_break_of_an_endless_loop_has_a_value() -> None:
    def f(x):
        while True:
            x += 1
            if x % 7 == 0:
                y = x
                break
        return y

    assert run(f, 15) == 21


def test_an_endless_loop_that_only_returns_needs_no_return_after_it() -> None:
    def f(x):
        while True:
            x += 1
            if x % 5 == 0:
                return x

    assert run(f, 11) == 15


def test_continue_in_while_evaluates_the_condition_again() -> None:
    def f(x):
        total = 0
        while x > 0:
            x -= 1
            if x % 2:
                continue
            total += x
        return total

    assert run(f, 9) == 20


@pytest.mark.parametrize(
    "bounds",
    [
        (0, 5, 1),
        (5, 0, 1),
        (0, 5, -1),
        (5, 0, -1),
        (-3, 10, 4),
        (10, -3, -4),
        (0, 10, 10),
        (2**63 - 3, 2**63 - 1, 1),
        (2**63 - 6, 2**63 - 1, 4),
        (-(2**63) + 3, -(2**63), -1),
        (-(2**63) + 6, -(2**63), -4),
        (-(2**63), 2**63 - 1, 2**63 - 1),
        (2**63 - 1, -(2**63), -(2**63)),
    ],
)
def test_range_counts_with_a_variable_step(bounds: tuple[int, int, int]) -> None:
    def f(start, stop, step):
        count, last = 0, 0
        for i in range(start, stop, step):
            count += 1
            last = i
        return count, last

    expected = range(*bounds)
    assert run(f, *bounds) == (len(expected), expected[-1] if expected else 0)


@pytest.mark.parametrize("step", ["1", "-1", "2", "-3"])
def test_range_counts_with_a_constant_step(step: str) -> None:
    f = define(f"""
        def f(start, stop):
            total = 0
            for i in range(start, stop, {step}):
                total = total * 10 + i
            return total
    """)["f"]
    for start, stop in ((0, 6), (6, 0), (3, 3)):
        expected = 0
        for i in range(start, stop, int(step)):
            expected = expected * 10 + i
        assert run(f, start, stop) == expected


def test_range_of_one_bound_starts_at_zero() -> None:
    def f(n):
        total = 0
        for i in range(n):
            total = total * 10 + i
        return total

    assert run(f, 4) == 123
    assert run(f, -4) == 0


def test_the_bounds_of_a_range_are_evaluated_once() -> None:
    def f(n):
        count = 0
        for _ in range(n):
            n += 1
            count += 1
        return count, n

    assert run(f, 3) == (3, 6)


def test_an_assignment_to_the_loop_variable_does_not_change_the_iteration() -> None:
    def f(n):
        total = 0
        for i in range(n):
            total += i
            i = 100
        return total

    assert run(f, 4) == 6


def test_the_loop_variable_keeps_its_last_value() -> None:
    def f(n):
        i = -1
        for i in range(n):
            pass
        return i

    assert run(f, 4) == 3
    assert run(f, 0) == -1


def test_continue_and_break_in_a_range_belong_to_the_inner_loop() -> None:
    def f(n):
        total = 0
        for i in range(n):
            for j in range(n):
                if j == 1:
                    continue
                if j == 3:
                    break
                total += 10 * i + j
        return total

    assert run(f, 5) == sum(10 * i + j for i in range(5) for j in (0, 2))


def test_a_loop_over_a_tuple_takes_every_item() -> None:
    def f(x, y):
        total = 0
        for item in (x, 5, y):
            total = total * 10 + item
        return total

    assert run(f, 1, 9) == 159


def test_the_items_of_a_loop_are_evaluated_before_its_body_runs() -> None:
    def f(x):
        total = 0
        for item in (x, x + 1, x + 2):
            x = 100
            total += item
        return total

    assert run(f, 1) == 6


def test_a_loop_over_pairs_unpacks_them() -> None:
    def f(x):
        total = 0
        for a, b in ((x, 1), (2, x)):
            total = total * 100 + a * 10 + b
        return total

    assert run(f, 5) == 5125


def test_a_loop_over_an_empty_tuple_does_nothing() -> None:
    def f(x):
        for item in ():
            x = item
        return x

    assert run(f, 5) == 5


def test_a_return_in_a_loop_over_a_tuple_ends_the_kernel() -> None:
    def f(x):
        for item in (3, 5, 7):
            if item > x:
                return item
        return 0

    assert [run(f, x) for x in (1, 4, 9)] == [3, 5, 0]


def test_statements_after_a_return_are_not_looked_at() -> None:
    def f(x):
        return x
        x = x / 2

    assert run(f, 3) == 3


def test_docstrings_texts_and_pass_do_nothing() -> None:
    def f(x):
        """What it does."""
        pass
        "a remark"
        return x

    assert run(f, 3) == 3


def test_a_kernel_without_a_return_returns_none() -> None:
    def f(a):
        a[0] = 1

    a = np.zeros(1, np.int8)
    assert run(f, a) is None
    assert a[0] == 1


def test_a_bare_return_ends_a_kernel_that_returns_none() -> None:
    def f(a, x):
        if x:
            return
        a[0] = 1

    a = np.zeros(1, np.int8)
    run(f, a, 1)
    assert a[0] == 0


def test_a_variable_of_top_level_statements_may_change_its_type() -> None:
    def f(x):
        x = (x, x + 1)
        x = x[1]
        return x

    assert run(f, 3) == 4
