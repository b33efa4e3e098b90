"""The decorator `kernel`: finds, compiles and calls the machine code for the arguments at hand."""

import functools
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

from marchland.kernels import cache, progress
from marchland.kernels.errors import ArgumentMismatchError, Fault, NotCompiledError, register_function
from marchland.kernels.mode import MODE
from marchland.kernels.names import Dependencies, fingerprint_constant, fingerprint_function, look_up
from marchland.kernels.python_mode import PythonKernel
from marchland.kernels.types import list_shapes, type_of

Function = TypeVar("Function", bound=Callable[..., Any])

_compiling: Final = threading.RLock()


def kernel(function: Function) -> Function:
    """Compile ``function`` on first use for the types of its arguments. Other threads run while it does."""
    return (PythonKernel if MODE == "python" else Kernel)(function)  # type: ignore[return-value]


def _lock_before_fork() -> None:
    """Fork only while no thread compiles or frees code: a lock that it holds would stay locked in the child."""
    from marchland.kernels.engine import LLVM_LOCK

    _compiling.acquire()
    LLVM_LOCK.__enter__()


def _unlock_after_fork() -> None:
    from marchland.kernels.engine import LLVM_LOCK

    LLVM_LOCK.__exit__()
    _compiling.release()


if MODE != "python":
    os.register_at_fork(before=_lock_before_fork, after_in_parent=_unlock_after_fork, after_in_child=_unlock_after_fork)


class _Entry:
    """The machine code of a kernel for given argument types."""

    def __init__(self, code: bytes, symbol: str, shapes: list[type[Any]], stored: list[int]) -> None:
        from marchland.kernels.engine import LoadedCode

        self._code = LoadedCode(code, symbol, shapes)
        self.call = self._code.function
        self.stored = stored
        """The arrays that the kernel stores to, numbered in the order of the arguments."""


@functools.cache
def _fingerprint_compiler() -> str:
    """A digest of this package: another compiler may write another module."""
    sources = sorted(Path(__file__).parent.glob("*.py"))
    return cache.digest(*(source.read_bytes() for source in sources))


def _mismatch(*arguments: Any) -> Any:
    raise ArgumentMismatchError


