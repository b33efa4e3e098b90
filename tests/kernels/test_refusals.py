"""What the kernel language does not have is refused before anything runs, with file, line, text and advice."""

import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from marchland.kernels import Field, FieldsOpener, Kernel, KernelError, SettingsOpener, Word
from tests.support.kernels import define, translate

ARRAY = np.zeros(4, np.int8)
ROWS = np.zeros((2, 3), np.int8)
open_settings = SettingsOpener([("scale", 0, 0), ("table", 1, 2)])
open_field = FieldsOpener(None, 0, [Field("int64")])


class Point(NamedTuple):
    x: int
    y: int


def refuse(body: str, *arguments: Any, **names: Any) -> str:
    """The message for a kernel ``f(x, y, ...)`` with this body."""
    parameters = ", ".join("xyzuvw"[: len(arguments)])
    source = f"def f({parameters}):\n" + "\n".join(f"    {line}" for line in body.splitlines())
    with pytest.raises(KernelError) as caught:
        translate(define(source, Point=Point, Word=Word, **names)["f"], arguments)
    return str(caught.value)


def test_a_refusal_shows_file_line_kernel_reason_and_source() -> None:
    message = refuse("y = x\nreturn y / 2", 1)
    assert re.fullmatch(
        r"<sample \d+>:3: in kernel f: the kernel language has no such operator; division is `//`\n    return y / 2",
        message,
    )


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return x / 2", "no such operator; division is `//`"),
        ("return x ** 2", "no such operator; multiply instead"),
        ("return x @ x", "no such operator"),
        ("try:\n    y = 1\nexcept ValueError:\n    y = 2\nreturn y", "has no try; a kernel has no exceptions"),
        ("raise ValueError", "has no raise; a kernel has no exceptions; return a code"),
        ("assert x", "has no assert; a kernel has no exceptions; return a code"),
        ("with x:\n    pass", "has no with; a kernel cannot call out"),
        ("return [x, x]", "has no list; use a tuple, or an array that the caller passes"),
        ("return [i for i in (x, 1)]", "has no listcomp; use a loop"),
        ("return {x: 1}", "has no dict; use arrays"),
        ("return {x}", "has no set"),
        ("y = f'{x}'", "has no joinedstr; a kernel has no text"),
        ("return 'text'", "has no str"),
        ("return x + 1.5", "has no float"),
        ("return ...", "has no ellipsis"),
        ("y = lambda: 1", "has no lambda; write a kernel of its own"),
        ("def g():\n    pass", "has no functiondef; write a kernel of its own"),
        ("class C:\n    pass", "has no classdef"),
        ("global g\ng = 1", "has no global; pass an array and store into it"),
        ("del x", "has no delete; a kernel frees nothing"),
        ("import os", "has no import"),
        ("yield x", "has no expr"),
        ("return (y := x)", "has no namedexpr"),
        ("x + 1", "has no expr"),
        ("y: int", "has no annassign"),
        ("match x:\n    case 1:\n        pass", "has no match"),
        ("return x is None", "cannot be compared so"),
        ("while x:\n    x -= 1\nelse:\n    x = 1", "a loop in a kernel has no `else`"),
        ("for i in range(x):\n    pass\nelse:\n    x = 1", "a loop in a kernel has no `else`"),
        ("for i in range(x, 1, 1, 1):\n    pass", "with one to three bounds"),
        ("for i, j in range(x):\n    pass", "with one to three bounds"),
        ("for i in range(stop=x):\n    pass", "only kernels and NamedTuples take arguments like these"),
        ("for i in x:\n    pass", r"a loop goes over `range\(...\)` or a tuple"),
        ("for i in range(Word(x)):\n    pass", "an integer is needed here, not a Word"),
        ("a, *b = x, 1, 2", "2 names cannot be assigned from a tuple of 3"),
        ("a, b = x", "2 names cannot be assigned from an integer"),
        ("a, b = x, 1, 2", "2 names cannot be assigned from a tuple of 3"),
        ("[a, b] = x, 1", "only names, tuples of names and elements of arrays can be assigned"),
        ("Point.x = 1", "only names, tuples of names and elements of arrays can be assigned"),
        ("x[0] = 1", "an integer has no elements that can be assigned"),
        ("return x[0]", "an integer has no such part"),
        ("return x.real", "an integer has no attribute 'real'"),
        ("return unknown", "the name 'unknown' is not defined"),
        ("return Point.unknown", "Point has no attribute 'unknown'"),
        ("return len", "<built-in function len> cannot be returned"),
        ("y = len", "<built-in function len> cannot be assigned; use its name"),
        ("y = Point\nreturn y(1, 2)", "Point'> cannot be assigned; use its name"),
        ("return print(x)", "a kernel calls kernels, NamedTuples, len, min, max, abs, int, bool and Word"),
        ("return x(1)", "a kernel calls kernels, NamedTuples"),
        ("return min(x)", "no such operation as min of an integer"),
        ("return min(x, x, key=abs)", "only kernels and NamedTuples take arguments like these"),
        ("return len(x)", "no such operation as len of an integer"),
        ("return abs((x, 1))", "no such operation as abs of a tuple of 2"),
        ("return int()", "no such operation as int of nothing"),
        ("return max(*x)", r"arguments are passed one by one, without `\*`"),
        ("return Point(**x)", r"arguments are passed one by one, without `\*`"),
        ("return Point(x)", r"does not fit the parameters \(x, y\)"),
        ("return x + Word(x)", r"an integer and a Word cannot be combined so; convert one with `Word\(...\)`"),
        ("return Word(x) + -1", r"a Word and an integer cannot be combined so; convert one"),
        ("return Word(x) < x", "a Word and an integer cannot be compared so"),
        ("return x + (x, 1)", "an integer and a tuple of 2 cannot be combined so"),
        ("return (x, 1) == (x, 1)", "a tuple of 2 and a tuple of 2 cannot be compared so"),
        ("return x == None", "an integer and nothing cannot be compared so"),
        ("return -(x, 1)", "no such operation of a tuple of 2"),
        ("return len(None)", "no such operation as len of nothing"),
        ("if (x, 1):\n    pass", "a tuple of 2 is not a condition; compare numbers"),
        ("return x and (x, 1)", "`and` and `or` take numbers of one type"),
        ("return x and Word(x)", "`and` and `or` take numbers of one type"),
        ("return x if x else Word(x)", "one result is an integer, the other a Word"),
        ("return 9223372036854775808", r"9223372036854775808 does not fit 64 bits; a `Word` goes up to 2\*\*64 - 1"),
        ("return 9223372036854775808 if x else 0", "9223372036854775808 does not fit 64 bits"),
        ("return -9223372036854775809", "-9223372036854775809 does not fit 64 bits"),
        ("if x:\n    y = 1\nelse:\n    y = Word(1)", "'y' is an integer at first and a Word here"),
        ("while x:\n    x = (x, 1)", "'x' is an integer at first and a tuple of 2 here"),
        ("if x:\n    return 1\nreturn (1, 2)", "this returns a tuple of 2, an earlier line an integer"),
        ("if x:\n    return 1", "this returns nothing, an earlier line an integer"),
        ("for i in (1, Word(2)):\n    pass", "'i' is an integer at first and a Word here"),
        ("return (x, Word(x))[x]", "an index into a tuple of 2 that is no constant needs items that are all alike"),
        ("return ((), ())[x]", "an index into a tuple of 2 that is no constant needs items that are all alike"),
        ("return (x, 1)[0:1]", "a tuple of 2 has no such part"),
        ("return (x, 1)[Word(x)]", "an integer is needed here, not a Word"),
        ("return y\ny = 1", "'y' may have no value here; assign it on every path that leads here"),
        ("y += x\nreturn y", "'y' may have no value here"),
        ("for i in range(x):\n    y = i\nreturn y", "'y' may have no value here"),
        ("for i in range(x):\n    pass\nreturn i", "'i' may have no value here"),
        ("while x:\n    y = 1\n    x = 0\nreturn y", "'y' may have no value here"),
        ("while True:\n    if x:\n        break\n    y = 1\nreturn y", "'y' may have no value here"),
        ("for i in (1, 2):\n    if x:\n        continue\n    y = 1\nreturn y", "'y' may have no value here"),
    ],
)
def test_what_the_language_lacks_is_refused(body: str, reason: str) -> None:
    assert re.search(reason, refuse(body, 1))


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("x[0] = Word(1)", "an element of an array is an integer, not a Word"),
        ("x[0:1] = 1", r"an element of an array of int8 is \[index\]"),
        ("return x[0, 1]", r"an element of an array of int8 is \[index\]"),
        ("return x[Word(0)]", "an integer is needed here, not a Word"),
        ("return x[-1]", r"an index does not count from the end; write `len\(...\) - 1`"),
        ("x[-2] = 1", "an index does not count from the end"),
        ("return len(x[::1])", "a slice has no step"),
        ("return x + 1", "an array of int8 and an integer cannot be combined so"),
        ("if x:\n    pass", "an array of int8 is not a condition"),
        ("return 1 in x", "an integer and an array of int8 cannot be compared so"),
        ("return x.size", "an array of int8 has no attribute 'size'"),
        ("return x.sum()", "an array of int8 has no attribute 'sum'"),
        ("return x and 1", "`and` and `or` take numbers"),
        ("x += 1", "an array of int8 and an integer cannot be combined so"),
        ("for i in x:\n    pass", r"a loop goes over `range\(...\)` or a tuple"),
    ],
)
def test_what_arrays_lack_is_refused(body: str, reason: str) -> None:
    assert re.search(reason, refuse(body, ARRAY))


