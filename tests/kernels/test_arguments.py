"""What a kernel may be called with, what it refuses, and what it returns."""

import enum
import gc
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from marchland.kernels import Kernel, KernelError, Word
from marchland.kernels.types import ELEMENT_TYPES


class Point(NamedTuple):
    x: int
    y: int = 7


class Other(NamedTuple):
    x: int
    y: int


class NamedPoint(Point):
    """A subclass of a NamedTuple."""


class Mine(tuple[int, ...]):
    """A tuple of a class of its own."""


class MyArray(np.ndarray[Any, Any]):
    """An array of a class of its own."""


class Number(int):
    """An integer of a class of its own."""


class Colour(enum.IntEnum):
    RED = 1


class Nested(NamedTuple):
    point: Point
    word: Word
    items: tuple[int, tuple[int, int]]


def make_identity() -> Kernel:
    @Kernel
    def identity(x):
        return x

    return identity


def make_first() -> Kernel:
    @Kernel
    def first(a):
        return a[0]

    return first


def make_store() -> Kernel:
    @Kernel
    def store(a, b):
        a[0] = b[0] + 1
        return a[0]

    return store


# -------------------------------------------------------------------- numbers


@pytest.mark.parametrize("given", [0, -1, 1, 2**63 - 1, -(2**63), True, False])
def test_an_integer_of_64_bits_comes_back(given: int) -> None:
    assert make_identity()(given) == given


@pytest.mark.parametrize("dtype", [*ELEMENT_TYPES, "uint64", "longlong", "intp"])
def test_an_integer_of_numpy_comes_back_as_one_of_python(dtype: str) -> None:
    result = make_identity()(np.dtype(dtype).type(100))
    assert result == 100
    assert type(result) is int


@pytest.mark.parametrize("given", [0, 1, 2**63, 2**64 - 1])
def test_a_word_comes_back_as_a_word(given: int) -> None:
    result = make_identity()(Word(given))
    assert result == given
    assert type(result) is Word


@pytest.mark.parametrize("given", [2**63, -(2**63) - 1, 2**64, 10**30, np.uint64(2**63)])
def test_an_integer_above_64_bits_is_refused(given: Any) -> None:
    identity = make_identity()
    with pytest.raises(OverflowError, match=f"kernel identity: argument 'x' cannot be passed: {given} does not fit 64"):
        identity(given)


def test_an_integer_above_64_bits_is_refused_by_a_kernel_that_is_compiled_for_integers() -> None:
    identity = make_identity()
    identity(1)
    with pytest.raises(OverflowError, match="does not fit 64 bits"):
        identity(2**63)
    assert identity(-1) == -1


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (1.0, "float"),
        ([1, 2], "list"),
        ("text", "str"),
        (b"text", "bytes"),
        (None, "NoneType"),
        ({1: 2}, "dict"),
        (np.float64(1), "float64"),
        (np.bool_(True), "bool"),
        (Number(3), "Number"),
        (Colour.RED, "Colour"),
        (memoryview(b"12"), "memoryview"),
        ((1, (2, None)), "NoneType"),
        (Point(1, 2.5), "float"),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_integer_array_or_tuple_is_refused(given: Any, named: str) -> None:
    identity = make_identity()
    reason = f"kernel identity: argument 'x' cannot be passed: {named} is not an integer, an integer array or a tuple"
    for _ in range(2):
        with pytest.raises(TypeError, match=reason):
            identity(given)
        identity(1)  # now it is compiled


# -------------------------------------------------------------------- arrays


@pytest.mark.parametrize("dtype", [*ELEMENT_TYPES, "q", "l", "i", "h", "b"])
def test_an_array_of_every_width_is_taken(dtype: str) -> None:
    first = make_first()
    for _ in range(2):
        assert first(np.array([5, 6], dtype)) == 5


