"""`Word`: an unsigned 64-bit integer that wraps around, for hashes and dice."""

from typing import Final, Self

_MASK: Final = 0xFFFF_FFFF_FFFF_FFFF


class Word(int):
    """An integer modulo 2**64. Compiled kernels keep it in a register; in Python mode this class does the same."""

    __slots__ = ()

    def __new__(cls, value: int = 0) -> Self:
        """Take the lowest 64 bits of ``value``."""
        return super().__new__(cls, int(value) & _MASK)

    def __add__(self, other: int) -> "Word":
        return Word(int(self) + int(other))

    def __sub__(self, other: int) -> "Word":
        return Word(int(self) - int(other))

    def __mul__(self, other: int) -> "Word":
        return Word(int(self) * int(other))

    def __floordiv__(self, other: int) -> "Word":
        return Word(int(self) // int(other))

    def __mod__(self, other: int) -> "Word":
        return Word(int(self) % int(other))

    def __and__(self, other: int) -> "Word":
        return Word(int(self) & int(other))

    def __or__(self, other: int) -> "Word":
        return Word(int(self) | int(other))

    def __xor__(self, other: int) -> "Word":
        return Word(int(self) ^ int(other))

    def __lshift__(self, count: int) -> "Word":
        return Word(int(self) << int(count))

    def __rshift__(self, count: int) -> "Word":
        return Word(int(self) >> int(count))

    def __radd__(self, other: int) -> "Word":
        return Word(int(other) + int(self))

    def __rsub__(self, other: int) -> "Word":
        return Word(int(other) - int(self))

    def __rmul__(self, other: int) -> "Word":
        return Word(int(other) * int(self))

    def __rfloordiv__(self, other: int) -> "Word":
        return Word(int(other) // int(self))

    def __rmod__(self, other: int) -> "Word":
        return Word(int(other) % int(self))

    def __rand__(self, other: int) -> "Word":
        return Word(int(other) & int(self))

    def __ror__(self, other: int) -> "Word":
        return Word(int(other) | int(self))

    def __rxor__(self, other: int) -> "Word":
        return Word(int(other) ^ int(self))

    def __neg__(self) -> "Word":
        return Word(-int(self))

    def __pos__(self) -> "Word":
        return self

    def __invert__(self) -> "Word":
        return Word(~int(self))

    def __abs__(self) -> "Word":
        return self
