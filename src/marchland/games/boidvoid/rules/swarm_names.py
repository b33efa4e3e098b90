"""Swarms' names, as bytes in the pool and in the state. Compiled."""

from marchland.games.boidvoid.rules.constants import GONE, MOST_LETTERS, STRUCTURES_AT, SWARMS_AT
from marchland.games.boidvoid.rules.state import U
from marchland.games.boidvoid.rules.world import head_in, letters_in, rules_in, units_in
from marchland.kernels import kernel

_FIRST_PRINTABLE = 32


@kernel
def is_valid_name(world, pool, name):
    """1 to `name_length` bytes without control characters; ``name`` is where its length lies in the pool."""
    rules = rules_in(world)
    if name < 0 or name >= len(pool):
        return False
    length = pool[name]
    if length < 1 or length > rules.name_length or length > len(pool) - name - 1:
        return False
    for place in range(name + 1, name + 1 + length):
        if pool[place] < _FIRST_PRINTABLE or pool[place] > 255:
            return False
    return True


@kernel
def signed_byte(byte):
    """A byte as the state stores it, signed."""
    return byte if byte < 128 else byte - 256


@kernel
def is_name_taken(world, pool, name, team):
    head = head_in(world)
    letters = letters_in(world)
    units = units_in(world)
    first = head[SWARMS_AT]
    for swarm in range(first, head[STRUCTURES_AT]):
        if units[swarm, U.status] == GONE or units[swarm, U.team] != team:
            continue
        start = (swarm - first) * MOST_LETTERS
        same = True
        for place in range(MOST_LETTERS):
            wanted = signed_byte(pool[name + 1 + place]) if place < pool[name] else 0
            if letters[start + place] != wanted:
                same = False
                break
        if same:
            return True
    return False


@kernel
def write_name(world, pool, name, swarm):
    head = head_in(world)
    letters = letters_in(world)
    start = (swarm - head[SWARMS_AT]) * MOST_LETTERS
    for place in range(pool[name]):
        letters[start + place] = signed_byte(pool[name + 1 + place])


@kernel
def name_by_number(world, swarm, number):
    """Name a swarm that automode founded: ``auto`` and the number of its ship (ruling 37)."""
    head = head_in(world)
    letters = letters_in(world)
    start = (swarm - head[SWARMS_AT]) * MOST_LETTERS
    letters[start] = 97
    letters[start + 1] = 117
    letters[start + 2] = 116
    letters[start + 3] = 111
    digits = 1
    rest = number
    while rest >= 10:
        rest //= 10
        digits += 1
    rest = number
    for place in range(start + 3 + digits, start + 3, -1):
        letters[place] = 48 + rest % 10
        rest //= 10
