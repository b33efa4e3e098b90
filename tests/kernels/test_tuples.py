"""Tuples and NamedTuples as arguments, results and local values."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from marchland.kernels import Word
from tests.support.kernels import kernel, run


class Point(NamedTuple):
    x: int
    y: int = 7

    def norm(self) -> int:
        return abs(self.x) + abs(self.y)


class Line(NamedTuple):
    start: Point
    end: Point
    word: Word = Word(3)


class Board(NamedTuple):
    cells: Any
    width: int


PAIRS = ((1, 2), (3, 4), (5, 6))


def test_a_named_tuple_has_attributes_and_items() -> None:
    def f(p):
        return p.x * 10 + p[1] + p[-2] * 100

    assert run(f, Point(3, 4)) == 334


def test_a_named_tuple_takes_keywords_and_defaults() -> None:
    def f(x):
        return Point(x), Point(y=x, x=1), Point(x, y=2)

    assert run(f, 5) == (Point(5, 7), Point(1, 5), Point(5, 2))


def test_keyword_arguments_are_evaluated_in_the_order_they_are_written() -> None:
    @kernel
    def take(a):
        a[0] += 1
        return a[0]

    def f(a):
        return Point(y=take(a), x=take(a))

    assert run(f, np.zeros(1, np.int64)) == Point(x=2, y=1)


def test_nested_named_tuples_come_back_as_they_are() -> None:
    def f(line):
        return Line(line.end, Point(line.start.y, line.start.x)), (line.word, (1, (2,))), ()

    result = run(f, Line(Point(1, 2), Point(3, 4), Word(2**64 - 1)))
    assert result == (Line(Point(3, 4), Point(2, 1)), (2**64 - 1, (1, (2,))), ())
    assert type(result[0].start) is Point
    assert type(result[0].word) is Word


def test_an_array_in_a_named_tuple_is_the_array() -> None:
    def f(board):
        board.cells[1] = board.width
        return len(board.cells)

    cells = np.zeros(3, np.int8)
    assert run(f, Board(cells, 5)) == 3
    assert cells.tolist() == [0, 5, 0]


@pytest.mark.parametrize("index", range(-3, 3))
def test_a_tuple_is_indexed_by_a_variable(index: int) -> None:
    def f(i, x):
        return (x, 5, 6)[i], (7, 8, 9)[i], PAIRS[i], PAIRS[i][1], ((x, 1), (x, 2), (x, 3))[i][1]

    assert run(f, index, 4) == (
        (4, 5, 6)[index],
        (7, 8, 9)[index],
        PAIRS[index],
        PAIRS[index][1],
        (1, 2, 3)[index],
    )


def test_a_tuple_of_named_tuples_is_indexed_by_a_variable() -> None:
    def f(i):
        return (Point(1, 2), Point(3, 4))[i]

    assert run(f, 1) == Point(3, 4)


def test_a_tuple_of_words_is_indexed_by_a_variable() -> None:
    words = Word(1), Word(2**64 - 1)

    def f(i):
        return words[i]

    assert run(f, 1) == 2**64 - 1


@pytest.mark.parametrize("index", [3, -4, 2**63 - 1, -(2**63)])
def test_an_index_outside_a_tuple_fails(index: int) -> None:
    def f(i, x):
        return (x, 5, 6)[i]

    with pytest.raises(IndexError, match=f"index {index} is out of range for length 3"):
        run(f, index, 4)


def test_a_tuple_in_a_variable_keeps_its_values() -> None:
    def f(x):
        t = (x, x + 1)
        x = 100
        if x > t[0]:
            t = (t[1], x)
        return t

    assert run(f, 1) == (2, 100)


def test_len_of_a_tuple_is_its_number_of_items() -> None:
    def f(x):
        return len((x, x)), len(PAIRS), len(())

    assert run(f, 1) == (2, 3, 0)


def test_a_conditional_expression_may_give_a_tuple() -> None:
    def f(x):
        p = Point(1, 2) if x else Point(3, 4)
        a, b = (x, 1) if x > 5 else (2, x)
        return p.x, a, b

    assert run(f, 3) == (1, 2, 3)


def test_an_empty_tuple_is_not_none() -> None:
    def f(x):
        return ()

    assert run(f, 1) == ()


def test_none_is_not_an_empty_tuple() -> None:
    def f(x):
        return None

    assert run(f, 1) is None


def test_an_empty_tuple_can_be_passed() -> None:
    def f(t, x):
        return len(t) + x

    assert run(f, (), 3) == 3