@pytest.mark.parametrize("body", ["return x[0]", "x[0] = 1", "return x[0][1]", "x[0, 0, 0] = 1"])
def test_a_row_without_a_column_is_refused(body: str) -> None:
    assert "an element of an array of int8 with 3 columns is [row, column]" in refuse(body, ROWS)


def test_a_slice_of_columns_is_refused() -> None:
    assert "has no slice" in refuse("return x[0, 0:1]", ROWS)


def test_arrays_of_two_types_in_one_variable_are_refused() -> None:
    message = refuse("a = x if z else y\nreturn a[0]", ARRAY, np.zeros(1, np.int16), 1)
    assert "one result is an array of int8, the other an array of int16" in message


def test_a_field_that_is_no_field_of_a_named_tuple_is_refused() -> None:
    assert "a Point has no attribute 'z'" in refuse("return x.z", Point(1, 2))


def test_a_method_of_a_named_tuple_is_refused() -> None:
    assert "a Point has no attribute '_replace'" in refuse("return x._replace(x=1)", Point(1, 2))


def test_a_store_to_settings_is_refused() -> None:
    message = refuse("settings = open_settings(x)\nsettings.table[0] = 1", np.arange(3), open_settings=open_settings)
    assert "settings and tuples cannot be changed" in message


def test_a_setting_that_does_not_exist_is_refused() -> None:
    message = refuse("return open_settings(x).other", np.arange(3), open_settings=open_settings)
    assert "settings has no attribute 'other'" in message


