"""Chance: keyed, even, and independent of everything but its purpose."""

from collections import Counter

import pytest

from marchland.core.dice import key_from_seed, map_key_from_seed, roll

MASK = 2**64 - 1


def siphash_1_3(key: bytes, message: bytes) -> int:
    """The published algorithm, byte by byte and written apart from ours."""
    k0, k1 = int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little")
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]

    def turn_left(x: int, bits: int) -> int:
        return (x << bits | x >> (64 - bits)) & MASK

    def mix() -> None:
        v[0] = (v[0] + v[1]) & MASK
        v[2] = (v[2] + v[3]) & MASK
        v[1], v[3] = turn_left(v[1], 13) ^ v[0], turn_left(v[3], 16) ^ v[2]
        v[0] = turn_left(v[0], 32)
        v[2] = (v[2] + v[1]) & MASK
        v[0] = (v[0] + v[3]) & MASK
        v[1], v[3] = turn_left(v[1], 17) ^ v[2], turn_left(v[3], 21) ^ v[0]
        v[2] = turn_left(v[2], 32)

    padded = message + bytes(-(len(message) + 1) % 8) + bytes([len(message) & 0xFF])
    for start in range(0, len(padded), 8):
        word = int.from_bytes(padded[start : start + 8], "little")
        v[3] ^= word
        mix()
        v[0] ^= word
    v[2] ^= 0xFF
    for _ in range(3):
        mix()
    return v[0] ^ v[1] ^ v[2] ^ v[3]


@pytest.mark.parametrize("seed", range(5))
def test_a_draw_is_siphash_1_3_of_its_purpose(seed: int) -> None:
    key0, key1 = key_from_seed(seed)
    key = key0.to_bytes(8, "little", signed=True) + key1.to_bytes(8, "little", signed=True)
    for turn, seq, phase, index in [(0, 0, 0, 0), (1, 2, 3, 4), (500, 0, 7, -1), (2**40, 1, 1, 2**62)]:
        message = b"".join(word.to_bytes(8, "little", signed=True) for word in (turn, seq, phase, index))
        expected = (siphash_1_3(key, message) >> 1) % 1000
        assert roll(key0, key1, turn, seq, phase, index, 1000) == expected


def test_draws_are_even() -> None:
    counts = Counter(roll(1, 2, 3, 0, 4, index, 6) for index in range(60_000))
    chi_square = sum((count - 10_000) ** 2 / 10_000 for count in counts.values())
    assert set(counts) == set(range(6))
    assert chi_square < 20.5  # five degrees of freedom, p > 0.001


def test_seeds_of_any_size_give_different_keys_and_maps_use_keys_of_their_own() -> None:
    seeds = [0, 1, -1, 2**64, 10**40]
    keys = [key_from_seed(seed) for seed in seeds] + [map_key_from_seed(seed) for seed in seeds]
    assert len(set(keys)) == len(keys)
    assert key_from_seed(7) == key_from_seed(7)


def test_without_a_seed_the_key_is_fresh() -> None:
    assert key_from_seed(None) != key_from_seed(None)
