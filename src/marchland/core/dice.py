"""Chance: a keyed hash instead of a generator.

Every draw is SipHash-1-3 of (turn, seq, phase, index) under the match's 128-bit key. So a draw depends on what it is
for and on nothing else: not on the order of evaluation, not on threads, and any turn can be computed alone. Nobody
can learn the key from the draws he sees.
"""

import hashlib
import secrets
from typing import Any, Final, NamedTuple

import numpy as np

from marchland.core.kernel import JIT, inlined, kernel
from marchland.core.state import KEY0, KEY1, SEQ, TURN

_MASK: Final = 0xFFFFFFFFFFFFFFFF
_LOW63: Final = 0x7FFFFFFFFFFFFFFF


class Dice(NamedTuple):
    """The chance of one turn."""

    key0: int
    key1: int
    turn: int
    seq: int


if JIT:
    _word: Any = np.uint64

    @inlined
    def _signed(value: Any) -> Any:
        return np.int64(value)

else:

    def _word(value: int) -> int:
        return value & _MASK

    def _signed(value: int) -> int:
        return value


# The four words of SipHash's start and its two mixing constants, typed once so that no mixed arithmetic occurs.
_C0: Final = _word(0x736F6D6570736575)
_C1: Final = _word(0x646F72616E646F6D)
_C2: Final = _word(0x6C7967656E657261)
_C3: Final = _word(0x7465646279746573)
_LENGTH: Final = _word(32 << 56)
_FINISH: Final = _word(0xFF)
_M: Final = _word(_MASK)
_R13, _R16, _R17, _R21, _R32 = (_word(n) for n in (13, 16, 17, 21, 32))
_L51, _L48, _L47, _L43 = (_word(n) for n in (51, 48, 47, 43))
_ONE: Final = _word(1)


@inlined
def _sip_round(v0: Any, v1: Any, v2: Any, v3: Any) -> Any:
    v0 = (v0 + v1) & _M
    v1 = ((v1 << _R13) & _M) | (v1 >> _L51)
    v1 ^= v0
    v0 = ((v0 << _R32) & _M) | (v0 >> _R32)
    v2 = (v2 + v3) & _M
    v3 = ((v3 << _R16) & _M) | (v3 >> _L48)
    v3 ^= v2
    v0 = (v0 + v3) & _M
    v3 = ((v3 << _R21) & _M) | (v3 >> _L43)
    v3 ^= v0
    v2 = (v2 + v1) & _M
    v1 = ((v1 << _R17) & _M) | (v1 >> _L47)
    v1 ^= v2
    v2 = ((v2 << _R32) & _M) | (v2 >> _R32)
    return v0, v1, v2, v3


@inlined
def siphash(key0: Any, key1: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    """SipHash-1-3 of four 64-bit words, as an unsigned word."""
    k0 = _word(key0)
    k1 = _word(key1)
    v0 = k0 ^ _C0
    v1 = k1 ^ _C1
    v2 = k0 ^ _C2
    v3 = k1 ^ _C3
    for word in (_word(a), _word(b), _word(c), _word(d), _LENGTH):
        v3 ^= word
        v0, v1, v2, v3 = _sip_round(v0, v1, v2, v3)
        v0 ^= word
    v2 ^= _FINISH
    for _ in range(3):
        v0, v1, v2, v3 = _sip_round(v0, v1, v2, v3)
    return v0 ^ v1 ^ v2 ^ v3


@inlined
def dice_of(head: Any) -> Dice:
    """The dice of the turn that a match's head names."""
    return Dice(head[KEY0], head[KEY1], head[TURN], head[SEQ])


@inlined
def draw(dice: Dice, phase: int, index: int, sides: int) -> int:
    """A whole number from 0 to ``sides - 1``, each as likely, for the ``index``-th draw of ``phase``."""
    word = siphash(dice.key0, dice.key1, dice.turn, dice.seq, phase, index)
    return _signed(word >> _ONE) % sides  # type: ignore[no-any-return]


@kernel
def roll(key0: int, key1: int, turn: int, seq: int, phase: int, index: int, sides: int) -> int:
    """`draw` for Python code, which pays for one entry into compiled code."""
    return draw(Dice(key0, key1, turn, seq), phase, index, sides)


def key_from_seed(seed: int | None) -> tuple[int, int]:
    """The match key for a seed, as two signed words; without a seed, a fresh one from the operating system."""
    return signed_words(secrets.token_bytes(16) if seed is None else derived(b"match", seed))


def map_key_from_seed(seed: int | None) -> tuple[int, int]:
    """The key for making a map: another one, so that a map says nothing about the dice to come."""
    return signed_words(secrets.token_bytes(16) if seed is None else derived(b"map", seed))


def derived(purpose: bytes, seed: int) -> bytes:
    """Sixteen bytes for ``purpose``, from a seed of any size."""
    return hashlib.blake2b(str(int(seed)).encode(), digest_size=16, person=purpose).digest()


def signed_words(key: bytes) -> tuple[int, int]:
    """A key's sixteen bytes as the two signed words that the state holds."""
    return int.from_bytes(key[:8], "little", signed=True), int.from_bytes(key[8:], "little", signed=True)
