"""`Word`: an unsigned 64-bit integer that wraps around, for hashes and dice."""

from collections.abc import Callable
from typing import Final, Self

_MASK: Final = 0xFFFF_FFFF_FFFF_FFFF
_create = int.__new__  # in Python mode most of the time of a draw is spent on new words


def _wrap(operation: Callable[[int, int], int]) -> Callable[["Word", int], "Word"]:
    """The same operation with a `Word` as its result."""

    def wrapped(self: "Word", other: int) -> "Word":
        return _create(Word, operation(self, int(other)) & _MASK)

    return wrapped


class Word(int):
    """An integer modulo 2**64. Compiled kernels keep it in a register; in Python mode this class does the same."""

    __slots__ = ()

    def __new__(cls, value: int = 0) -> Self:
        """Take the lowest 64 bits of ``value``."""
        return super().__new__(cls, int(value) & _MASK)

    __add__ = __radd__ = _wrap(int.__add__)
    __mul__ = __rmul__ = _wrap(int.__mul__)
    __and__ = __rand__ = _wrap(int.__and__)
    __or__ = __ror__ = _wrap(int.__or__)
    __xor__ = __rxor__ = _wrap(int.__xor__)
    __sub__, __rsub__ = _wrap(int.__sub__), _wrap(int.__rsub__)
    __floordiv__, __rfloordiv__ = _wrap(int.__floordiv__), _wrap(int.__rfloordiv__)
    __mod__, __rmod__ = _wrap(int.__mod__), _wrap(int.__rmod__)
    __lshift__, __rshift__ = _wrap(int.__lshift__), _wrap(int.__rshift__)

    def __neg__(self) -> "Word":
        return Word(-int(self))

    def __pos__(self) -> "Word":
        return self

    def __invert__(self) -> "Word":
        return Word(~int(self))

    def __abs__(self) -> "Word":
        return self
