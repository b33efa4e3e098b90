"""Prepares message types for use in several threads.

msgspec completes a struct's type information at its first decoding, without a lock: a second thread that decodes the
same type at that moment crashes the process (seen in version 0.22). So all types are completed up front.
"""

import contextlib
import threading

import msgspec

_lock = threading.Lock()
_prepared: set[type[msgspec.Struct]] = set()


def prepare_types() -> None:
    """Complete the type information of every struct that is imported by now."""
    with _lock:
        for kind in _subclasses_of(msgspec.Struct) - _prepared:
            with contextlib.suppress(TypeError):  # a struct that is only encoded may have fields that cannot be decoded
                msgspec.json.Decoder(kind)
            _prepared.add(kind)


def _subclasses_of(kind: type[msgspec.Struct]) -> set[type[msgspec.Struct]]:
    direct = set(kind.__subclasses__())
    return direct.union(*map(_subclasses_of, direct))
