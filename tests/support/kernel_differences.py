"""Compares the modes on a generated program: Python with checked, checked with compiled."""

import itertools
import linecache
from collections.abc import Callable
from typing import Any, NamedTuple

from marchland.kernels.dispatch import Kernel
from marchland.kernels.engine import LoadedCode, compile_module
from marchland.kernels.program import translate_program
from marchland.kernels.python_mode import PythonKernel
from marchland.kernels.types import type_of
from tests.support.kernel_programs import NAMESPACE, GeneratedProgram
from tests.support.kernel_reference import CHECKS, instrument
from tests.support.kernels import Outcome, kernel, line_of, observe, same_value

_numbers = itertools.count()


class Effort(NamedTuple):
    """How hard LLVM optimises: its own code, machine code, and the entry point that unpacks the arguments."""

    checked: tuple[int, int]
    compiled: tuple[int, int]
    optimises_entry_point: bool


FULL = Effort(checked=(3, 3), compiled=(3, 3), optimises_entry_point=True)
"""What users get."""
FAST = Effort(checked=(0, 0), compiled=(3, 1), optimises_entry_point=False)
"""About a third of the time; what LLVM makes of aliasing and wrapping is still seen in compiled mode.

Machine code of level 0 will not do there: LLVM 22 then uses its fast instruction selection, which moved a load past a
store to the same element in one of 100,000 optimised programs (number 85174).
"""

_ENTRY_POINT = "define ptr @k(ptr %self, ptr %arguments, i64 %count) {"


def find_difference(program: GeneratedProgram, effort: Effort = FULL, reference: str | None = None) -> str | None:
    """What the modes disagree on; None if nothing. ``reference`` is what Python runs, if it is another text."""
    path = f"<generated {next(_numbers)}>"
    lines = program.source.splitlines(keepends=True)
    linecache.cache[path] = len(program.source), None, lines, path
    try:
        return _compare(program, path, effort, reference or program.source)
    finally:
        del linecache.cache[path]


def _compare(program: GeneratedProgram, path: str, effort: Effort, reference: str) -> str | None:
    names: dict[str, Any] = {**NAMESPACE, "kernel": kernel, "__name__": "generated"}
    exec(compile(program.source, path, "exec", dont_inherit=True), names)
    plain_names = {**NAMESPACE, **CHECKS, "kernel": lambda function: function, "__name__": "generated"}
    exec(instrument(reference, path), plain_names)
    run_python = PythonKernel(plain_names["main"])
    codes: dict[Any, Callable[..., Any]] = {}
    for call in program.calls:
        plain = observe(run_python, call)
        types = tuple(map(type_of, call))
        modes = [True]
        if plain.error is None or isinstance(plain.error, ZeroDivisionError) or "range()" in str(plain.error):
            modes.append(False)
        for is_checked in modes:
            if (types, is_checked) not in codes:
                codes[types, is_checked] = _load(names["main"], types, is_checked, effort)
            outcome = observe(codes[types, is_checked], call)
            if difference := _describe(plain, outcome, path):
                return f"{'checked' if is_checked else 'compiled'}: {difference}\nmain{call!r}"
    return None


def _load(main: Kernel, types: tuple[Any, ...], is_checked: bool, effort: Effort) -> Callable[..., Any]:
    program = translate_program(main, types, "k", is_checked)
    ir_level, code_level = effort.checked if is_checked else effort.compiled
    text = program.text if effort.optimises_entry_point else _exempt_entry_point(program.text)
    code = compile_module(text, ir_level=ir_level, code_level=code_level)
    return LoadedCode(code, "k", program.classes).make_function()


def _exempt_entry_point(text: str) -> str:
    """Have LLVM optimise the kernels alone: the entry point is as long as they are, and does the same each time."""
    before, found, after = text.partition(_ENTRY_POINT)
    assert found, "the entry point has another signature"
    return f"{before}{found.removesuffix('{')}noinline optnone {{{after}"


def _describe(plain: Outcome, other: Outcome, path: str) -> str | None:
    if type(plain.error) is not type(other.error):
        return f"Python {plain.error!r} or {plain.result!r}, here {other.error!r} or {other.result!r}"
    if plain.error is not None and other.error is not None and _line(plain.error, path) != line_of(other.error):
        return f"Python {plain.error!r} in line {_line(plain.error, path)}, here {other.error!r}"
    if not same_value(plain.result, other.result):
        return f"Python {plain.result!r}, here {other.result!r}"
    if plain.arrays != other.arrays:
        return f"Python leaves {plain.arrays!r}, here {other.arrays!r}"
    return None


def _line(error: Exception, path: str) -> int:
    """The line of the program in which Python raised."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
