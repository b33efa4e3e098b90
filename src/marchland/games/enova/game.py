"""Enova Conquest: march, defend and support on a lattice of castles; the last player standing wins."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from marchland.board import Board
from marchland.core.dice import roll
from marchland.core.game import Game
from marchland.core.game_functions import GameFunctions
from marchland.core.map_adapter import MapAdapter
from marchland.core.map_files import MapFiles
from marchland.core.orders import Codec
from marchland.core.state import KEY0, KEY1, NO_PLAYER, OVER, PLAYERS, TURN, Layout
from marchland.errors import JoinRefusedError
from marchland.games.enova import legal, position, scene, views
from marchland.games.enova.bots import BOTS
from marchland.games.enova.effects import effects
from marchland.games.enova.maps import worlds
from marchland.games.enova.reports import reports_by_player
from marchland.games.enova.rules.config import EnovaConfig
from marchland.games.enova.rules.events import EVENTS
from marchland.games.enova.rules.orders import VERBS
from marchland.games.enova.rules.reasons import EnovaReason
from marchland.games.enova.rules.state import (
    ALIVE,
    CASTLES,
    DEPARTED,
    MOST_PARTIES,
    SCHEMA,
    SCHEMA_WITHOUT_DEPARTURES,
    STARTERS,
    Castles,
    Cells,
    Departures,
    Players,
)
from marchland.games.enova.rules.terrain import CASTLE
from marchland.games.enova.rules.turn import LAST_ALIVE, plan_turn
from marchland.games.enova.rules.turn import turn as turn_kernel
from marchland.games.enova.words import WORDS
from marchland.messages import Outcome

_JOIN_PHASE = 2


class Enova(Game):
    """A match of Enova Conquest."""

    name = "enova"
    version = 2
    config_type = EnovaConfig
    codec = Codec(name, VERBS)
    schema = SCHEMA
    earlier_schemas = (SCHEMA_WITHOUT_DEPARTURES,)
    reasons = EnovaReason
    words = WORDS
    event_kinds = EVENTS
    layers = scene.LAYERS
    private_members: ClassVar[Mapping[str, Any]] = {"failed": []}
    figures = scene.FIGURES
    bots = BOTS
    functions = GameFunctions(
        views,
        legal,
        scene,
        position,
        rebuild=position.rebuild,
        own_view=views.own_view,
        player_reports=reports_by_player,
        effects=effects,
        probe=legal.probe,
        resources=legal.resources,
        forecast=legal.forecast,
    )
    merging = "unit"
    unit_parameters = ("from", "at")
    turn_kernel = staticmethod(turn_kernel)
    plan_kernel = staticmethod(plan_turn)
    most_players = 100_000

    @classmethod
    def map_adapter(cls) -> MapAdapter:
        """The maps for the server and the map editor."""
        from marchland.games.enova.map_adapter import EnovaMapAdapter

        return EnovaMapAdapter()

    @classmethod
    def map_files(cls) -> MapFiles:
        """The map files for ``marchland map``."""
        from marchland.games.enova.maps import mapfile

        return MapFiles(mapfile.new_map, mapfile.check_map, mapfile.looks_like_map)

    @classmethod
    def benchmarks(cls) -> Iterator[dict[str, Any]]:
        """The figures of ``marchland bench enova``."""
        from marchland.games.enova.bench import scenarios

        return scenarios()

    @classmethod
    def layout_for(cls, board: Board, players: int, castles: int) -> Layout:
        """The layout for that board with so many players and castles."""
        cells = board.size
        return SCHEMA.layout(
            cells=cells,
            players=players,
            castles=max(castles, 1),
            departures=players,
            plans=cells,
            sheets=cells,
            shelves=max(worlds.sides_of(board)) + 1,
            ordered=cells,
            entered=cells,
            groups=2 * cells,
            claimed=cells,
            parties=MOST_PARTIES,
        )

    @classmethod
    def last_turn_of(cls, config: EnovaConfig) -> int:
        """The turn limit."""
        return config.turn_limit

    @classmethod
    def count_cells(cls, config: EnovaConfig, players: int, map: Any) -> int | None:
        """The tiles of a lattice or a torus."""
        if map is not None and map not in worlds.GENERATED:
            return None
        width, height = worlds.generated_sides(map == "torus", config, players)
        return width * height

    @classmethod
    def on(cls, board: Board, terrain: worlds.Terrain, config: EnovaConfig, names: Sequence[str]) -> Self:
        """A match on that board, all of it unowned."""
        castles = np.flatnonzero(terrain == CASTLE)
        game = cls(board, config, names, cls.layout_for(board, len(names), len(castles)))
        game._lay_out(terrain)
        game.head[STARTERS] = len(names)
        return game

    @classmethod
    def _create(cls, config: EnovaConfig, names: Sequence[str], map: Any, map_key: tuple[int, int]) -> Self:
        world = worlds.build_world(map, config, len(names), map_key)
        game = cls.on(world.board, world.terrain, config, names)
        game._settle(0, world.seats)
        return game

    def _lay_out(self, terrain: worlds.Terrain) -> None:
        """Open land, walls and castles, all unowned."""
        cells: Cells = self.arrays(Cells)
        cells.terrain[:], cells.owner[:], cells.units[:] = terrain, NO_PLAYER, 0
        castles = np.flatnonzero(terrain == CASTLE)
        self.arrays(Castles).cell[: len(castles)] = castles
        self.head[CASTLES] = len(castles)

    def _settle(self, first: int, seats: Sequence[int]) -> None:
        """Give the players from ``first`` on their castles, with what they start with and this turn's production."""
        cells: Cells = self.arrays(Cells)
        players: Players = self.arrays(Players)
        newcomers = slice(first, first + len(seats))
        cells.owner[seats] = np.arange(newcomers.start, newcomers.stop)
        cells.units[seats] = players.units[newcomers] = self.config.start_units + self.config.production
        players.castles[newcomers] = players.tiles[newcomers] = 1
        self.head[ALIVE] += len(seats)

    def _begin(self) -> None:
        self.head[TURN] = 1

    def _join(self, name: str) -> None:
        if not self.config.open_world:
            raise JoinRefusedError("no_open_world")
        if not worlds.can_grow(self.board, self.arrays(Cells).terrain, self.config.castle_spacing):
            raise JoinRefusedError("board_cannot_grow")
        seat, castle = len(self.names), self._free_castle()
        self.names.append(name)
        self._resize(self.layout_for(self.board, seat + 1, int(self.head[CASTLES])))
        self.head[PLAYERS] = seat + 1
        self._settle(seat, [castle])

    def _free_castle(self) -> int:
        """The unowned castle farthest from all owned land, random among equals; else the board grows (ruling 20)."""
        cells: Cells = self.arrays(Cells)
        if not np.any((cells.terrain == CASTLE) & (cells.owner == NO_PLAYER)):
            self._grow()
            cells = self.arrays(Cells)
        free = np.flatnonzero((cells.terrain == CASTLE) & (cells.owner == NO_PLAYER))
        distance = self.board.field(np.flatnonzero(cells.owner != NO_PLAYER).tolist())[free]
        farthest = free[distance == distance.max()]
        key0, key1, turn = self.head[[KEY0, KEY1, TURN]].tolist()
        return int(farthest[roll(key0, key1, turn, 0, _JOIN_PHASE, len(self.names), len(farthest))])

    def _grow(self) -> None:
        """A new row or column of the lattice; every tile keeps its coordinates."""
        old_board, old = self.board, [column.copy() for column in self.arrays(Cells)]
        self.board, terrain = worlds.grow(old_board, self.config)
        castles = int(np.count_nonzero(terrain == CASTLE))
        self._resize(self.layout_for(self.board, len(self.names), castles))
        self._lay_out(terrain)
        x, y = old_board.coords.astype(np.int64).T
        place = y * worlds.sides_of(self.board)[0] + x
        for values, column in zip(old, self.arrays(Cells), strict=True):
            column[place] = values

    def _outcome(self) -> Outcome:
        if self.head[OVER] == LAST_ALIVE:
            left = [name for seat, name in enumerate(self.players) if not self.arrays(Players).dead[seat]]
            return self._end("LAST_PLAYER", player=left[0]) if left else self._end("NO_PLAYER")
        return self._end("TURN_LIMIT", turn=self.config.turn_limit)

    def _rank_keys(self) -> list[tuple[int, ...]]:
        keys = self._figure_rows()
        if self.config.rank_eliminated == "by turn":  # ruling 26; who is alive has more tiles than the eliminated
            keys = [(*key, left) for key, left in zip(keys, self.departure_turns(), strict=True)]
        return keys

    def _rank_figures(self) -> list[dict[str, int]]:
        return [dict(zip(scene.FIGURES, row, strict=True)) for row in self._figure_rows()]

    def _figure_rows(self) -> list[tuple[int, ...]]:
        players: Players = self.arrays(Players)
        return list(zip(*(getattr(players, name).tolist() for name in scene.FIGURES), strict=True))

    def departure_turns(self) -> list[int]:
        """By player, the turn in which it was eliminated; 0 if it was not, or if that is not recorded (ruling 26)."""
        departures: Departures = self.arrays(Departures)
        count = int(self.head[DEPARTED])
        turns = np.zeros(len(self.names), np.int64)
        turns[departures.player[:count]] = departures.turn[:count]
        return turns.tolist()

    def _alive(self) -> list[bool]:
        return [not dead for dead in self.arrays(Players).dead]
