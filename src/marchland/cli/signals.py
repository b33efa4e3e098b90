"""Signals that end a command."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def stoppable() -> Iterator[None]:
    """Treat SIGTERM and SIGHUP like Ctrl-C within the block, so that bots in processes of their own end too.

    A signal that this process was started to ignore (`nohup`) stays ignored.
    """
    before = {
        number: signal.signal(number, signal.default_int_handler)
        for number in _SIGNALS
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def graceful_stop(stop: Callable[[], None]) -> Iterator[None]:
    """Call ``stop`` on the first Ctrl-C, SIGTERM or SIGHUP within the block; the second one interrupts it."""

    def handle(number: int, frame: object) -> None:
        for number in before:
            signal.signal(number, signal.default_int_handler)
        stop()

    numbers = [signal.SIGINT, *_SIGNALS]
    before = {number: signal.getsignal(number) for number in numbers if signal.getsignal(number) is not signal.SIG_IGN}
    for number in before:
        signal.signal(number, handle)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
