"""LLVM: from a module's text to object code, and from object code to a function that Python can call."""

import ctypes
import functools
import platform
from collections.abc import Callable, Sequence
from typing import Any, Final

import llvmlite
import llvmlite.binding as llvm
import numpy as np

from marchland.kernels.errors import ArgumentMismatchError, raise_fault
from marchland.kernels.word import Word

_SYMBOLS: Final[dict[str, Any]] = {
    "marchland_ndarray": np.ndarray,
    "marchland_word": Word,
    "marchland_mismatch": ArgumentMismatchError,
    "marchland_raise_fault": raise_fault,
}
_METH_FASTCALL: Final = 0x80
LLVM_LOCK: Final = llvm.ffi.lib._lock
"""Held by llvmlite during every call of LLVM, also when code is freed."""


@functools.cache
def describe_target() -> tuple[str, ...]:
    """Everything besides a module's text that its object code depends on."""
    features = llvm.get_host_cpu_features().flatten()
    versions = llvmlite.__version__, platform.python_version(), np.__version__
    return (llvm.get_process_triple(), llvm.get_host_cpu_name(), features, *versions)


@functools.cache
def _start() -> None:
    # Whether a cell has an owner, a friend or an enemy cannot be predicted, so one jump on the whole condition is
    # faster than one on each of its terms.
    llvm.set_option("", "--jump-is-expensive")
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for name, thing in _SYMBOLS.items():
        llvm.add_symbol(name, id(thing))


@functools.cache
def _target_machine(level: int = 3) -> Any:
    _start()
    _, cpu, features, *_ = describe_target()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=cpu, features=features, opt=level, reloc="default", codemodel="jitdefault", jit=True
    )


def compile_module(text: str, *, ir_level: int = 3, code_level: int = 3) -> bytes:
    """Object code for a module's text. Tests lower the effort that LLVM makes on its code and on machine code."""
    machine = _target_machine(code_level)
    module = llvm.parse_assembly(text)
    module.verify()
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    options = llvm.create_pipeline_tuning_options(speed_level=ir_level)
    options.loop_vectorization = options.loop_interleaving = True
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
    code: bytes = machine.emit_object(module)
    return code


class _MethodDefinition(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class LoadedCode:
    """Machine code in memory, freed with this object."""

    def __init__(self, code: bytes, symbol: str, classes: Sequence[type[Any]], name: str = "kernel") -> None:
        _start()
        # The target machine belongs to its engine, so each engine has one of its own.
        machine = llvm.Target.from_default_triple().create_target_machine(opt=0, jit=True)
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        self._classes = tuple(classes)  # referenced, since the code holds their addresses
        table = self._engine.get_global_value_address(f"classes_{symbol}")
        (ctypes.c_void_p * len(classes)).from_address(table)[:] = [id(class_) for class_ in classes]
        address = self._engine.get_function_address(symbol)
        self._definition = _MethodDefinition(name.encode(), address, _METH_FASTCALL, None)

    def make_function(self, fallback: Callable[..., Any] | None = None) -> Callable[..., Any]:
        """A function that runs the code; arguments of other types go to ``fallback``, or are refused."""
        create = ctypes.pythonapi.PyCFunction_NewEx
        create.restype = ctypes.py_object
        create.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.py_object]
        bound = ctypes.py_object() if fallback is None else fallback
        # This object takes the place of the module, so that code and definition live as long as the function.
        function: Callable[..., Any] = create(ctypes.addressof(self._definition), bound, self)
        return function
