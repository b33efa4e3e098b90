"""Translates a kernel that Python calls, with every kernel that it calls, into one module."""

from typing import Any, NamedTuple

from marchland.kernels.context import Function, Program
from marchland.kernels.dependencies import Dependencies, DependencyRecorder
from marchland.kernels.entry_point import write_entry_point
from marchland.kernels.errors import KernelError
from marchland.kernels.module import Module
from marchland.kernels.statements import translate_function
from marchland.kernels.types import list_classes, number_arrays


class TranslatedProgram(NamedTuple):
    """A module's text and what is needed to load it."""

    text: str
    classes: list[type[Any]]
    """The NamedTuple classes in its arguments and result."""
    stored: list[int]
    """The numbers of the array arguments that it stores to."""
    dependencies: Dependencies


def translate_program(kernel: Any, types: tuple[Any, ...], symbol: str, is_checked: bool) -> TranslatedProgram:
    """The module of a kernel, with an entry point of the name ``symbol`` for arguments of these types."""
    module, recorder = Module(is_checked), DependencyRecorder()
    translator = _Translator(module, recorder)
    recorder.name_kernel(kernel)
    function = translator.translate(kernel, number_arrays(types))
    assert function is not None
    if module.stores_to_frozen:
        path, name = kernel.function.__code__.co_filename, kernel.function.__name__
        raise KernelError(f"{path}: kernel {name} stores to an array that it opens settings from; pass a copy")
    stored = module.stored_arrays
    entry_point = write_entry_point(symbol, function, types, stored, kernel.function)
    text = module.write([*translator.definitions, entry_point])
    return TranslatedProgram(text, list_classes(types, function.returns), stored, recorder.recorded)


class _Translator:
    """Translates each kernel once for each tuple of argument types."""

    def __init__(self, module: Module, dependencies: DependencyRecorder) -> None:
        self._program = Program(module, dependencies, self.translate)
        self._functions: dict[Any, Function] = {}
        self._active: list[Any] = []
        self.definitions: list[str] = []

    def translate(self, kernel: Any, types: tuple[Any, ...]) -> Function | None:
        """The kernel for these argument types; None while it is being translated for any types."""
        if any(kernel is active for active in self._active):
            return None
        key = kernel, types
        if key not in self._functions:
            self._active.append(kernel)
            readable = "".join(letter for letter in kernel.function.__name__ if letter.isascii() and letter.isalnum())
            name = f"kernel.{readable}.{len(self.definitions)}"
            text, returns = translate_function(self._program, kernel, types, name)
            self.definitions.append(text)
            self._functions[key] = Function(name, returns)
            self._active.pop()
        return self._functions[key]