def test_a_store_to_an_array_that_settings_are_opened_from_is_refused() -> None:
    body = "settings = open_settings(x)\nx[0] = 5\nreturn settings.scale"
    message = refuse(body, np.arange(3), open_settings=open_settings)
    assert "kernel f stores to an array that it opens settings from; pass a copy" in message


@pytest.mark.parametrize("numbers", [np.zeros(3, np.int32), np.zeros((3, 2), np.int64), 5])
def test_settings_of_anything_but_an_array_of_int64_are_refused(numbers: Any) -> None:
    message = refuse("return open_settings(x).scale", numbers, open_settings=open_settings)
    assert "settings are opened from an array of int64, not " in message


def test_a_buffer_of_anything_but_bytes_is_refused() -> None:
    for buffer in (np.zeros(8, np.int8), np.zeros((8, 1), np.uint8)):
        message = refuse("return len(open_field(x, y))", buffer, np.arange(2), open_field=open_field)
        assert "a buffer is an array of uint8, not " in message


def test_bounds_of_anything_but_int64_are_refused() -> None:
    for bounds in (np.zeros(8, np.int32), np.zeros((2, 2), np.int64)):
        message = refuse("return len(open_field(x, y))", np.zeros(8, np.uint8), bounds, open_field=open_field)
        assert "the bounds of a buffer's fields are an array of int64, not " in message


def test_a_kernel_called_with_too_many_arguments_is_refused() -> None:
    names = define("""
        @kernel
        def g(a, b=1):
            return a + b

        def f(x):
            return g(x, 1, 2)
    """)
    with pytest.raises(KernelError, match=r"the call does not fit the parameters \(a, b\)\n    return g\(x, 1, 2\)"):
        translate(names["f"], (1,))