@pytest.mark.parametrize(
    ("array", "reason"),
    [
        (np.zeros(2, np.float64), "an array of float64 is none of int8, int16, int32, int64, uint8, uint16, uint32"),
        (np.zeros(2, np.uint64), "an array of uint64 is none of"),
        (np.zeros(2, bool), "an array of bool is none of"),
        (np.array([1, None]), "an array of object is none of"),
        (np.array(["a"]), "an array of str32 is none of"),
        (np.zeros(2, [("a", "i4")]), "is none of"),
        (np.zeros(2, ">i8"), "not in this machine's byte order; pass array.astype"),
        (np.zeros(2, ">i4"), "not in this machine's byte order; pass array.astype"),
        (np.zeros((2, 2, 2), np.int8), r"an array of shape \(2, 2, 2\) is neither one-dimensional nor rows"),
        (np.array(5), r"an array of shape \(\) is neither"),
        (np.zeros((2, 0), np.int8), r"an array of shape \(2, 0\) is neither"),
        (np.arange(6)[::2], "the array is not contiguous and aligned; pass np.ascontiguousarray"),
        (np.arange(6)[::-1], "the array is not contiguous and aligned"),
        (np.zeros((2, 3), np.int8).T, "the array is not contiguous and aligned"),
        (np.zeros((2, 3), np.int8)[:, :2], "the array is not contiguous and aligned"),
        (np.frombuffer(bytes(17), np.int64, offset=1), "the array is not contiguous and aligned"),
        (np.zeros(2, np.int64).view(MyArray), "MyArray is a subclass of ndarray; pass np.asarray"),
        (np.ma.zeros(2, dtype=np.int64), "MaskedArray is a subclass of ndarray"),
    ],
)
def test_an_array_that_kernels_cannot_read_is_refused(array: Any, reason: str) -> None:
    first = make_first()
    for _ in range(2):
        with pytest.raises(TypeError, match=f"kernel first: argument 'a' cannot be passed: .*{reason}"):
            first(array)
        first(np.zeros(2, np.int64))  # now it is compiled for the nearest type


def test_rows_of_another_width_are_another_type() -> None:
    @Kernel
    def corner(a):
        return a[len(a) - 1, 0]

    assert corner(np.arange(6).reshape(2, 3)) == 3
    assert corner(np.arange(8).reshape(2, 4)) == 4
    assert corner(np.arange(6).reshape(2, 3)) == 3


def test_arrays_of_longlong_share_the_code_of_int64() -> None:
    store = make_store()
    for _ in range(2):
        a = np.zeros(1, np.longlong)
        assert store(a, np.ones(1, np.longlong)) == 2
        assert a[0] == 2


def test_a_read_only_array_that_is_only_read_is_fine() -> None:
    table = np.array([5])
    table.flags.writeable = False
    a = np.zeros(1, np.int64)
    assert make_store()(a, table) == 6


def test_a_read_only_array_that_is_stored_to_is_refused() -> None:
    store = make_store()
    table = np.array([5])
    table.flags.writeable = False
    for _ in range(2):
        with pytest.raises(TypeError, match="kernel store stores to 'a', but the array passed is read-only"):
            store(table, np.zeros(1, np.int64))
        store(np.zeros(1, np.int64), table)
    assert table[0] == 5


def test_an_array_in_a_tuple_is_named_by_its_field() -> None:
    class Board(NamedTuple):
        cells: Any
        width: int

    @Kernel
    def change(board):
        board.cells[0] = 1

    table = np.zeros(1, np.int8)
    table.flags.writeable = False
    with pytest.raises(TypeError, match=r"kernel change stores to 'board\.cells', but the array passed is read-only"):
        change(Board(table, 1))


@pytest.mark.parametrize(
    "overlap",
    [lambda a: (a, a), lambda a: (a[:3], a[2:]), lambda a: (a[1:2], a), lambda a: (a, a[3:])],
)
def test_overlapping_arrays_of_which_one_is_stored_to_are_refused(overlap: Callable[[Any], Any]) -> None:
    store = make_store()
    store(np.zeros(1, np.int64), np.zeros(1, np.int64))
    with pytest.raises(TypeError, match="stores to 'a', which shares memory with 'b'; pass a copy of one"):
        store(*overlap(np.arange(4)))


