"""The decorator `kernel`: finds, compiles and calls the machine code for the arguments at hand."""

import functools
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np

from marchland.kernels import cache, progress
from marchland.kernels.dependencies import are_current, list_kernels
from marchland.kernels.errors import ArgumentMismatchError, NotCompiledError, register_function
from marchland.kernels.mode import MODE
from marchland.kernels.names import fingerprint_function
from marchland.kernels.python_mode import PythonKernel
from marchland.kernels.types import list_classes, type_of

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


class _Specialization(NamedTuple):
    """The machine code of a kernel for given argument types."""

    call: Callable[..., Any]
    """Refuses arguments of other types."""
    call_or_dispatch: Callable[..., Any]
    """Dispatches arguments of other types."""
    stored: list[int]
    """The arrays that the kernel stores to, numbered in the order of the arguments."""


@functools.cache
def _fingerprint_compiler() -> str:
    """A digest of this package: another compiler may write another module."""
    sources = sorted(Path(__file__).parent.glob("*.py"))
    return cache.digest(*(source.read_bytes() for source in sources))


class Kernel:
    """A function that runs as machine code, in the mode ``compiled`` or ``checked``.

    ``__call__`` is a slot, so that Python calls the machine code itself and not a function of ours: this saves a tenth
    of a microsecond. It holds the code for the latest types of arguments, which hands others to `_dispatch`.
    """

    __slots__ = ("__call__", "__dict__", "__weakref__")
    __call__: Callable[..., Any]

    def __init__(self, function: Callable[..., Any], mode: str = MODE) -> None:
        functools.update_wrapper(self, function)
        self.function: Any = function
        self._mode = mode
        register_function(function)
        progress.add_kernel(self.name)
        self._specializations: dict[tuple[Any, ...], _Specialization] = {}
        self.__call__ = self._dispatch

    def __repr__(self) -> str:
        return f"<kernel {self.function.__qualname__}>"

    def _dispatch(self, *arguments: Any) -> Any:
        """Run the code for the types of these arguments, and use it for the next call."""
        types, normalised = self._check_arguments(arguments)
        specialization = self._specializations.get(types)
        if specialization is None:
            with _compiling:
                specialization = self._specializations.get(types) or self._load(types)
                self._specializations[types] = specialization
        try:
            result = specialization.call(*normalised)
        except ArgumentMismatchError:
            raise TypeError(self._explain_refusal(specialization, normalised)) from None
        self.__call__ = specialization.call_or_dispatch
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

    def _explain_refusal(self, specialization: _Specialization, arguments: list[Any]) -> str:
        """Why an entry point refuses arguments of the types it was compiled for."""
        names = self.function.__code__.co_varnames
        named = zip(names, arguments, strict=False)
        arrays = [pair for name, argument in named for pair in _list_arrays(name, argument)]
        for number in specialization.stored:
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

    def _load(self, types: tuple[Any, ...]) -> _Specialization:
        """The machine code for these types: from the cache, or compiled now."""
        from marchland.kernels.engine import describe_target

        key = cache.digest(
            self.name,
            self.function.__code__.co_filename,
            types,
            [class_._fields for class_ in list_classes(types)],
            self._mode,
            describe_target(),
            _fingerprint_compiler(),
        )
        cached = self._read_cached(key, types)
        if cached is not None:
            return cached
        if progress.is_compiling_forbidden():
            raise NotCompiledError(f"kernel {self.function.__name__} is not compiled yet")
        with cache.hold_lock(key):
            return self._read_cached(key, types) or self._compile(key, types)

    def _read_cached(self, key: str, types: tuple[Any, ...]) -> _Specialization | None:
        manifest = cache.read_manifest(key)
        if manifest is None or not are_current(manifest["dependencies"], self):
            return None
        given = list_classes(types)
        classes = [*given, *(_find_class(name) for name in manifest["classes"][len(given) :])]
        code = cache.read_object(manifest["object"])
        if code is None or None in classes:
            return None
        progress.report_ready(list_kernels(manifest["dependencies"]))
        return self._specialize(code, manifest["symbol"], [class_ for class_ in classes if class_], manifest["stored"])

    def _compile(self, key: str, types: tuple[Any, ...]) -> _Specialization:
        from marchland.kernels.engine import compile_module, describe_target
        from marchland.kernels.program import translate_program

        symbol = f"k{cache.digest(self.name, types)}"
        program = translate_program(self, types, symbol, self._mode == "checked")
        object_key = cache.digest(program.text, describe_target())
        code = cache.read_object(object_key)
        if code is None:
            with progress.announce(self.name):
                code = compile_module(program.text)
            cache.write_object(object_key, code)
        manifest = {
            "dependencies": program.dependencies,
            "object": object_key,
            "symbol": symbol,
            "classes": [f"{class_.__module__}:{class_.__qualname__}" for class_ in program.classes],
            "stored": program.stored,
        }
        cache.write_manifest(key, manifest)
        cache.prune_once()
        progress.report_ready(list_kernels(program.dependencies))
        return self._specialize(code, symbol, program.classes, program.stored)

    def _specialize(self, code: bytes, symbol: str, classes: list[type[Any]], stored: list[int]) -> _Specialization:
        from marchland.kernels.engine import LoadedCode

        loaded = LoadedCode(code, symbol, classes, self.function.__name__)
        return _Specialization(loaded.make_function(), loaded.make_function(self._dispatch), stored)

    @property
    def name(self) -> str:
        """Module and qualified name."""
        return f"{self.function.__module__}:{self.function.__qualname__}"

    @functools.cached_property
    def fingerprint(self) -> str:
        """A digest of the kernel's own code and defaults."""
        return fingerprint_function(self.function)


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
