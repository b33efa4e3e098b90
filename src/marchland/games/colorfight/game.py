"""Colorfight, the game."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from marchland.board import Board
from marchland.core.dice import roll
from marchland.core.game import Game, TournamentCase
from marchland.core.game_functions import GameFunctions
from marchland.core.map_adapter import MapAdapter
from marchland.core.orders import Codec
from marchland.core.state import KEY0, KEY1, NO_PLAYER, OVER, PLAYERS, TURN, Layout
from marchland.errors import ConfigError, JoinRefusedError, MapError
from marchland.games.colorfight import legal, maps, position, scene, views
from marchland.games.colorfight.bots import BOTS
from marchland.games.colorfight.effects import effects
from marchland.games.colorfight.rules import turn
from marchland.games.colorfight.rules.config import ColorfightConfig
from marchland.games.colorfight.rules.events import EVENTS
from marchland.games.colorfight.rules.orders import VERBS
from marchland.games.colorfight.rules.reasons import ColorfightReason
from marchland.games.colorfight.rules.state import HOME, NEIGHBOURS, SCHEMA, Cells, Players
from marchland.games.colorfight.words import WORDS
from marchland.messages import Outcome

_JOIN_PHASE = 100
_RANKED = ("gold", "cells", "energy")


class Colorfight(Game):
    """Spend energy to take cells, gold to build on them; the most gold at the end wins."""

    name = "colorfight"
    version = 3
    config_type = ColorfightConfig
    codec = Codec(name, VERBS)
    schema = SCHEMA
    reasons = ColorfightReason
    words = WORDS
    event_kinds = EVENTS
    layers = scene.LAYERS
    private_members: ClassVar[Mapping[str, Any]] = {"error": {}}
    figures = scene.FIGURES
    bots = BOTS
    functions = GameFunctions(
        views,
        legal,
        scene,
        position,
        rebuild=position.rebuild,
        own_view=views.own_view,
        encode_shared_view=views.encode_shared_view,
        effects=effects,
        prices=legal.prices,
        probe=legal.probe,
        resources=legal.resources,
        forecast=legal.forecast,
    )
    turn_kernel = staticmethod(turn.turn)
    plan_kernel = staticmethod(turn.plan)
    shortages = frozenset({ColorfightReason.NOT_ENOUGH_ENERGY, ColorfightReason.NOT_ENOUGH_GOLD})
    most_players = 1000

    @classmethod
    def map_adapter(cls) -> MapAdapter:
        """The maps for the server and the map editor."""
        from marchland.games.colorfight.map_adapter import ColorfightMapAdapter

        return ColorfightMapAdapter()

    @classmethod
    def benchmarks(cls) -> Iterator[dict[str, Any]]:
        """The figures of ``marchland bench colorfight``."""
        from marchland.games.colorfight.bench import scenarios

        return scenarios()

    @classmethod
    def tournament_case(cls) -> TournamentCase:
        """Whole matches of the example bot."""
        return TournamentCase(turns=500, example="frontier.c")

    @classmethod
    def layout_for(cls, cells: int, players: int) -> Layout:
        """The layout for that many cells and players."""
        return SCHEMA.layout(cells=cells, players=players, sieges=cells, attackers=NEIGHBOURS * cells, purses=players)

    @classmethod
    def check_names(cls, config: ColorfightConfig, names: Sequence[str]) -> None:
        """Refuse names that are too short or too long (ruling 18)."""
        long = next((name for name in names if not 1 <= len(name) <= config.name_length), None)
        if long is not None:
            raise ConfigError(f"A name has 1 to {config.name_length} characters; {long!r} has {len(long)}.")

    @classmethod
    def last_turn_of(cls, config: ColorfightConfig) -> int:
        """The last turn of a match."""
        return config.max_turn

    @classmethod
    def max_name_length(cls, config: ColorfightConfig) -> int:
        """A setting, since the public server had its own."""
        return config.name_length

    @classmethod
    def check_setup(cls, config: ColorfightConfig, names: Sequence[str], map: Any) -> None:
        """Refuse what can be refused before anything is compiled."""
        cls.check_names(config, names)
        if config.width * config.height < len(names):
            raise MapError(f"A board of {config.width}x{config.height} has no room for {len(names)} homes.")
        maps.check(map, config, len(names))

    @classmethod
    def _create(cls, config: ColorfightConfig, names: Sequence[str], map: Any, map_key: tuple[int, int]) -> Self:
        board = Board.square(config.width, config.height)
        game = cls(board, config, names, cls.layout_for(board.size, len(names)))
        cells: Cells = game.arrays(Cells)
        if isinstance(map, Mapping):
            homes = maps.from_data(map, board, cells, len(names))
        else:
            homes = maps.generate(map, board, cells, config, game.rules, len(names), map_key)
        cells.owner[:] = NO_PLAYER
        for seat, home in enumerate(homes):
            game._settle(seat, home)
        return game

    def _settle(self, seat: int, home: int) -> None:
        cells: Cells = self.arrays(Cells)
        players: Players = self.arrays(Players)
        self.give(home, seat)
        cells.building[home], cells.level[home] = HOME, 1
        players.energy[seat], players.gold[seat] = self.config.start_energy, self.config.start_gold
        players.tech_level[seat] = players.cells[seat] = 1
        players.energy_source[seat] = players.gold_source[seat] = self.config.home_income

    def give(self, cell: int, seat: int) -> None:
        """Make ``cell`` that player's."""
        turn.settle(self.buffer, self.layout.at, self.board.arrays, cell, seat)

    def _begin(self) -> None:
        self.count_income()
        self.head[TURN] = 1

    @classmethod
    def _exercise(cls) -> None:
        from marchland.games.colorfight.wire import Room, get_game_info, state_bytes

        super()._exercise()
        game = cls._create(cls.config_type.build(), cls.seat_names(2), "random", (0, 0))
        state_bytes(game, Room("", 2, 1.0, 0, False, [], [1, 2], [False, False]), {})
        get_game_info(game)

    def count_income(self) -> None:
        """Pay every player's income once and count what it is made of."""
        turn.first_income(self.buffer, self.workspace, self.layout.at, self.rules)

    def _join(self, name: str) -> None:
        if not self.config.late_join:
            raise JoinRefusedError("joining_over")
        if len(name) > self.config.name_length:
            raise JoinRefusedError("name_length", most=self.config.name_length, name=name, length=len(name))
        home = self._free_home()
        if home < 0:
            raise JoinRefusedError("map_full")
        self.names.append(name)
        self._resize(self.layout_for(self.board.size, len(self.names)))
        self.head[PLAYERS] = len(self.names)
        self._settle(len(self.names) - 1, home)

    def _free_home(self) -> int:
        """The unowned cell farthest from all owned land, random among equals (ruling 23); -1 if there is none."""
        owner = self.arrays(Cells).owner
        distance = self.board.field(np.flatnonzero(owner != NO_PLAYER).tolist())
        free = np.flatnonzero(owner == NO_PLAYER)
        if len(free) == 0:
            return -1
        farthest = free[distance[free] == distance[free].max()]
        key0, key1, now = self.head[[KEY0, KEY1, TURN]].tolist()
        chance = roll(key0, key1, now, 0, _JOIN_PHASE, len(self.names), len(farthest))
        return int(farthest[chance])

    def _outcome(self) -> Outcome:
        players: Players = self.arrays(Players)
        if self.head[OVER] == turn.MAX_TURN_REACHED:
            return self._end("TURN_LIMIT", turn=self.turn)
        left = [name for seat, name in enumerate(self.players) if not players.dead[seat]]
        return self._end("LAST_PLAYER", player=left[0]) if left else self._end("NO_PLAYER")

    def _rank_keys(self) -> list[tuple[int, ...]]:
        players: Players = self.arrays(Players)
        names = ("gold",) if self.config.rank_by == "gold" else _RANKED
        columns = [getattr(players, name).tolist() for name in names]
        if self.head[OVER] != turn.MAX_TURN_REACHED:
            columns = [(1 - players.dead).tolist(), *columns]
        return list(zip(*columns, strict=True))

    def _rank_figures(self) -> list[dict[str, int]]:
        columns = (getattr(self.arrays(Players), name).tolist() for name in _RANKED)
        return [dict(zip(_RANKED, row, strict=True)) for row in zip(*columns, strict=True)]

    def _alive(self) -> list[bool]:
        return [not dead for dead in self.arrays(Players).dead]
