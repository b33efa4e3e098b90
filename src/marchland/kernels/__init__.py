"""Kernels: plain Python functions over integers and integer arrays, compiled to machine code on first use.

docs/kernels.md describes the language. ``MARCHLAND_KERNELS`` selects the mode: ``compiled`` (default), ``checked``
(every index, store and operation is checked) or ``python`` (functions run as they are).
"""

from marchland.kernels.dispatch import Kernel, kernel
from marchland.kernels.errors import KernelError, NotCompiledError
from marchland.kernels.mode import MODE
from marchland.kernels.openers import Field, FieldsOpener, PartsOpener, SettingsOpener
from marchland.kernels.progress import compile_progress, forbid_compiling
from marchland.kernels.word import Word

__all__ = [
    "MODE",
    "Field",
    "FieldsOpener",
    "Kernel",
    "KernelError",
    "NotCompiledError",
    "PartsOpener",
    "SettingsOpener",
    "Word",
    "compile_progress",
    "forbid_compiling",
    "kernel",
]
