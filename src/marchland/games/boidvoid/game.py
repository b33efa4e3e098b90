"""BoidVoid, the game."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, Literal, Self

import numpy as np

from marchland.board import Board
from marchland.core.events import NO_EVENTS
from marchland.core.game import Game
from marchland.core.game_functions import GameFunctions
from marchland.core.map_adapter import MapAdapter
from marchland.core.map_files import MapFiles
from marchland.core.orders import Codec, Packed
from marchland.core.reasons import CommonReason
from marchland.core.state import OVER, TURN, Layout
from marchland.errors import ConfigError, JoinRefusedError, MapError
from marchland.games.boidvoid import joining, legal, position, scene, views
from marchland.games.boidvoid.bots import BOTS
from marchland.games.boidvoid.effects import effects
from marchland.games.boidvoid.log import ReadableLog
from marchland.games.boidvoid.maps import mapfile, setup
from marchland.games.boidvoid.maps.generator import generate
from marchland.games.boidvoid.rules import host_orders, queries, turn
from marchland.games.boidvoid.rules.config import BoidVoidConfig
from marchland.games.boidvoid.rules.constants import (
    ALONE,
    ITEMS,
    LOCKED,
    MOST_LETTERS,
    MOST_PERIODS,
    MOST_PLAYERS,
    MOST_STEP_COST,
    NO_UNIT,
    NPCS,
    ROLES,
    SHIPS_AT,
    STATS,
)
from marchland.games.boidvoid.rules.events import EVENTS
from marchland.games.boidvoid.rules.orders import GIVE, VERBS
from marchland.games.boidvoid.rules.reasons import BoidVoidReason
from marchland.games.boidvoid.rules.state import ITEM_WIDTH, SCHEMA, TABLES, C, L, N, P, Players, T, Teams, U, Units
from marchland.games.boidvoid.season.calendar import clock_order
from marchland.games.boidvoid.season.hooks import SEASON_HOOKS
from marchland.games.boidvoid.words import WORDS
from marchland.messages import Outcome

_ENDS = {
    host_orders.SEASON_OVER: "SEASON_OVER",
    host_orders.DOMINATION: "DOMINATION",
    host_orders.TURN_LIMIT: "TURN_LIMIT",
}


class BoidVoid(Game):
    """Teams of ships, swarms and a mothership each capture the tiles of a map."""

    name = "boidvoid"
    version = 3
    config_type = BoidVoidConfig
    codec = Codec(name, VERBS)
    schema = SCHEMA
    reasons = BoidVoidReason
    words = WORDS
    event_kinds = EVENTS
    layers = scene.LAYERS
    kinds = scene.KINDS
    private_members: ClassVar[Mapping[str, Any]] = {"error": [], "nfts": [], "album": []}
    figures = scene.FIGURES
    team_figure = "team"
    unranked_figures = ("team", "role", scene.AVATAR)
    avatar_figure = scene.AVATAR
    figure_words: ClassVar[Mapping[str, tuple[str, ...]]] = {"role": ROLES}
    team_figures = ("tiles", "points", "structures", "destroyed")
    bots = BOTS
    functions = GameFunctions(
        views,
        legal,
        scene,
        position,
        own_view=views.own_view,
        encode_shared_view=views.encode_shared_view,
        effects=effects,
        probe=legal.probe,
        resources=legal.resources,
    )
    merging = "append"
    season_hooks = SEASON_HOOKS
    turn_kernel = staticmethod(turn.turn)
    act_kernel = staticmethod(turn.act)
    least_players = 2
    most_players = MOST_PLAYERS

    @classmethod
    def map_adapter(cls) -> MapAdapter:
        """The maps for the server and the map editor."""
        from marchland.games.boidvoid.map_adapter import BoidVoidMapAdapter

        return BoidVoidMapAdapter()

    @classmethod
    def map_files(cls) -> MapFiles:
        """The map files for ``marchland map``."""
        return MapFiles(generate, mapfile.check_map, mapfile.looks_like_map, mapfile.write, mapfile.remarks)

    @classmethod
    def benchmarks(cls) -> Iterator[dict[str, Any]]:
        """The figures of ``marchland bench boidvoid``."""
        from marchland.games.boidvoid.bench import scenarios

        return scenarios()

    @classmethod
    def layout_for(cls, config: BoidVoidConfig, cells: int, players: int, npcs: int, items: int) -> Layout:
        """The layout for that many of each."""
        units = config.teams + npcs + 2 * players + max(items, 1)
        return SCHEMA.layout(
            celltable=len(C) * cells,
            land=8 * cells,
            playertable=len(P) * players,
            periods=2 * MOST_PERIODS * players,
            teamtable=len(T) * config.teams,
            letters=MOST_LETTERS * players,
            unittable=len(U) * units,
            sheets=units * STATS,
            itemtable=len(N) * max(items, 1),
            traits=max(items, 1) * STATS,
            search=cells,
            fields=config.teams * cells,
            ready=config.teams + 1,
            buckets=MOST_STEP_COST + 1,
            lineuptable=len(L) * players,
            queue=players * config.orders_limit,
        )

    @classmethod
    def check_setup(cls, config: BoidVoidConfig, names: Sequence[str], map: Any) -> None:
        """Refuse what can be refused before anything is compiled."""
        if len(names) < config.teams:
            raise ConfigError(f"{config.teams} teams need at least as many players, not {len(names)}.")
        if map is not None and len(mapfile.find(map).homes) < config.teams:
            raise MapError(f"The map has homes for {len(mapfile.find(map).homes)} teams, not for {config.teams}.")

    @classmethod
    def _create(cls, config: BoidVoidConfig, names: Sequence[str], map: Any, map_key: tuple[int, int]) -> Self:
        found = cls._default_map(config, len(names), map_key) if map is None else mapfile.find(map)
        if found.names_nfts():
            raise MapError("The map names NFTs; only a server, which has the ledger, can start a match on it.")
        listed = setup.starting_nfts(config, len(names))
        board = found.board()
        layout = cls.layout_for(config, board.size, len(names), len(found.npcs), len(listed))
        game = cls(board, config, names, layout)
        setup.lay_out(game, found, len(found.npcs), len(listed))
        setup.deal_players(game)
        setup.place_npcs(game, found)
        setup.add_nfts(game, listed)
        for team, homes in enumerate(found.homes[: config.teams]):
            for at in homes:
                setup.set_owner(game, board.index(*at), team)
        return game

    @staticmethod
    def _default_map(config: BoidVoidConfig, players: int, map_key: tuple[int, int]) -> mapfile.MapText:
        """A generated map on which every team has room for its ships."""
        radius = 1
        while 3 * radius * (radius + 1) < -(-players // config.teams):
            radius += 1
        side = max(12, round((config.teams * 8) ** 0.5 * (2 * radius + 1)))
        return generate(side, side, config.teams, map_key[0] ^ map_key[1] << 64, home_radius=radius)

    def _begin(self) -> None:
        self.head[TURN] = 1

    @classmethod
    def _exercise(cls) -> None:
        super()._exercise()
        game = cls._create(cls.config_type.build(), cls.seat_names(2), None, (0, 0))
        units: Units = game.arrays(Units)
        for player in (0, 1):  # two ships on the map, for what menus ask of the rules
            ship = game.ship_of(player)
            units.cell[ship], units.status[ship] = player, ALONE
        game.destinations(game.ship_of(0))
        game.range_of(game.ship_of(0))
        game.task_turns(game.ship_of(0))
        game.attack_figures(game.ship_of(0), game.ship_of(1))

    def arrays(self, kind: type[Any]) -> Any:
        """The state's arrays of one kind, as views; of a table its columns."""
        if kind not in TABLES:
            return super().arrays(kind)
        rows = super().arrays(TABLES[kind]).value.reshape(-1, len(kind._fields))
        return kind(*rows.T)

    def ship_of(self, player: int) -> int:
        """The row of a player's ship."""
        return int(self.head[SHIPS_AT]) + player

    def members(self, swarm: int) -> list[int]:
        """The rows of the ships in the swarm of that row."""
        units: Units = self.arrays(Units)
        ships, ship = [], int(units.swarm[swarm])
        while ship != NO_UNIT:
            ships.append(ship)
            ship = int(units.next[ship])
        return ships

    def _query(self, query: Any, unit: int, *found: Any) -> int:
        """Run one of `queries` for the unit of that row."""
        answer = query(
            self.buffer,
            self.workspace,
            self.layout.at,
            self.board.arrays,
            NO_EVENTS.copy(),
            self.rules,
            unit,
            *found,
        )
        return int(answer)

    def destinations(self, unit: int) -> list[tuple[int, int, int]]:
        """The cells that the unit of that row can reach, what each costs and the cell before it."""
        size = self.board.size
        cells, parents, costs = np.zeros(size, np.int32), np.zeros(size, np.int32), np.zeros(size, np.int64)
        count = self._query(queries.reachable_cells, unit, cells, costs, parents)
        return list(zip(cells[:count].tolist(), costs[:count].tolist(), parents[:count].tolist(), strict=True))

    def spawn_cells(self, unit: int) -> list[int]:
        """The cells on which the unit of that row may spawn now."""
        cells = np.zeros(self.board.size, np.int32)
        return cells[: self._query(queries.spawnable_cells, unit, cells)].tolist()  # type: ignore[no-any-return]

    def range_of(self, unit: int) -> int:
        """How far the unit of that row, which is on the map, can attack."""
        return self._query(queries.attack_range, unit)

    def task_turns(self, unit: int) -> int:
        """How many turns the task of the ship of that row takes in all."""
        return self._query(queries.task_turns, unit)

    def attack_figures(self, unit: int, target: int) -> list[int]:
        """What an attack of one unit on another would do, by their rows: see `queries.attack_figures`."""
        found = np.zeros(8, np.int64)
        self._query(queries.attack_figures, unit, target, found)
        return found.tolist()

    def accepts(self, player: int, row: Sequence[int], pool: Sequence[int] = ()) -> bool:
        """Whether the rules would accept this packed order now; tried on a spare copy of the state."""
        packed = Packed.of_rows([(player, *row)], pool)
        np.copyto(self._spare, self.buffer)
        self._run(type(self).act_kernel, self._spare, packed, NO_EVENTS.copy())
        return bool(packed.table[-1, 0] == CommonReason.OK)

    @classmethod
    def last_turn_of(cls, config: BoidVoidConfig) -> int | None:
        """The turn limit, if there is one."""
        return config.turn_limit or None

    def reserve(self, packed: Packed) -> None:
        """Make room for the items that this turn may add."""
        new = int(np.count_nonzero(packed.table[1] == GIVE))
        items = int(self.head[ITEMS]) + new
        rows = self.layout.rows["itemtable"] // ITEM_WIDTH
        if new and items > rows:
            room = max(items, rows * 3 // 2)
            players, npcs = len(self.names), int(self.head[NPCS])
            self._resize(self.layout_for(self.config, self.board.size, players, npcs, room))

    def _join(self, name: str) -> None:
        """Add a trooper to the smallest team."""
        if not self.config.late_join:
            raise JoinRefusedError("late_join_off")
        joining.add_trooper(self, name)

    def resize(self, layout: Layout, names: Sequence[str]) -> None:
        """Move the state to a layout with room for these players."""
        self._resize(layout)
        self.names = list(names)

    def _outcome(self) -> Outcome:
        return self._end(_ENDS[int(self.head[OVER])], turn=self.config.turn_limit)

    def _rank_keys(self) -> list[tuple[int, ...]]:
        """The figures of each player's team."""
        teams = [tuple(row) for row in self._team_rows()]
        return [teams[team] for team in self.arrays(Players).team.tolist()]

    def _rank_figures(self) -> list[dict[str, int]]:
        names = ("team", *self.team_figures)
        columns = zip(self.arrays(Players).team.tolist(), self._rank_keys(), strict=True)
        return [dict(zip(names, (team, *figures), strict=True)) for team, figures in columns]

    def _team_rows(self) -> list[list[int]]:
        teams: Teams = self.arrays(Teams)
        columns = (getattr(teams, name).tolist() for name in self.team_figures)
        return [list(row) for row in zip(*columns, strict=True)]

    def readable_log(self) -> ReadableLog:
        """The log of ruling 27."""
        return ReadableLog(self)

    @property
    def lock_percent(self) -> int:
        """The last part of a turn in which actions are refused (ruling 6)."""
        return int(self.config.lock)

    @property
    def is_locked(self) -> bool:
        """Whether the lock has begun."""
        return bool(self.head[LOCKED])

    def host_orders_at(self, moment: Literal["lock", "end"], now: datetime) -> list[dict[str, Any]]:
        """The lock itself; and before a turn ends the minute of the day, for automode periods."""
        return [{"do": "lock"}] if moment == "lock" else [clock_order(now)]

    def _alive(self) -> list[bool]:
        return scene.alive(self)

    @classmethod
    def on_board(cls, config: BoidVoidConfig, board: Board, names: Sequence[str], npcs: int, items: int) -> Self:
        """An empty match, for a position to be read into."""
        return cls(board, config, names, cls.layout_for(config, board.size, len(names), npcs, items))