class Kernel:
    """A function that runs as machine code, in the mode ``compiled`` or ``checked``."""

    def __init__(self, function: Callable[..., Any], mode: str = MODE) -> None:
        functools.update_wrapper(self, function)
        self.function: Any = function
        self._mode = mode
        register_function(function)
        progress.add_kernel(self._name)
        self._entries: dict[tuple[Any, ...], _Entry] = {}
        self._latest: Callable[..., Any] = _mismatch

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel."""
        try:
            return self._latest(*arguments)
        except ArgumentMismatchError:
            pass
        except Fault as fault:
            raise fault.exception() from None
        return self._call_with_other_types(arguments)

    def __repr__(self) -> str:
        return f"<kernel {self.function.__qualname__}>"

    def _call_with_other_types(self, arguments: tuple[Any, ...]) -> Any:
        types, normalised = self._check_arguments(arguments)
        entry = self._entries.get(types)
        if entry is None:
            with _compiling:
                entry = self._entries.get(types) or self._load(types)
                self._entries[types] = entry
        try:
            result = entry.call(*normalised)
        except ArgumentMismatchError:
            raise TypeError(self._explain_refusal(entry, normalised)) from None
        except Fault as fault:
            raise fault.exception() from None
        self._latest = entry.call
        return result

    # ---------------------------------------------------------------- arguments

    def _check_arguments(self, arguments: tuple[Any, ...]) -> tuple[tuple[Any, ...], list[Any]]:
        """The types of the arguments, and the arguments in the form that entry points take."""
        code, defaults = self.function.__code__, self.function.__defaults__ or ()
        missing = code.co_argcount - len(arguments)
        if not 0 <= missing <= len(defaults):
            raise TypeError(f"kernel {self.function.__name__} takes {code.co_argcount} arguments, not {len(arguments)}")
        if missing:
            arguments += defaults[-missing:]
        types = []
        for name, argument in zip(code.co_varnames, arguments, strict=False):
            try:
                types.append(type_of(argument))
            except (TypeError, OverflowError) as problem:
                raise type(problem)(
                    f"kernel {self.function.__name__}: argument {name!r} cannot be passed: {problem}"
                ) from None
        return tuple(types), [_normalise(argument) for argument in arguments]

    def _explain_refusal(self, entry: _Entry, arguments: list[Any]) -> str:
        """Why an entry point refuses arguments of the types it was compiled for."""
        names = self.function.__code__.co_varnames
        named = zip(names, arguments, strict=False)
        arrays = [pair for name, argument in named for pair in _list_arrays(name, argument)]
        for number in entry.stored:
            name, array = arrays[number]
            if not array.flags.writeable:
                return f"kernel {self.function.__name__} stores to {name!r}, but the array passed is read-only"
            for other_number, (other, second) in enumerate(arrays):
                if other_number != number and np.may_share_memory(array, second):
                    return (
                        f"kernel {self.function.__name__} stores to {name!r}, which shares memory with {other!r}; "
                        "pass a copy of one"
                    )
        return f"kernel {self.function.__name__} cannot be called with these arguments"

    # ---------------------------------------------------------------- machine code

    def _load(self, types: tuple[Any, ...]) -> _Entry:
        """The machine code for these types: from the cache, or compiled now."""
        from marchland.kernels.engine import describe_target

        fields = [shape._fields for shape in list_shapes(types)]
        key = cache.digest(
            self._name,
            self.function.__code__.co_filename,
            types,
            fields,
            self._mode,
            describe_target(),
            _fingerprint_compiler(),
        )
        entry = self._read_cached(key, types)
        if entry is not None:
            return entry
        if progress.is_compiling_forbidden():
            raise NotCompiledError(f"kernel {self.function.__name__} is not compiled yet")
        with cache.locked(key):
            return self._read_cached(key, types) or self._compile(key, types)

    def _read_cached(self, key: str, types: tuple[Any, ...]) -> _Entry | None:
        kept = cache.read_entry(key)
        if kept is None or not self._is_current(kept["kernels"]):
            return None
        given = list_shapes(types)
        shapes = [*given, *(_find_class(name) for name in kept["shapes"][len(given) :])]
        code = cache.read_object(kept["object"])
        if code is None or None in shapes:
            return None
        _report_ready(kept["kernels"])
        return _Entry(code, kept["symbol"], [shape for shape in shapes if shape], kept["stored"])

    def _compile(self, key: str, types: tuple[Any, ...]) -> _Entry:
        from marchland.kernels.engine import compile_module, describe_target
        from marchland.kernels.module import Program

        symbol = f"k{cache.digest(self._name, types)}"
        program = Program(self._mode == "checked")
        module = program.write(self, types, symbol)
        object_key = cache.digest(module.text, describe_target())
        code = cache.read_object(object_key)
        if code is None:
            with progress.announce(self._name):
                code = compile_module(module.text)
            cache.write_object(object_key, code)
        cache.write_entry(
            key,
            {
                "kernels": program.dependencies,
                "object": object_key,
                "symbol": symbol,
                "shapes": [f"{shape.__module__}:{shape.__qualname__}" for shape in module.shapes],
                "stored": module.stored,
            },
        )
        cache.prune_once()
        _report_ready(program.dependencies)
        return _Entry(code, symbol, module.shapes, module.stored)

    def _is_current(self, kernels: Dependencies) -> bool:
        """Whether every kernel and constant that went into a module is still the same."""
        seen: dict[str, Kernel] = {}
        pending = [(next(iter(kernels)), self)]
        while pending:
            name, one = pending.pop()
            if name in seen:
                if seen[name] is not one:
                    return False
                continue
            seen[name] = one
            recorded = kernels[name]
            if recorded[""] != one._fingerprint:
                return False
            for dotted, fingerprint in recorded.items():
                if dotted:
                    thing, present = one._look_up(dotted)
                    if isinstance(thing, Kernel) and fingerprint.startswith("kernel "):
                        pending.append((fingerprint.removeprefix("kernel "), thing))
                    elif present != fingerprint:
                        return False
        return True

    @property
    def _name(self) -> str:
        return f"{self.function.__module__}:{self.function.__qualname__}"

    @functools.cached_property
    def _fingerprint(self) -> str:
        return fingerprint_function(self.function)

    def _look_up(self, dotted: str) -> tuple[Any, str]:
        """What a global name stands for, and its fingerprint."""
        try:
            thing = look_up(self.function, dotted)
        except LookupError:
            return None, "missing"
        return thing, "" if isinstance(thing, Kernel) else fingerprint_constant(thing)


def _report_ready(kernels: Dependencies) -> None:
    progress.report_ready({name.partition(" ")[2] for name in kernels})


def _normalise(argument: Any) -> Any:
    """The argument in the form that entry points take: Python's own integers, NumPy's own type numbers."""
    if isinstance(argument, np.integer):
        return int(argument)
    if isinstance(argument, np.ndarray):
        return argument.view(np.dtype(argument.dtype.name))
    if isinstance(argument, tuple):
        items = [_normalise(item) for item in argument]
        return type(argument)(*items) if hasattr(argument, "_fields") else tuple(items)
    return argument


def _list_arrays(name: str, argument: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(argument, np.ndarray):
        yield name, argument
    elif isinstance(argument, tuple):
        fields = getattr(argument, "_fields", range(len(argument)))
        for field, item in zip(fields, argument, strict=True):
            yield from _list_arrays(f"{name}.{field}", item)


def _find_class(name: str) -> type[Any] | None:
    """A class of a module that is imported already."""
    module, _, qualname = name.partition(":")
    thing: Any = sys.modules.get(module)
    for attribute in qualname.split("."):
        thing = getattr(thing, attribute, None)
    return thing if isinstance(thing, type) else None
