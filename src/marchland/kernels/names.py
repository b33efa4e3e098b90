"""Finds what the names in a kernel mean, and its source. Both are known before anything is compiled."""

import ast
import builtins
import contextlib
import enum
import functools
import hashlib
import linecache
import types
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

from marchland.kernels.errors import KernelError
from marchland.kernels.types import Static, Value, make_int, make_tuple, make_word
from marchland.kernels.word import Word

_BUILTINS: Final = (len, min, max, abs, int, bool, range, Word)


@runtime_checkable
class Intrinsic(Protocol):
    """An object that kernels call and that writes its own LLVM code."""

    def __call__(self, *arguments: Any) -> Any:
        """Do the same in Python mode."""

    def emit(self, builder: Any, *arguments: Value) -> Value:
        """Write the code."""

    def fingerprint(self) -> str:
        """Text that changes whenever the code does."""


class Source(NamedTuple):
    """A kernel's definition in its file."""

    node: ast.FunctionDef
    lines: list[str]


def read_source(function: types.FunctionType) -> Source:
    """The definition that ``function`` was made from; a file edited since then is refused."""
    code = function.__code__
    if code.co_name == "<lambda>":
        raise KernelError(f"{code.co_filename}:{code.co_firstlineno}: a lambda is no kernel; define it with `def`")
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename, function.__globals__)
    if not lines:
        raise KernelError(f"{code.co_filename}: the source of kernel {code.co_name} cannot be read")
    definitions = _parse("".join(lines), code.co_filename)
    node, compiled = definitions.get((code.co_name, code.co_firstlineno), (None, None))
    if node is None or compiled is None or fingerprint_code(compiled) != fingerprint_code(code):
        raise KernelError(
            f"{code.co_filename}:{code.co_firstlineno}: the file has changed since kernel {code.co_name} was imported; "
            "start the program again"
        )
    return Source(node, lines)


@functools.lru_cache(maxsize=256)
def _parse(text: str, path: str) -> dict[tuple[str, int], tuple[ast.FunctionDef, types.CodeType]]:
    """The functions of a file by name and first line, decorators included, each with its code."""
    tree = ast.parse(text)
    found = {}
    pending = [compile(tree, path, "exec", dont_inherit=True)]
    while pending:
        code = pending.pop()
        found[code.co_name, code.co_firstlineno] = code
        pending += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    definitions = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            key = node.name, min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if key in found:
                definitions[key] = node, found[key]
    return definitions


def fingerprint_code(code: types.CodeType) -> str:
    """A digest of what a function does and of its line numbers relative to its first one."""
    parts = (
        code.co_code,
        code.co_linetable,
        [constant for constant in code.co_consts if not isinstance(constant, types.CodeType)],
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_argcount,
    )
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def fingerprint_function(function: Any) -> str:
    """A digest of a kernel's own code and defaults."""
    return f"{fingerprint_code(function.__code__)} {fingerprint_constant(function.__defaults__)}"


def look_up(function: types.FunctionType, dotted: str) -> Any:
    """What a dotted name outside ``function`` stands for; a `LookupError` names the part that is missing."""
    name, *attributes = dotted.split(".")
    cells = {}
    for key, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):  # not assigned yet
            cells[key] = cell.cell_contents
    is_free = name in function.__code__.co_freevars
    scopes = (cells,) if is_free else (function.__globals__, vars(builtins))
    for scope in scopes:
        if name in scope:
            thing = scope[name]
            break
    else:
        raise LookupError(f"the name {name!r} is not defined")
    for attribute in attributes:
        if not hasattr(thing, attribute):
            raise LookupError(f"{name} has no attribute {attribute!r}")
        thing = getattr(thing, attribute)
        name = f"{name}.{attribute}"
    return thing


def make_static(thing: Any) -> Value:
    """The value of something known at compile time."""
    if isinstance(thing, Word):
        return make_word(thing)
    if isinstance(thing, int) and -(2**63) <= thing < 2**63:  # NumPy's integers are none: in Python they wrap
        return make_int(thing)
    if type(thing) is tuple:
        return make_tuple(None, [make_static(item) for item in thing])
    return Value(Static(thing), ())


def is_builtin(thing: Any) -> bool:
    """Whether this is a function that every kernel may call."""
    return any(thing is builtin for builtin in _BUILTINS)


def fingerprint_constant(thing: Any) -> str:
    """Text that changes whenever the constant means something else to a kernel."""
    if isinstance(thing, type) and hasattr(thing, "_fields"):
        defaults = fingerprint_constant(tuple(thing._field_defaults.items()))  # type: ignore[attr-defined]
        return f"{thing.__module__}.{thing.__qualname__}{thing._fields}{defaults}"
    if is_builtin(thing):
        return str(thing.__name__)
    if not isinstance(thing, int | tuple | type) and isinstance(thing, Intrinsic):
        return thing.fingerprint()
    if type(thing) is tuple:
        return f"({', '.join(map(fingerprint_constant, thing))})"
    if isinstance(thing, enum.Enum):
        thing = thing.value
    return f"{'word' if isinstance(thing, Word) else ''}{thing!r}"
