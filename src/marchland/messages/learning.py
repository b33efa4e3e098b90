"""What msgspec must know of a type before several threads read it.

It learns a struct's fields when the struct is first read, and for a moment others can see what it has not learned yet:
a second thread that reads the same type then crashes the process (seen in version 0.22). So types are learned one
after another, before any thread can need them.
"""

import contextlib
import threading

import msgspec

_learning = threading.Lock()
_known: set[type[msgspec.Struct]] = set()


def learn_types() -> None:
    """Learn every struct that is imported by now."""
    with _learning:
        for kind in _below(msgspec.Struct) - _known:
            with contextlib.suppress(TypeError):  # one that is only written has fields that cannot be read
                msgspec.json.Decoder(kind)
            _known.add(kind)


def _below(kind: type[msgspec.Struct]) -> set[type[msgspec.Struct]]:
    found = set(kind.__subclasses__())
    return found.union(*(_below(one) for one in found))
