"""Run one kernel as Python, as checked code and as compiled code, in one process and without the cache on disk."""

import contextlib
import functools
import itertools
import linecache
import re
import textwrap
import types
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from marchland.kernels import Word
from marchland.kernels.dispatch import Kernel
from marchland.kernels.engine import LoadedCode, compile_module
from marchland.kernels.program import TranslatedProgram, translate_program
from marchland.kernels.python_mode import PythonKernel
from marchland.kernels.types import type_of

kernel = functools.partial(Kernel, mode="checked")
"""A kernel that others call. Its own mode does not matter: the caller is compiled together with it."""

_symbols = itertools.count()
_WHERE = re.compile(r"\((\S+) in (\S+), line (\d+)\)$")


class Outcome(NamedTuple):
    """What a call did: its result or error, and the arrays afterwards."""

    result: Any
    error: Exception | None
    arrays: tuple[list[Any], ...]


def translate(function: Any, arguments: tuple[Any, ...], *, is_checked: bool = False) -> TranslatedProgram:
    """The LLVM module of a kernel for arguments of these types."""
    one = function if isinstance(function, Kernel) else Kernel(function)
    return translate_program(one, tuple(map(type_of, arguments)), "k", is_checked)


def load(function: Any, arguments: tuple[Any, ...], *, is_checked: bool) -> Callable[..., Any]:
    """Compile a kernel for arguments of these types; LLVM's verifier runs."""
    return _load(function, tuple(map(type_of, arguments)), is_checked)


@functools.lru_cache(maxsize=16)
def _load(function: Any, types_: tuple[Any, ...], is_checked: bool) -> Callable[..., Any]:
    one = function if isinstance(function, Kernel) else Kernel(function)
    program = translate_program(one, types_, "k", is_checked)
    return LoadedCode(compile_module(program.text), "k", program.classes).make_function()


def run(function: Any, *arguments: Any) -> Any:
    """The result of a kernel, which is the same in all three modes, as are the arrays afterwards.

    An error in Python is the same error in checked mode, of the same line; compiled mode is left out then. The arrays
    passed are those that the kernel has changed.
    """
    plain = observe(PythonKernel(in_python(function)), arguments)
    checked = observe(load(function, arguments, is_checked=True), arguments)
    assert_same(plain, checked)
    if plain.error is None:
        assert_same(plain, observe(load(function, arguments, is_checked=False), arguments))
    for array, content in zip(list_arrays(arguments), plain.arrays, strict=True):
        if array.flags.writeable:
            array[...] = np.array(content, array.dtype).reshape(array.shape)
    if plain.error is not None:
        raise checked.error or plain.error
    return plain.result


def run_checked(function: Any, *arguments: Any) -> Any:
    """The result in checked mode alone, for what Python does not refuse."""
    outcome = observe(load(function, arguments, is_checked=True), arguments)
    for array, content in zip(list_arrays(arguments), outcome.arrays, strict=True):
        if array.flags.writeable:
            array[...] = np.array(content, array.dtype).reshape(array.shape)
    if outcome.error is not None:
        raise outcome.error
    return outcome.result


def run_compiled(function: Any, *arguments: Any) -> Any:
    """The result in compiled mode alone, for what it does not check."""
    return load(function, arguments, is_checked=False)(*arguments)


def observe(call: Callable[..., Any], arguments: tuple[Any, ...]) -> Outcome:
    """Call with copies of the arrays."""
    copied = copy_arguments(arguments)
    result, error = None, None
    try:
        result = call(*copied)
    except (ArithmeticError, LookupError, ValueError) as problem:
        error = problem
    return Outcome(result, error, tuple(array.tolist() for array in list_arrays(copied)))


def assert_same(one: Outcome, other: Outcome) -> None:
    """Two modes did the same."""
    assert type(one.error) is type(other.error), f"{one.error!r} is not {other.error!r}"
    if one.error is not None and other.error is not None:
        assert line_of(one.error) == line_of(other.error), f"{one.error!r} is in another line than {other.error!r}"
    assert same_value(one.result, other.result), f"{one.result!r} is not {other.result!r}"
    assert one.arrays == other.arrays


def same_value(one: Any, other: Any) -> bool:
    """Whether two results are equal and of equal types; truth values and members of enumerations are numbers."""
    if isinstance(one, tuple):
        return type(one) is type(other) and len(one) == len(other) and all(map(same_value, one, other))
    kinds = {_kind(item) for item in (one, other)}
    return len(kinds) == 1 and bool(one == other)


def _kind(item: Any) -> type[Any]:
    return int if isinstance(item, int) and not isinstance(item, Word) else type(item)


def line_of(error: Exception) -> int:
    """The line of a kernel in which an error was raised."""
    if found := _WHERE.search(str(error)):
        return int(found[3])
    line, trace = 0, error.__traceback__
    while trace is not None:
        if "marchland" not in trace.tb_frame.f_globals["__name__"] and trace.tb_frame.f_code is not observe.__code__:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def copy_arguments(argument: Any) -> Any:
    """Arguments with copies of their arrays."""
    if isinstance(argument, np.ndarray):
        copied = argument.copy()
        copied.flags.writeable = argument.flags.writeable
        return copied
    if isinstance(argument, tuple):
        items = [copy_arguments(item) for item in argument]
        return type(argument)(*items) if hasattr(argument, "_fields") else tuple(items)
    return argument


def list_arrays(argument: Any) -> list[Any]:
    """The arrays in arguments, in order."""
    if isinstance(argument, np.ndarray):
        return [argument]
    return [array for item in argument for array in list_arrays(item)] if isinstance(argument, tuple) else []


def in_python(function: Any) -> Any:
    """The function with every kernel that it calls replaced by the plain function."""
    return _to_plain(function.function if isinstance(function, Kernel) else function, {})


def _to_plain(function: Any, made: dict[Any, Any]) -> Any:
    if function not in made:
        names = function.__globals__
        cells = [types.CellType() for _ in function.__closure__ or ()]
        made[function] = plain = types.FunctionType(
            function.__code__, dict(names), function.__name__, function.__defaults__, tuple(cells)
        )
        for name in set(function.__code__.co_names) & names.keys():
            if isinstance(names[name], Kernel):
                plain.__globals__[name] = _to_plain(names[name].function, made)
        for cell, source in zip(cells, function.__closure__ or (), strict=True):
            with contextlib.suppress(ValueError):  # an empty cell
                thing = source.cell_contents
                cell.cell_contents = _to_plain(thing.function, made) if isinstance(thing, Kernel) else thing
    return made[function]


def define(source: str, **names: Any) -> dict[str, Any]:
    """What a source text defines. Its file exists only in `linecache`, where kernels are read from."""
    path = f"<sample {next(_symbols)}>"
    text = textwrap.dedent(source)
    linecache.cache[path] = len(text), None, text.splitlines(keepends=True), path
    namespace: dict[str, Any] = {"kernel": kernel, "__name__": "sample", **names}
    exec(compile(text, path, "exec", dont_inherit=True), namespace)
    return namespace
