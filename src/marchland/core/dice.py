"""Chance: a keyed hash instead of a generator.

Every draw is SipHash-1-3 of (turn, seq, phase, index) under the match's 128-bit key. So a draw depends on what it is
for and on nothing else: not on the order of evaluation, not on threads, and any turn can be computed alone. The key
cannot be learnt from draws.
"""

import hashlib
import secrets
from typing import Any, Final, NamedTuple

from marchland.core.state import KEY0, KEY1, SEQ, TURN
from marchland.kernels import Word, kernel


class Dice(NamedTuple):
    """The chance of one turn: SipHash's state once it has taken in the key, the turn and the sequence number."""

    v0: Word
    v1: Word
    v2: Word
    v3: Word


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
def _absorb(dice: Dice, word: Word) -> Dice:
    v0, v1, v2, v3 = _sip_round(dice.v0, dice.v1, dice.v2, dice.v3 ^ word)
    return Dice(v0 ^ word, v1, v2, v3)


@kernel
def make_dice(key0: int, key1: int, turn: int, seq: int) -> Dice:
    """The dice of a turn under a key."""
    k0, k1 = Word(key0), Word(key1)
    return _absorb(_absorb(Dice(k0 ^ _V0, k1 ^ _V1, k0 ^ _V2, k1 ^ _V3), Word(turn)), Word(seq))


@kernel
def dice_of(head: Any) -> Dice:
    """The dice of the turn that a match's head names."""
    return make_dice(head[KEY0], head[KEY1], head[TURN], head[SEQ])


@kernel
def draw(dice: Dice, phase: int, index: int, sides: int) -> int:
    """A whole number from 0 to ``sides - 1``, each as likely, for the ``index``-th draw of ``phase``."""
    v0, v1, v2, v3 = _absorb(_absorb(_absorb(dice, Word(phase)), Word(index)), _LENGTH)
    v2 ^= 0xFF
    for _ in range(3):
        v0, v1, v2, v3 = _sip_round(v0, v1, v2, v3)
    return int((v0 ^ v1 ^ v2 ^ v3) >> 1) % sides


@kernel
def roll(key0: int, key1: int, turn: int, seq: int, phase: int, index: int, sides: int) -> int:
    """`draw` for Python code, which pays for one entry into compiled code."""
    return draw(make_dice(key0, key1, turn, seq), phase, index, sides)


def key_from_seed(seed: int | None) -> tuple[int, int]:
    """The match key for a seed, as two signed words; without a seed, a fresh one from the operating system."""
    return signed_words(secrets.token_bytes(16) if seed is None else derive_key(b"match", seed))


def map_key_from_seed(seed: int | None) -> tuple[int, int]:
    """The key for making a map: another one, so that a map says nothing about the dice to come."""
    return signed_words(secrets.token_bytes(16) if seed is None else derive_key(b"map", seed))


def derive_key(purpose: bytes, seed: int) -> bytes:
    """Sixteen bytes for ``purpose``, from a seed of any size."""
    return hashlib.blake2b(str(int(seed)).encode(), digest_size=16, person=purpose).digest()


def signed_words(key: bytes) -> tuple[int, int]:
    """A key's sixteen bytes as the two signed words that the state holds."""
    return int.from_bytes(key[:8], "little", signed=True), int.from_bytes(key[8:], "little", signed=True)
