"""What names in a kernel mean: locals, closures, globals, builtins, enumerations and kernels."""

import enum
from typing import NamedTuple

import numpy as np
import pytest

from marchland.kernels import KernelError, Word
from tests.support.kernels import define, kernel, run, run_checked, run_compiled

LIMIT = 10
HUGE = 2**63 - 1
MASK = Word(2**64 - 1)
FLAG = True


class Colour(enum.IntEnum):
    RED = 1
    GREEN = 5


class Fruit(enum.Enum):
    APPLE = 3
    PAIR = (4, 5)


class Config:
    top = 3

    class Inner:
        step = -4


class Node(NamedTuple):
    x: int
    y: int


CONSTANT_NODE = Node(5, 6)


def test_globals_are_constants() -> None:
    def f(x):
        return x + LIMIT, HUGE, MASK, FLAG

    assert run(f, 1) == (11, 2**63 - 1, 2**64 - 1, True)


def test_a_closure_variable_is_a_constant() -> None:
    step = 5

    def f(x):
        return x + step

    assert run(f, 1) == 6


def test_attributes_of_classes_and_values_of_enumerations_are_constants() -> None:
    def f(x):
        return Config.top + Config.Inner.step + Colour.GREEN + Colour.RED.value + Fruit.APPLE.value + x

    assert run(f, 0) == 8


def test_the_value_of_an_enumeration_may_be_a_tuple() -> None:
    def f(x):
        return Fruit.PAIR.value[x]

    assert run(f, 1) == 5


def test_an_attribute_of_a_constant_named_tuple_is_a_constant() -> None:
    def f(x):
        return CONSTANT_NODE.y + x

    assert run(f, 1) == 7


def test_a_member_of_a_plain_enumeration_is_no_number() -> None:
    def f(x):
        return x == Fruit.APPLE

    with pytest.raises(KernelError, match="an integer and <Fruit.APPLE: 3> cannot be compared so"):
        run_compiled(f, 3)


def test_an_integer_of_numpy_is_no_constant_because_it_wraps_in_python() -> None:
    small = np.uint8(200)

    def f(x):
        return small + x

    with pytest.raises(KernelError, match=r"np.uint8\(200\) and an integer cannot be combined so"):
        run_compiled(f, 100)


def test_a_global_array_is_refused() -> None:
    table = np.arange(3)

    def f(a, x):
        return a[table] + x

    with pytest.raises(KernelError, match=r"an integer is needed here, not array\(\[0, 1, 2\]\)"):
        run_compiled(f, np.arange(3), 1)


def test_a_local_may_be_called_like_a_builtin() -> None:
    def f(len, x):
        min = len + x
        return min

    assert run(f, 2, 3) == 5


def test_a_kernel_may_be_called_like_a_builtin() -> None:
    @kernel
    def max(x, y):
        return x * y

    def f(x):
        return max(x, 3)

    assert run(f, 4) == 12


def test_a_global_range_is_not_the_builtin() -> None:
    names = define("""
        @kernel
        def range(n):
            return (n, n)

        def f(x):
            total = 0
            for i in range(x):
                total += i
            return total
    """)
    assert run(names["f"], 4) == 8


def test_a_builtin_under_another_name_is_the_builtin() -> None:
    size = len

    def f(a):
        return size(a)

    assert run(f, np.zeros(3, np.int8)) == 3


@pytest.mark.parametrize("name", ["text", "table", "form", "classes", "fault", "floor_div", "llvm", "größe", "名"])
def test_a_kernel_may_have_any_name(name: str) -> None:
    names = define(f"""
        @kernel
        def {name}(x):
            return (1, 2, 3)[x] // x + 10 // x

        def f(x):
            return {name}(x), {name}(x + 1)
    """)
    assert run(names["f"], 1) == (12, 6)
    assert run(names[name], 1) == 12
    with pytest.raises(ZeroDivisionError, match=rf"\({name} in sample, line 4\)"):
        run(names["f"], 0)


def test_a_fault_names_the_line_of_the_function_among_several_of_one_name() -> None:
    names = define("""
        @kernel
        def f(x):
            return 1 // x

        first = f

        @kernel
        def f(x):
            y = x
            return y % x

        def both(x, y):
            return first(x) + f(y)
    """)
    with pytest.raises(ZeroDivisionError, match=r"line 4\)"):
        run_checked(names["both"], 0, 1)
    with pytest.raises(ZeroDivisionError, match=r"line 11\)"):
        run_checked(names["both"], 1, 0)


def test_kernels_made_by_one_function_have_closures_of_their_own() -> None:
    def make(step):
        @kernel
        def add(x):
            return x + step

        return add

    one, ten = make(1), make(10)

    def f(x):
        return one(x) + ten(x)

    assert run(f, 0) == 11


def test_a_kernel_is_called_with_keywords_and_defaults() -> None:
    @kernel
    def combine(x, y=2, z=3):
        return x * 100 + y * 10 + z

    def f(x):
        return combine(x), combine(z=x, x=1), combine(x, 5), combine(x, z=9)

    assert run(f, 7) == (723, 127, 753, 729)


def test_a_word_as_default_is_a_word() -> None:
    @kernel
    def next_word(x, step=Word(2**64 - 1)):
        return Word(x) + step

    def f(x):
        return next_word(x)

    assert run(f, 3) == 2


def test_a_kernel_is_compiled_for_each_type_that_it_is_called_with() -> None:
    @kernel
    def first(a):
        return a[0]

    def f(a, b, t):
        return first(a), first(b), first(t)

    assert run(f, np.array([-1], np.int8), np.array([255], np.uint8), (7, 8)) == (-1, 255, 7)


def test_an_unused_result_is_dropped() -> None:
    @kernel
    def change(a):
        a[0] = 1
        return a[0], 2

    def f(a):
        change(a)
        len(a)

    a = np.zeros(1, np.int8)
    run(f, a)
    assert a[0] == 1


def test_a_kernel_may_return_an_array_to_a_kernel() -> None:
    @kernel
    def tail(a):
        return a[1:], len(a)

    def f(a):
        rest, count = tail(a)
        return rest[0] * 10 + count

    assert run(f, np.array([5, 6, 7])) == 63