def test_adjacent_arrays_do_not_overlap() -> None:
    a = np.arange(4)
    assert make_store()(a[:2], a[2:]) == 3
    assert make_store()(a[2:], a[:2]) == 4


def test_overlapping_arrays_that_are_only_read_are_fine() -> None:
    @Kernel
    def add(a, b):
        return a[0] + b[len(b) - 1]

    a = np.arange(4)
    assert add(a, a) == 3
    assert add(a[1:], a) == 4


def test_an_empty_array_inside_another_does_not_overlap_it() -> None:
    @Kernel
    def fill(a, b):
        for i in range(len(a)):
            a[i] = 7
        for i in range(len(b)):
            b[i] = 8

    a = np.zeros(4, np.int64)
    fill(a, a[2:2])
    fill(a[1:1], a)
    assert a.tolist() == [8, 8, 8, 8]


def test_an_array_of_another_thread_of_memory_is_passed_without_a_copy() -> None:
    @Kernel
    def change(a):
        a[0] = 9

    buffer = bytearray(16)
    change(np.frombuffer(buffer, np.int64))
    assert buffer[0] == 9


# -------------------------------------------------------------------- tuples


def test_named_tuples_of_two_classes_are_two_types() -> None:
    @Kernel
    def take(p):
        return p.x * 10 + p.y

    for _ in range(2):
        assert take(Point(1, 2)) == 12
        assert take(Other(3, 4)) == 34


def test_a_plain_tuple_is_no_named_tuple() -> None:
    @Kernel
    def take(p):
        return p.x

    assert take(Point(1, 2)) == 1
    with pytest.raises(KernelError, match="a tuple of 2 has no attribute 'x'"):
        take((1, 2))


@pytest.mark.parametrize("given", [NamedPoint(1, 2), Mine((1, 2))])
def test_a_tuple_of_another_class_is_refused(given: Any) -> None:
    @Kernel
    def take(p):
        return p[0]

    reason = f"argument 'p' cannot be passed: a {type(given).__name__} is neither a tuple nor directly a NamedTuple"
    for _ in range(2):
        with pytest.raises(TypeError, match=reason):
            take(given)
        take(Point(1, 2))


def test_a_named_tuple_without_one_of_its_fields_is_refused() -> None:
    @Kernel
    def take(p):
        return p[0]

    assert take(Point(1, 2)) == 1
    with pytest.raises(TypeError, match="kernel take cannot be called with these arguments"):
        take(tuple.__new__(Point, (1,)))


def test_a_list_in_place_of_a_tuple_is_refused() -> None:
    @Kernel
    def take(p):
        return p[0]

    take((1, 2))
    with pytest.raises(TypeError, match="list is not an integer"):
        take([1, 2])


# -------------------------------------------------------------------- number of arguments


def test_default_arguments_are_filled_in() -> None:
    @Kernel
    def add(x, y=2, z=Word(3)):
        return x + y + int(z)

    for _ in range(2):
        assert add(1) == 6
        assert add(1, 10) == 14
        assert add(1, 10, Word(100)) == 111


def test_missing_and_superfluous_arguments_are_refused() -> None:
    @Kernel
    def add(x, y):
        return x + y

    for _ in range(2):
        for arguments in ((), (1,), (1, 2, 3)):
            with pytest.raises(TypeError, match=f"kernel add takes 2 arguments, not {len(arguments)}"):
                add(*arguments)
        add(1, 2)


def test_a_kernel_without_parameters_can_be_called() -> None:
    @Kernel
    def answer():
        return 42

    assert answer() == 42
    with pytest.raises(TypeError, match="kernel answer takes 0 arguments, not 1"):
        answer(1)


def test_keyword_arguments_are_refused() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'x'"):
        make_identity()(x=1)


def test_keyword_arguments_are_refused_by_compiled_code_with_the_name_of_the_kernel() -> None:
    identity = make_identity()
    identity(1)
    with pytest.raises(TypeError, match=r"identity\(\) takes no keyword arguments"):
        identity(x=1)


