"""The public server's words (rulings 5, 17, 23, 24): the arena as bytes, ants by UUID, messages about moves."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
import numpy as np

from marchland.board import for_kernels
from marchland.games.datspulse.letters import (
    ID_GAP,
    MOST_DIGITS,
    MOST_GAPS,
    NUMBER_GAP,
    UUID_LENGTH,
    put_uuids,
    write_arena,
)
from marchland.games.datspulse.state import ID_KEY0, ID_KEY1, KINDS, MOST_STEPS, NEIGHBOURS, Ants, Cells, Teams
from marchland.games.datspulse.views import Ant, ants_of_team, look_around

if TYPE_CHECKING:
    from marchland.games.datspulse.game import Datspulse

_NUMBER, _ID = bytes([NUMBER_GAP]), bytes([ID_GAP])

FORMS: Final = tuple(
    form.encode().replace(b"#", _NUMBER).replace(b"@", _ID)
    for form in (
        '{"ants":[',
        '],"enemies":[',
        '],"map":[',
        '],"food":[',
        "]",
        '{"q":#,"r":#,"type":#,"health":#,"id":"@"',
        ',"lastMove":[',
        ',"move":[',
        '{"q":#,"r":#}',
        "]",
        ',"food":{"type":#,"amount":#}',
        ',"lastAttack":{"q":#,"r":#},"lastEnemyAnt":"@"',
        "}",
        '{"q":#,"r":#,"type":#,"attack":#,"health":#,"food":{"type":#,"amount":#},"id":"@"}',
        '{"q":#,"r":#,"cost":#,"type":#}',
        '{"q":#,"r":#,"type":#,"amount":#}',
    )
)
"""The pieces of an arena in which `letters` fills the gaps: # a number, @ an ant's id."""
_FORMS: Final = np.frombuffer(b"".join(FORMS), np.uint8)
_STARTS: Final = np.concatenate(([0], np.cumsum([len(form) for form in FORMS]))).astype(np.int64)

EMPTY_ARENA: Final = (
    b'{"ants":[],"enemies":[],"map":[],"food":[],"turnNo":0,"nextTurnIn":0,"home":[],"score":0,"spot":{"q":0,"r":0}}'
)
"""The answer to a team that is registered for a round that is not running."""

# More bytes than what is told of each takes. Coordinates have five characters at most.
_A_HEX: Final = 2 * MOST_DIGITS + 60
_A_STEP: Final = 32
_AN_ANT: Final = 4 * MOST_DIGITS + 3 * UUID_LENGTH + 200 + 2 * MOST_STEPS * _A_STEP
_AN_ENEMY: Final = 4 * MOST_DIGITS + UUID_LENGTH + 200


class Move(msgspec.Struct):
    """One entry of a move: the ant by UUID and its way."""

    ant: str
    path: list["Hex"]


class Hex(msgspec.Struct):
    """A hex by column and row."""

    q: int
    r: int


class Judged(NamedTuple):
    """The moves of one request that may stand, as orders, and a message for each that may not."""

    orders: list[dict[str, Any]]
    errors: list[str]


def uuid_of(game: "Datspulse", ant: int) -> str:
    """An ant's stable id on the wire."""
    return uuids_of(game, [ant])[0]


def uuids_of(game: "Datspulse", ants: Sequence[int]) -> list[str]:
    """The stable ids of ants on the wire."""
    out, numbers = np.empty(UUID_LENGTH * len(ants), np.uint8), np.array(ants, np.int64)
    put_uuids(for_kernels(out), int(game.head[ID_KEY0]), int(game.head[ID_KEY1]), for_kernels(numbers))
    text = out.tobytes().decode()
    return [text[start : start + UUID_LENGTH] for start in range(0, len(text), UUID_LENGTH)]


