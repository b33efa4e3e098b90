"""Prepares message types for use in several threads.

msgspec completes a struct's type information at its first decoding, without a lock: a second thread that decodes the
same type at that moment crashes the process (seen in version 0.22). So all types are completed up front.
"""

import contextlib
import threading

import msgspec

_lock = threading.Lock()
_known: set[type[msgspec.Struct]] = set()


def prepare_types() -> None:
    """Complete the type information of every struct that is imported by now."""
    with _lock:
        for kind in _below(msgspec.Struct) - _known:
            with contextlib.suppress(TypeError):  # one that is only written has fields that cannot be read
                msgspec.json.Decoder(kind)
            _known.add(kind)


def _below(kind: type[msgspec.Struct]) -> set[type[msgspec.Struct]]:
    found = set(kind.__subclasses__())
    return found.union(*(_below(one) for one in found))