def test_a_kernel_that_calls_itself_is_refused() -> None:
    names = define("""
        @kernel
        def f(x):
            return f(x - 1) if x else 0
    """)
    with pytest.raises(KernelError, match="f calls itself; a kernel cannot"):
        translate(names["f"], (1,))


def test_kernels_that_call_each_other_are_refused() -> None:
    names = define("""
        @kernel
        def f(x):
            return g(x)

        @kernel
        def g(x):
            return f(x)
    """)
    with pytest.raises(KernelError, match="f calls itself; a kernel cannot"):
        translate(names["f"], (1,))


def test_a_kernel_that_calls_itself_with_ever_larger_types_is_refused() -> None:
    names = define("""
        @kernel
        def f(t):
            return f((t, t))
    """)
    with pytest.raises(KernelError, match="f calls itself; a kernel cannot"):
        translate(names["f"], (1,))


def test_an_array_as_result_of_the_kernel_that_is_called_from_outside_is_refused() -> None:
    for body in ("return x", "return 1, (2, x[1:])"):
        assert "kernel f returns an array, which only a kernel that it calls can use" in refuse(body, ARRAY)


@pytest.mark.parametrize("parameters", ["*args", "**kwargs", "x, *, y=1", "x, /"])
def test_parameters_that_are_not_plain_are_refused(parameters: str) -> None:
    f = define(f"def f({parameters}):\n    return 1\n")["f"]
    with pytest.raises(KernelError, match="a kernel has plain positional parameters only"):
        translate(f, (1,) if parameters == "x, /" else ())


def test_a_closure_variable_without_a_value_is_refused() -> None:
    def f(x):
        return x + later

    with pytest.raises(KernelError, match="the name 'later' is not defined"):
        translate(f, (1,))
    later = 1
    assert later


def test_a_lambda_is_refused() -> None:
    with pytest.raises(KernelError, match="a lambda is no kernel; define it with `def`"):
        translate(Kernel(lambda x: x), (1,))


def test_a_kernel_whose_source_cannot_be_read_is_refused() -> None:
    names: dict[str, Any] = {}
    exec("def f(x):\n    return x\n", names)
    with pytest.raises(KernelError, match="<string>: the source of kernel f cannot be read"):
        translate(names["f"], (1,))


@pytest.mark.parametrize("edited", ["def f(x):\n    return x + 2\n", "\n\ndef f(x):\n    return x + 1\n", "x = 1\n"])
def test_a_file_edited_after_its_import_is_refused(tmp_path: Path, edited: str) -> None:
    path = tmp_path / "sample.py"
    path.write_text("def f(x):\n    return x + 1\n")
    names: dict[str, Any] = {"__name__": "sample"}
    exec(compile(path.read_text(), str(path), "exec"), names)
    path.write_text(edited)
    with pytest.raises(KernelError, match="the file has changed since kernel f was imported; start the program again"):
        translate(names["f"], (1,))


def test_a_line_added_below_a_kernel_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "sample.py"
    path.write_text("def f(x):\n    return x + 1\n")
    names: dict[str, Any] = {"__name__": "sample"}
    exec(compile(path.read_text(), str(path), "exec"), names)
    path.write_text("def f(x):\n    return x + 1\n\n\ndef g(x):\n    return x\n")
    translate(names["f"], (1,))


def test_nothing_runs_before_a_refusal() -> None:
    @Kernel
    def f(a):
        a[0] = 1
        return a / 2

    a = np.zeros(1, np.int8)
    with pytest.raises(KernelError):
        f(a)
    assert a[0] == 0


def test_a_kernel_in_a_tuple_is_refused() -> None:
    @Kernel
    def one(x):
        return x + 1

    choices = (one, one)

    @Kernel
    def f(x):
        return choices[0](x)

    with pytest.raises(KernelError, match="a kernel is called by its name"):
        f(1)


def test_a_subclass_of_a_named_tuple_is_refused() -> None:
    class Pair(NamedTuple):
        x: int
        y: int

    class Tenfold(Pair):
        def __new__(cls, x: int, y: int) -> "Tenfold":
            return super().__new__(cls, 10 * x, y)

    @Kernel
    def f(x):
        return Tenfold(x, 2).x

    with pytest.raises(KernelError, match="a kernel calls kernels, NamedTuples"):
        f(1)