def test_a_subclass_of_an_integer_is_dispatched_after_a_call_with_another_type() -> None:
    identity = make_identity()
    assert [identity(7), identity(np.int32(8)), identity(Word(9)), identity(10)] == [7, 8, 9, 10]


# -------------------------------------------------------------------- results


def test_tuples_come_back_in_their_classes() -> None:
    given = Nested(Point(1, -2), Word(2**64 - 1), (3, (4, 5)))
    result = make_identity()(given)
    assert result == given
    assert type(result) is Nested
    assert type(result.point) is Point
    assert type(result.word) is Word


def test_a_kernel_without_a_result_returns_none() -> None:
    @Kernel
    def nothing(x):
        pass

    assert nothing(1) is None


def test_a_class_that_is_made_again_under_the_same_name_is_another_class() -> None:
    def make() -> type[Any]:
        class Local(NamedTuple):
            x: int

        return Local

    one, two = make(), make()
    identity = make_identity()
    assert type(identity(one(1))) is one
    assert type(identity(two(1))) is two
    assert type(identity(one(1))) is one


# -------------------------------------------------------------------- references and exception state


def _count_references(*things: Any) -> list[int]:
    return [sys.getrefcount(thing) for thing in things]


def test_calls_keep_no_reference_to_arguments_results_or_classes() -> None:
    @Kernel
    def work(a, n, w, p):
        a[0] = n
        return p, w, (n, n + 1)

    a, number, word, point = np.zeros(2, np.int64), 123_456_789, Word(2**63), Point(10**6, 10**7)
    work(a, number, word, point)
    gc.collect()  # garbage of earlier tests refers to None
    before = _count_references(a, number, word, point, Point, Word, None, np.ndarray)
    blocks = sys.getallocatedblocks()
    for _ in range(100_000):
        work(a, number, word, point)
    gc.collect()
    assert sys.getallocatedblocks() - blocks < 50_000  # one for each call would be twice as many
    after = _count_references(a, number, word, point, Point, Word, None, np.ndarray)
    assert all(abs(one - other) < 50_000 for one, other in zip(before, after, strict=True))


def test_refused_calls_and_faults_keep_no_reference() -> None:
    @Kernel
    def divide(a, x):
        return a[0] // x

    a, b = np.ones(2, np.int64), np.ones(2, np.int32)
    divide(a, 1)

    def call_wrongly() -> None:
        for arguments in ((a, 0), (a, 2**70), (a, 1.5), (a[::-1], 1), (a,)):
            with pytest.raises((ArithmeticError, TypeError)):
                divide(*arguments)
        divide(b, 1)
        divide(a, 1)

    call_wrongly()
    before = _count_references(a, b, np.ndarray, None)
    gc.collect()
    blocks = sys.getallocatedblocks()
    for _ in range(2000):
        call_wrongly()
    gc.collect()
    assert sys.getallocatedblocks() - blocks < 1000
    assert all(abs(x - y) < 1000 for x, y in zip(before, _count_references(a, b, np.ndarray, None), strict=True))


def test_a_fault_leaves_no_exception_behind() -> None:
    @Kernel
    def divide(x, y):
        return x // y

    with pytest.raises(ZeroDivisionError) as caught:
        divide(1, 0)
    assert caught.value.__context__ is None
    assert sys.exc_info() == (None, None, None)
    assert divide(6, 3) == 2


def test_minus_one_is_no_sign_of_an_error() -> None:
    @Kernel
    def add(x, w):
        return x + int(w >> 1)

    add(1, Word(1))
    assert add(-1, Word(2**64 - 1)) == 2**63 - 2


def test_a_kernel_has_the_name_and_text_of_its_function() -> None:
    @Kernel
    def area(x, y):
        """The area."""
        return x * y

    assert (vars(area)["__name__"], area.__doc__) == ("area", "The area.")
    assert repr(area).endswith("area>")
