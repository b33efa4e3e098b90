"""The arena as bytes (rulings 17, 23, 24)."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np
import numpy.typing as npt

from marchland.core.json_text import MOST_DIGITS
from marchland.games.datspulse.rules.state import KINDS, MOST_STEPS, Ants, Cells, Teams
from marchland.games.datspulse.views import Lookout
from marchland.games.datspulse.wire.arena_json import (
    ID_GAP,
    MOST_GAPS,
    NUMBER_GAP,
    UUID_LENGTH,
    write_arena,
)

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
"""The pieces of an arena in which `arena_json` fills the gaps: # a number, @ an ant's id."""
_FORMS: Final = np.frombuffer(b"".join(FORMS), np.uint8)
_STARTS: Final = np.concatenate(([0], np.cumsum([len(form) for form in FORMS]))).astype(np.int64)

EMPTY_ARENA: Final = (
    b'{"ants":[],"enemies":[],"map":[],"food":[],"turnNo":0,"nextTurnIn":0,"home":[],"score":0,"spot":{"q":0,"r":0}}'
)
"""The answer to a team that is registered for a round that is not running."""

# More bytes than each takes. Coordinates have five characters at most.
_A_HEX: Final = 2 * MOST_DIGITS + 60
_A_STEP: Final = 32
_AN_ANT: Final = 4 * MOST_DIGITS + 3 * UUID_LENGTH + 200 + 2 * MOST_STEPS * _A_STEP
_AN_ENEMY: Final = 4 * MOST_DIGITS + UUID_LENGTH + 200


class Arenas:
    """Writes the arenas of a game as it stands: made for one turn, in which most of what they need is the same."""

    def __init__(self, game: "Datspulse") -> None:
        self._game = game
        self._teams: Teams = game.arrays(Teams)
        self._ants: Ants = game.arrays(Ants)
        self._first: npt.NDArray[np.int32] = game.arrays(Cells).first
        self._dead = int(self._teams.ants.sum() - self._teams.living.sum())
        self._scores = game.scores()
        self._gaps = np.zeros(MOST_GAPS, np.int64)
        self._lookout = Lookout(game)
        self._sights: dict[int, npt.NDArray[np.int32]] = {}
        """The hexes that teams see, of those that have asked: a move is answered by the arena once more."""
        self._out = np.empty(0, np.uint8)

    def arena(self, team: int, next_turn_in: float, ways: Mapping[int, int] | None = None) -> bytes:
        """The answer of ``/api/arena``; ``ways`` are those that living ants are to go, by their number."""
        game = self._game
        seen = self._sights.get(team)
        if seen is None:
            self._sights[team] = seen = self._lookout.look(team).cells.copy()
        rows = slice(team * game.slots, team * game.slots + int(self._teams.ants[team]))
        planned = self._ants.planned[rows].copy()
        if ways:
            places = {ant: place for place, ant in enumerate(self._ants.id[rows].tolist())}
            for ant, way in ways.items():
                planned[places[ant]] = way
        room = 2 * len(seen) * _A_HEX + len(planned) * _AN_ANT + self._crowd(seen) * _AN_ENEMY + 100
        if len(self._out) < room:
            self._out = np.empty(2 * room, np.uint8)
        length = write_arena(
            game.buffer,
            game.layout.at,
            game.board.arrays,
            game.rules,
            team,
            planned,
            seen,
            _FORMS,
            _STARTS,
            self._gaps,
            self._out,
        )
        return self._out[:length].tobytes() + self._rest(team, next_turn_in)

    def _crowd(self, cells: npt.NDArray[np.int32]) -> int:
        """More ants than can stand on these hexes: one of each kind, and the dead."""
        return int(np.count_nonzero(self._first[cells])) * len(KINDS) + self._dead

    def _rest(self, team: int, next_turn_in: float) -> bytes:
        """What follows the lists."""
        game = self._game
        home = [b'{"q":%d,"r":%d}' % (q, r) for q, r in game.board.coords[game.home(team)].tolist()]
        return b',"turnNo":%d,"nextTurnIn":%s,"home":[%s],"score":%d,"spot":%s}' % (
            game.turn,
            msgspec.json.encode(round(next_turn_in, 3)),
            b",".join(home),
            self._scores[team],
            home[0],
        )


def arena_bytes(game: "Datspulse", team: int, next_turn_in: float, ways: Mapping[int, int] | None = None) -> bytes:
    """One team's arena: see `Arenas.arena`."""
    return Arenas(game).arena(team, next_turn_in, ways)


def move_bytes(arena: bytes, errors: Sequence[str]) -> bytes:
    """The answer of ``/api/move``: the arena and what was wrong with the moves."""
    return arena[:-1] + b',"errors":' + msgspec.json.encode(list(errors)) + b"}"
