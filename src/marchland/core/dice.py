"""Chance: a keyed hash instead of a generator.

Every draw is SipHash-1-3 of (turn, seq, phase, index) under the match's 128-bit key. So a draw depends on what it is
for and on nothing else: not on the order of evaluation, not on threads, and any turn can be computed alone. Nobody
can learn the key from the draws he sees.
"""

import hashlib
import secrets
from typing import Any, Final, NamedTuple

from marchland.core.state import KEY0, KEY1, SEQ, TURN
from marchland.kernels import Word, kernel


class Dice(NamedTuple):
    """The chance of one turn."""

    key0: int
    key1: int
    turn: int
    seq: int


# SipHash's initial state and constants.
_V0, _V1 = Word(0x736F6D6570736575), Word(0x646F72616E646F6D)
_V2, _V3 = Word(0x6C7967656E657261), Word(0x7465646279746573)
_LENGTH: Final = Word(32 << 56)


@kernel
def _rotate(word: Word, count: int) -> Word:
    return (word << count) | (word >> (64 - count))


@kernel
def _sip_round(v0: Word, v1: Word, v2: Word, v3: Word) -> tuple[Word, Word, Word, Word]:
    v0 += v1
    v1 = _rotate(v1, 13) ^ v0
    v0 = _rotate(v0, 32)
    v2 += v3
    v3 = _rotate(v3, 16) ^ v2
    v0 += v3
    v3 = _rotate(v3, 21) ^ v0
    v2 += v1
    v1 = _rotate(v1, 17) ^ v2
    v2 = _rotate(v2, 32)
    return v0, v1, v2, v3


@kernel
def siphash(key0: int, key1: int, a: int, b: int, c: int, d: int) -> Word:
    """SipHash-1-3 of four 64-bit words."""
    k0, k1 = Word(key0), Word(key1)
    v0, v1, v2, v3 = k0 ^ _V0, k1 ^ _V1, k0 ^ _V2, k1 ^ _V3
    for word in (Word(a), Word(b), Word(c), Word(d), _LENGTH):
        v3 ^= word
        v0, v1, v2, v3 = _sip_round(v0, v1, v2, v3)
        v0 ^= word
    v2 ^= 0xFF
    for _ in range(3):
        v0, v1, v2, v3 = _sip_round(v0, v1, v2, v3)
    return v0 ^ v1 ^ v2 ^ v3


@kernel
def dice_of(head: Any) -> Dice:
    """The dice of the turn that a match's head names."""
    return Dice(head[KEY0], head[KEY1], head[TURN], head[SEQ])


@kernel
def draw(dice: Dice, phase: int, index: int, sides: int) -> int:
    """A whole number from 0 to ``sides - 1``, each as likely, for the ``index``-th draw of ``phase``."""
    word = siphash(dice.key0, dice.key1, dice.turn, dice.seq, phase, index)
    return int(word >> 1) % sides


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
