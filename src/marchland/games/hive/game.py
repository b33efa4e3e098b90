"""Hive: bees gather flowers, build walls and hives, and fight; who sees more than half of the map from hives wins."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

import msgspec
import numpy as np
import numpy.typing as npt

from marchland.core.game import Game, Rows, TournamentCase
from marchland.core.game_functions import GameFunctions
from marchland.core.map_adapter import MapAdapter
from marchland.core.map_files import MapFiles
from marchland.core.orders import Codec, Packed
from marchland.core.scene import Picture
from marchland.core.state import OVER, TURN, Layout
from marchland.games.hive import legal, position, scene, views
from marchland.games.hive.bots import BOTS
from marchland.games.hive.effects import effects
from marchland.games.hive.maps import mapfile
from marchland.games.hive.maps.mapfile import HiveMap
from marchland.games.hive.rules.config import HiveConfig
from marchland.games.hive.rules.events import EVENTS
from marchland.games.hive.rules.orders import VERBS
from marchland.games.hive.rules.reasons import HiveReason
from marchland.games.hive.rules.sight import first_influence
from marchland.games.hive.rules.state import (
    BEE,
    ENTITIES,
    FIELD,
    FLOWERS_CARRIED,
    FLOWERS_LEFT,
    HIVE,
    MOST_PLAYERS,
    NO_ENTITY,
    SCHEMA,
    WALL,
    WITHOUT_CREATION,
    WITHOUT_GATHERING,
    Cells,
    Entities,
    Players,
)
from marchland.games.hive.rules.turn import (
    INFLUENCE,
    LAST_STANDING,
    NO_FLOWERS,
    NO_PLAYER_LEFT,
    STALEMATE,
    execution_order,
    plan,
)
from marchland.games.hive.rules.turn import turn as turn_kernel
from marchland.games.hive.words import WORDS
from marchland.messages import Legend, Outcome

_RANKED = ("influence", "flowers", "bees")
_ENDS = {NO_PLAYER_LEFT: "NO_PLAYER", NO_FLOWERS: "NO_FLOWERS"}
"""The codes of reasons that need no figures."""


class Hive(Game):
    """A match of Hive."""

    name = "hive"
    version = 1
    config_type = HiveConfig
    codec = Codec(name, VERBS)
    schema = SCHEMA
    reasons = HiveReason
    words = WORDS
    event_kinds = EVENTS
    layers = scene.LAYERS
    kinds = scene.PIECES
    private_members: ClassVar[Mapping[str, Any]] = {"failed": []}
    figures = scene.FIGURES
    bots = BOTS
    functions = GameFunctions(
        views,
        legal,
        scene,
        position,
        encode_view=views.view_bytes,
        effects=effects,
        prices=legal.prices,
        probe=legal.probe,
        resources=legal.resources,
    )
    fogged = True
    turn_kernel = staticmethod(turn_kernel)
    plan_kernel = staticmethod(plan)
    shortages = frozenset({HiveReason.NOT_ENOUGH_RESOURCES})
    most_players = MOST_PLAYERS

    @classmethod
    def map_adapter(cls) -> MapAdapter:
        """The maps for the server and the map editor."""
        from marchland.games.hive.map_adapter import HiveMapAdapter

        return HiveMapAdapter()

    @classmethod
    def map_files(cls) -> MapFiles:
        """The map files for ``marchland map``."""
        from marchland.games.hive.maps import fairness, generator

        return MapFiles(generator.generate, fairness.check_map, mapfile.looks_like_map, remarks=fairness.remarks)

    @classmethod
    def tournament_case(cls) -> TournamentCase:
        """Idle players end a match by stalemate, unless that takes longer."""
        return TournamentCase(config={"stalemate_turns": 1000})

    @classmethod
    def benchmarks(cls) -> Iterator[dict[str, Any]]:
        """The figures of ``marchland bench hive``."""
        from marchland.games.hive.bench import scenarios

        return scenarios()

    @classmethod
    def layout_for(cls, config: HiveConfig, cells: int, players: int) -> Layout:
        """The layout for that many cells and players. It never grows: no cell holds two entities, or two units' orders.

        So a batch, which cannot make room between turns, is as safe as a single match.
        """
        orders = config.orders_per_unit * cells
        return SCHEMA.layout(cells=cells, players=players, entities=cells, queue=orders, seats=players, reach=cells)

    @classmethod
    def last_turn_of(cls, config: HiveConfig) -> int:
        """The last turn of a match."""
        return config.max_turn

    @classmethod
    def check_setup(cls, config: HiveConfig, names: Sequence[str], map: Any) -> None:
        """Refuse what can be refused before anything is compiled."""
        mapfile.find(map).seats(len(names))

    @classmethod
    def _create(cls, config: HiveConfig, names: Sequence[str], map: Any, map_key: tuple[int, int]) -> Self:
        found = mapfile.find(map)
        seats = found.seats(len(names))
        game = cls.on_map(found, config, names)
        game.arrays(Players).flowers[:] = config.start_flowers
        game.place([(seats[slot], kind, cell) for slot, kind, cell in found.starts if slot in seats])
        return game

    @classmethod
    def on_map(cls, map: HiveMap, config: HiveConfig, names: Sequence[str]) -> Self:
        """The match before anything stands on its map; every field is full."""
        game = cls(map.board, config, names, cls.layout_for(config, map.board.size, len(names)))
        cells: Cells = game.arrays(Cells)
        cells.terrain[:] = map.terrain
        cells.flowers[:] = np.where(map.terrain == FIELD, config.field_flowers, 0)
        cells.standing[:] = NO_ENTITY
        return game

    def place(self, stands: Sequence[tuple[int, int, int]]) -> None:
        """Put the first entities (player, kind, cell) on free cells, with ids from 0 on."""
        entities: Entities = self.arrays(Entities)
        for row, (player, kind, cell) in enumerate(stands):
            entities.id[row] = row
            entities.owner[row], entities.kind[row], entities.cell[row] = player, kind, cell
            entities.hp[row] = self.full_hp(kind)
        self.head[ENTITIES] = len(stands)
        self.arrays(Players).next_id[:] = self.free_ids()
        self.count()

    def execution_order(self, orders: Packed) -> list[int]:
        """The rows of ``orders`` as a step would execute them now; those that take no place in a round come last."""
        rows = np.zeros(len(orders), np.int64)
        table = orders.copy().table.reshape(-1)
        count = execution_order(self.buffer, self.workspace, self.layout.at, table, self.rules, rows)
        executed: list[int] = rows[:count].tolist()
        return [*executed, *sorted(set(range(len(orders))) - set(executed))]

    def free_ids(self) -> npt.NDArray[np.int64]:
        """For each player an id beyond all that are in use; the players' ids never collide (ruling 28)."""
        highest = int(self.arrays(Entities).id[: int(self.head[ENTITIES])].max(initial=-1))
        return MOST_PLAYERS * (highest // MOST_PLAYERS + 1) + np.arange(len(self.players))

    def full_hp(self, kind: int) -> int:
        """The hit points of a new entity."""
        points: dict[int, int] = {BEE: self.config.bee_hp, HIVE: self.config.hive_hp, WALL: self.config.wall_hp}
        return points[kind]

    def count(self) -> None:
        """Fill in everything that follows from the fields and the entities."""
        cells: Cells = self.arrays(Cells)
        players: Players = self.arrays(Players)
        rows = int(self.head[ENTITIES])
        entities = Entities._make(column[:rows] for column in self.arrays(Entities))
        cells.standing[entities.cell] = np.arange(rows)
        for kind, column in ((BEE, players.bees), (HIVE, players.hives), (WALL, players.walls)):
            column[:] = np.bincount(entities.owner[entities.kind == kind], minlength=len(column))
        self.head[FLOWERS_LEFT] = cells.flowers.sum()
        self.head[FLOWERS_CARRIED] = entities.carries.sum()
        first_influence(self.buffer, self.workspace, self.layout.at, self.board.arrays, self.rules)

    def legend(self) -> Legend:
        """Where flowers alone decide, influence ranks no player."""
        legend = super().legend()
        return msgspec.structs.replace(legend, unranked_figures=["influence"]) if self.ranks_by_flowers else legend

    @property
    def ranks_by_flowers(self) -> bool:
        """Whether the tiebreakers compare flowers alone (ruling 16)."""
        return bool(self.config.rank_by == "flowers")

    def _begin(self) -> None:
        self.head[TURN] = 0

    @classmethod
    def _exercise(cls) -> None:
        super()._exercise()
        game = cls._create(cls.config_type.build(), cls.seat_names(2), None, (0, 0))
        views.look_around(game, 0)
        game.execution_order(game.pack_orders({0: [{"do": "forage", "unit": 0}]})[0])

    def _outcome(self) -> Outcome:
        config, why = self.config, int(self.head[OVER])
        if why == LAST_STANDING:
            left = [name for name, is_alive in zip(self.players, self._alive(), strict=True) if is_alive]
            return self._end("LAST_PLAYER", player=left[0])
        if why == INFLUENCE:
            return self._end("INFLUENCE", percent=config.influence_percent)
        if why == STALEMATE:
            gathered = "delivered" if config.carrying else "gathered"  # ruling 27
            return self._end(self.stalemate_code(), gathered=gathered, turns=config.stalemate_turns)
        return self._end(_ENDS.get(why, "TURN_LIMIT"), turn=self.turn)

    def _rank_keys(self) -> list[tuple[int, ...]]:
        players: Players = self.arrays(Players)
        names = ("flowers",) if self.ranks_by_flowers else _RANKED
        columns = (getattr(players, name).tolist() for name in names)
        return list(zip(players.contends.tolist(), self._alive(), *columns, strict=True))

    def _rank_figures(self) -> list[dict[str, int]]:
        columns = (getattr(self.arrays(Players), name).tolist() for name in _RANKED)
        return [dict(zip(_RANKED, row, strict=True)) for row in zip(*columns, strict=True)]

    def stalemate_code(self) -> str:
        """What has been missing for long enough to end the match (ruling 3); empty if nothing has."""
        kind = self.config.stalemate
        barren, idle = (self.head[[WITHOUT_GATHERING, WITHOUT_CREATION]] >= self.config.stalemate_turns).tolist()
        if barren and idle and kind != "gathering":
            return "NOTHING_DONE"
        if kind == "both":  # either alone does not end it
            return ""
        if barren:
            return "NO_GATHERING"
        return "NO_CREATION" if idle and kind != "gathering" else ""

    def is_alive(self, player: int) -> bool:
        """Whether the player owns what it takes (ruling 4)."""
        players: Players = self.arrays(Players)
        if self.config.elimination == "hives":
            return bool(players.hives[player])
        return bool(players.bees[player] + players.hives[player] + players.walls[player])

    def _alive(self) -> list[bool]:
        return [self.is_alive(player) for player in range(len(self.players))]

    def _visible_events(self, player: int, before: Picture, after: Picture, event_rows: Rows) -> Rows:
        return scene.witnessed_events(self, player, before, after, event_rows)