def arena_bytes(
    game: "Datspulse",
    team: int,
    next_turn_in: float,
    pending: Mapping[int, Sequence[Sequence[int]]] | None = None,
) -> bytes:
    """The answer of ``/api/arena``; ``pending`` holds the ways that living ants are to go, by their number."""
    sight = look_around(game, team)
    rows = slice(team * game.slots, team * game.slots + int(game.part(Teams).ants[team]))
    planned = game.part(Ants).planned[rows].copy()
    for ant, path in (pending or {}).items():
        (place,) = np.flatnonzero(game.part(Ants).id[rows] == ant)
        planned[place] = encoded(game, int(game.part(Ants).cell[rows][place]), path)
    most = 2 * len(sight.cells) * _A_HEX + len(planned) * _AN_ANT + crowd(game, sight.cells) * _AN_ENEMY
    out = np.empty(most + 100, np.uint8)
    length = write_arena(
        for_kernels(game.buffer),
        game.layout.at,
        game.board.arrays,
        game.rules,
        team,
        for_kernels(planned),
        for_kernels(sight.cells),
        for_kernels(_FORMS),
        for_kernels(_STARTS),
        for_kernels(np.zeros(MOST_GAPS, np.int64)),
        for_kernels(out),
    )
    return out[:length].tobytes() + rest_of_arena(game, team, next_turn_in)


def crowd(game: "Datspulse", cells: Any) -> int:
    """More ants than can stand on these hexes: one of each kind, and the dead."""
    taken = int(np.count_nonzero(game.part(Cells).first[cells]))
    return taken * len(KINDS) + int(game.part(Teams).ants.sum() - game.part(Teams).living.sum())


def rest_of_arena(game: "Datspulse", team: int, next_turn_in: float) -> bytes:
    """What follows the lists."""
    home = [b'{"q":%d,"r":%d}' % game.board.at(cell) for cell in game.home(team)]
    return b',"turnNo":%d,"nextTurnIn":%s,"home":[%s],"score":%d,"spot":%s}' % (
        game.turn,
        msgspec.json.encode(round(next_turn_in, 3)),
        b",".join(home),
        game.score(team),
        home[0],
    )


def move_bytes(arena: bytes, errors: Sequence[str]) -> bytes:
    """The answer of ``/api/move``: the arena and what was wrong with the moves."""
    return arena[:-1] + b',"errors":' + msgspec.json.encode(list(errors)) + b"}"


def judge(game: "Datspulse", team: int, moves: Sequence[Move]) -> Judged:
    """Ruling 5: each move is checked as it is sent; a bad one is dropped alone, with a message."""
    listed = ants_of_team(game, team)
    ants = dict(zip(uuids_of(game, [ant.id for ant in listed]), listed, strict=True))
    judged = Judged([], [])
    for move in moves:
        path = [(tile.q, tile.r) for tile in move.path]
        problem = objection(game, ants.get(move.ant), path)
        if problem:
            judged.errors.append(f"ant {move.ant} {problem}")
        else:
            judged.orders.append({"do": "move", "ant": ants[move.ant].id, "path": [list(at) for at in path]})
    return judged


def objection(game: "Datspulse", ant: Ant | None, path: Sequence[tuple[int, int]]) -> str:
    """What is wrong with that way for that ant, or nothing; in the order in which the turn judges it."""
    if ant is None:
        return "not found"
    if ant.health == 0:
        return "is dead"
    speed = game.config.speed[ant.kind]
    if len(path) > speed:
        return f"cannot move more than {speed} tiles, but tried to move {len(path)} tiles"
    here = ant.cell
    for q, r in path:
        there = game.board.index(q, r)
        if there < 0:
            return f"cannot move to {{{q} {r}}}, tile not found"
        if there not in game.board.neighbours(here):
            from_q, from_r = game.board.at(here)
            return f"cannot move from {{{from_q} {from_r}}} to {{{q} {r}}}, not adjacent coordinates"
        here = there
    return ""


def encoded(game: "Datspulse", cell: int, path: Sequence[Sequence[int]]) -> int:
    """A way planned as the state keeps it."""
    way = 0
    beside = np.asarray(game.board.tables.neighbours).reshape(-1, NEIGHBOURS)
    for step, at in enumerate(path):
        there = game.board.index(*at)
        way += beside[cell].tolist().index(there) << 3 * step
        cell = there
    return way + (1 << 3 * len(path)) if path else 0
