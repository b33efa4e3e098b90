"""Which mode kernels run in, decided once per process."""

import os
import sys
import warnings
from typing import Final

import numpy as np

from marchland.kernels.layout import check_layout

_MODES: Final = ("compiled", "checked", "python")


def _select_mode() -> str:
    mode = os.environ.get("MARCHLAND_KERNELS", "compiled")
    if mode not in _MODES:
        raise ValueError(f"MARCHLAND_KERNELS is {mode!r}; it can be {', '.join(_MODES)}.")
    if mode == "python":
        return mode
    if problem := _find_obstacle():
        warnings.warn(f"Kernels run as plain Python, hundreds of times slower: {problem}.", stacklevel=2)
        return "python"
    return mode


def _find_obstacle() -> str | None:
    """Why kernels cannot be compiled here."""
    if sys.platform == "win32":
        return "compiled kernels need the C library's _setjmp, which Windows has in another form"
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        return "compiled kernels need a Python with a global interpreter lock"
    try:
        from marchland.kernels import engine  # noqa: F401 - whether it loads is the question
    except Exception as problem:  # a missing package, or one whose library does not load here
        return f"LLVM cannot be loaded ({problem})"
    if not check_layout():
        return f"NumPy {np.__version__} or this Python lays out its objects in an unknown way"
    return None


MODE: Final = _select_mode()
"""``compiled``, ``checked`` or ``python``."""
