"""DatsPulse: a colony of ants explores a hidden map, gathers food, fights and raids; the most calories win."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, Literal, Self

import numpy as np

from marchland.core.dice import roll
from marchland.core.game import Game, Rows
from marchland.core.game_functions import GameFunctions
from marchland.core.map_adapter import MapAdapter
from marchland.core.orders import Codec, Packed
from marchland.core.scene import Picture
from marchland.core.state import KEY0, KEY1, NO_PLAYER, Layout
from marchland.errors import JoinRefusedError, MapError, PositionError
from marchland.games.datspulse import legal, observations, position, scene, view_text, wire
from marchland.games.datspulse.bots import BOTS
from marchland.games.datspulse.effects import effects
from marchland.games.datspulse.maps import generator, mapfile
from marchland.games.datspulse.rules.ants import FIRST_TURN, action_key
from marchland.games.datspulse.rules.config import GENERATORS, DatspulseConfig
from marchland.games.datspulse.rules.events import EVENTS
from marchland.games.datspulse.rules.orders import VERBS
from marchland.games.datspulse.rules.reasons import DatspulseReason
from marchland.games.datspulse.rules.state import (
    ANTHILL,
    ID_KEY0,
    ID_KEY1,
    MOST_AROUND,
    NECTAR,
    NEST_HEXES,
    NOTHING,
    PILES,
    SCHEMA,
    Ants,
    Cells,
    Nests,
    Teams,
)
from marchland.games.datspulse.rules.turn import turn
from marchland.games.datspulse.words import WORDS
from marchland.messages import Outcome, Scoring

PLACE_POINTS: Final = (170, 114, 86, 69, 58, 50, 44, 43, 42)
"""The points of the first places; then one less for each (ruling 20)."""


class Datspulse(Game):
    """A round of DatsPulse."""

    name = "datspulse"
    version = 4
    config_type = DatspulseConfig
    codec = Codec(name, VERBS)
    schema = SCHEMA
    reasons = DatspulseReason
    words = WORDS
    event_kinds = EVENTS
    layers = scene.LAYERS
    kinds = scene.PIECES
    private_members: ClassVar[Mapping[str, Any]] = {"errors": []}
    figures = scene.FIGURES
    bots = BOTS
    functions = GameFunctions(
        observations,
        legal,
        scene,
        position,
        encode_view=view_text.encode_view,
        effects=effects,
        resources=legal.resources,
    )
    merging = "unit"
    unit_parameters = ("ant",)
    fogged = True
    turn_kernel = staticmethod(turn)

    @classmethod
    def default_scoring(cls) -> Scoring:
        """Points by place, and 1 beyond the table for any calories; then fewest ants lost, then the shortest path."""
        return Scoring(points=PLACE_POINTS, earned_by="score", ties=("lost", "walked"))

    @classmethod
    def map_adapter(cls) -> MapAdapter:
        """The maps for the server and the map editor."""
        from marchland.games.datspulse.map_adapter import DatspulseMapAdapter

        return DatspulseMapAdapter()

    @classmethod
    def benchmarks(cls) -> Iterator[dict[str, Any]]:
        """The figures of ``marchland bench datspulse``."""
        from marchland.games.datspulse.bench import scenarios

        return scenarios()

    @classmethod
    def layout_for(cls, cells: int, teams: int, slots: int) -> Layout:
        """The layout for so many hexes and teams. It never grows: a team has room for all the ants it may have."""
        return SCHEMA.layout(
            cells=cells,
            teams=teams,
            nests=NEST_HEXES * teams,
            ants=slots * teams,
            queue=teams,
            fighters=slots,
            marks=slots * teams,
            around=MOST_AROUND,
        )

    @classmethod
    def on(cls, world: generator.World, config: DatspulseConfig, names: Sequence[str]) -> Self:
        """A match on that map with nests and food, but no ants."""
        game = cls(world.board, config, names, cls.layout_for(world.board.size, len(names), config.ant_limit + 1))
        cells: Cells = game.arrays(Cells)
        nests: Nests = game.arrays(Nests)
        cells.terrain[:], cells.nest[:], cells.food[:], cells.amount[:] = (
            world.terrain,
            NO_PLAYER,
            world.food,
            world.amount,
        )
        for team, spot in enumerate(world.spots):
            home = generator.nest_of(world.board, spot)
            if (
                min(home) < 0
                or (cells.nest[list(home)] != NO_PLAYER).any()
                or (cells.food[list(home)] != NOTHING).any()
            ):
                at = list(world.board.at(spot))
                raise PositionError(f"There is no room for a nest at {at}: it takes the two hexes above, without food.")
            nests.cell[NEST_HEXES * team : NEST_HEXES * (team + 1)] = home
            cells.nest[list(home)], cells.terrain[list(home)] = team, ANTHILL
        game.head[PILES] = np.count_nonzero(cells.amount)
        return game

    @classmethod
    def last_turn_of(cls, config: DatspulseConfig) -> int:
        """The last turn of a match."""
        return config.max_turn

    @classmethod
    def default_round_maps(cls, kind: Literal["test", "final"], config: Mapping[str, Any]) -> tuple[Any, ...]:
        """Final rounds use every generator in turn (ruling 1), unless the settings name one."""
        return GENERATORS if kind == "final" and "generator" not in config else ()

    @classmethod
    def check_setup(cls, config: DatspulseConfig, names: Sequence[str], map: Any) -> None:
        """Refuse what can be refused before anything is compiled."""
        generator.check(map)

    @classmethod
    def _create(cls, config: DatspulseConfig, names: Sequence[str], map: Any, map_key: tuple[int, int]) -> Self:
        if not isinstance(map, Mapping):
            return cls.on(generator.generate(map or config.generator, config, len(names), map_key), config, names)
        try:
            return cls.on(mapfile.given_map(map, len(names)), config, names)
        except PositionError as problem:
            raise MapError(str(problem)) from None

    @property
    def slots(self) -> int:
        """How many rows of the ants' table a team has."""
        return self.layout.rows["ants"] // len(self.names)

    @property
    def radius(self) -> int:
        """The radius of the map."""
        return int(self.board.coords[-1][1])

    def home(self, team: int) -> list[int]:
        """The hexes of a team's nest, its spot first."""
        cells: list[int] = self.arrays(Nests).cell[NEST_HEXES * team : NEST_HEXES * (team + 1)].tolist()
        return cells

    def score(self, team: int) -> int:
        """A team's calories: what its nectar is worth, and the rest that is no nectar yet (ruling 12)."""
        nectar = self.arrays(Nests).nectar[NEST_HEXES * team : NEST_HEXES * (team + 1)].sum()
        return int(nectar * self.config.calories[NECTAR - 1] + self.arrays(Teams).remainder[team])

    def scores(self) -> list[int]:
        """Every team's calories."""
        nectar = self.arrays(Nests).nectar.reshape(-1, NEST_HEXES).sum(axis=1)
        scores: list[int] = (nectar * self.config.calories[NECTAR - 1] + self.arrays(Teams).remainder).tolist()
        return scores

    def order_ants(self) -> None:
        """Put the rows of each team into the order in which its ants act (ruling 9)."""
        ants: Ants = self.arrays(Ants)
        for row in np.flatnonzero(ants.id).tolist():
            ants.key[row] = action_key(self.head, int(ants.id[row]))
        for team, listed in enumerate(self.arrays(Teams).ants.tolist()):
            rows = slice(team * self.slots, team * self.slots + listed)
            order = np.lexsort((ants.id[rows], ants.key[rows]))
            for column in ants:
                column[rows] = column[rows][order]

    def muster(self) -> None:
        """Hang all ants into the chains of the hexes they stand on."""
        cells: Cells = self.arrays(Cells)
        ants: Ants = self.arrays(Ants)
        cells.first[:] = 0
        for row in np.flatnonzero(ants.id)[::-1].tolist():
            ants.next[row] = cells.first[ants.cell[row]]
            cells.first[ants.cell[row]] = row + 1

    def _begin(self) -> None:
        """Ids get a key of their own; then turn 0 brings each team's scout and the first roll (ruling 3)."""
        key0, key1 = int(self.head[KEY0]), int(self.head[KEY1])
        for slot, word in ((ID_KEY0, 0), (ID_KEY1, 1)):
            self.head[slot] = roll(key0, key1, 0, 0, FIRST_TURN, word, 1 << 62)
        self.apply_packed(Packed.of_rows([]))

    @classmethod
    def _exercise(cls) -> None:
        super()._exercise()
        game = cls._create(cls.config_type.build(), cls.seat_names(2), None, (0, 0))
        game._begin()
        ants = game.legal(0)["move"].pieces  # type: ignore[index, union-attr]
        game.legal(0, {"do": "move", "ant": ants[0]})
        wire.arena_bytes(game, 0, 0)
        wire.uuid_of(game, 1)
        action_key(game.head, 1)

    def _join(self, name: str) -> None:
        raise JoinRefusedError("lobby_only")

    def _outcome(self) -> Outcome:
        return self._end("TURN_LIMIT", turn=self.config.max_turn)

    def _rank_keys(self) -> list[tuple[int, ...]]:
        return [(score,) for score in self.scores()]

    def _rank_figures(self) -> list[dict[str, int]]:
        teams: Teams = self.arrays(Teams)
        columns = zip(self.scores(), teams.lost.tolist(), teams.walked.tolist(), strict=True)
        return [{"score": score, "lost": lost, "walked": walked} for score, lost, walked in columns]

    def _alive(self) -> list[bool]:
        return [True] * len(self.players)

    def _visible_events(self, player: int, before: Picture, after: Picture, event_rows: Rows) -> Rows:
        return scene.witnessed_events(self, player, before, after, event_rows)
