"""The contract of every game: `Game` implements it once, a game overrides the hooks at its end.

Public methods check what they are given. Hooks start with an underscore and may rely on what was checked.
"""

import abc
import contextlib
import copy
import functools
import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, Literal, NamedTuple, Self

import msgspec
import numpy as np
import numpy.typing as npt

from marchland import kernels
from marchland.board import Board
from marchland.core import snapshot
from marchland.core.batch_kernel import batch_turn
from marchland.core.builtin_bots import add_levels
from marchland.core.config import Config
from marchland.core.dice import key_from_seed, map_key_from_seed, signed_words
from marchland.core.events import NO_EVENTS, has_overflowed, room_for
from marchland.core.game_functions import NO_FUNCTIONS, Arrays, GameFunctions, ReadableLog, ResourceLevel
from marchland.core.json_text import join_objects
from marchland.core.map_adapter import MapAdapter, NoMaps
from marchland.core.map_files import MapFiles
from marchland.core.order_input import OrderInput, Orders, parse_orders
from marchland.core.orders import HOST_PLAYER, Codec, Packed
from marchland.core.position import list_failures, read_position, write_position
from marchland.core.reasons import CommonReason, Reason
from marchland.core.report import Report
from marchland.core.rules_array import rules_array
from marchland.core.scene import Picture, board_shape, key_frame
from marchland.core.season_hooks import SeasonHooks
from marchland.core.state import KEY0, KEY1, OVER, PLAYERS, SEQ, TURN, Bytes, Layout, Schema
from marchland.core.words import refusal_arguments, render, with_common_words
from marchland.errors import ConfigError, JoinRefusedError, MarchlandError
from marchland.messages import (
    EventKind,
    Forecast,
    Frame,
    Language,
    Layer,
    Legend,
    Menu,
    Outcome,
    Phrase,
    PieceKind,
    Scoring,
    Standing,
    Words,
    places_by_key,
    rank_players,
)
from marchland.messages.menu import is_empty
from marchland.messages.names import MAX_NAME_LENGTH

Kernel = Callable[..., None]
Rows = npt.NDArray[Any]

_FIRST_ROOM = 256
_LOADED: set[type["Game"]] = set()
"""Games whose kernels are loaded in this process."""


class TournamentCase(NamedTuple):
    """The matches of ``marchland bench tournament``."""

    turns: int = 200
    config: Mapping[str, Any] = {}
    example: str = ""
    """The bot, a file of ``examples/bots`` in C; without one it gives no orders."""


class Game(abc.ABC):
    """One match of one game: a board, a buffer and the seats."""

    name: ClassVar[str]
    version: ClassVar[int]
    """Raised whenever the outcome of any turn changes."""
    earlier_schemas: ClassVar[tuple[Schema, ...]] = ()
    """Schemas of this version's earlier snapshots: parts that they lack are empty, and then change nothing."""
    config_type: ClassVar[type[Config]]
    codec: ClassVar[Codec]
    schema: ClassVar[Schema]
    reasons: ClassVar[type[Reason]]
    words: ClassVar[Mapping[Language, Words]]
    """The game's words, by language, English at least; a language that is listed has every word."""
    event_kinds: ClassVar[tuple[EventKind, ...]]
    layers: ClassVar[tuple[Layer, ...]]
    kinds: ClassVar[tuple[PieceKind, ...]] = ()
    figures: ClassVar[tuple[str, ...]]
    """What is shown of each player, in this order."""
    team_figure: ClassVar[str] = ""
    """The figure that is a player's team, where the game has teams."""
    unranked_figures: ClassVar[tuple[str, ...]] = ()
    """The figures that describe a player and do not measure success."""
    avatar_figure: ClassVar[str] = ""
    """The figure that is the ledger's template of a player's picture, where the game has such items."""
    figure_words: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """By name of a figure what its values mean, where they are codes."""
    team_figures: ClassVar[tuple[str, ...]] = ()
    """What is shown of each team, in the order in which teams are ranked, where teams compete."""
    bots: ClassVar[Mapping[str, Callable[..., Any]]]
    functions: ClassVar[GameFunctions] = NO_FUNCTIONS
    turn_kernel: ClassVar[Kernel]
    act_kernel: ClassVar[Kernel | None] = None
    """Takes what `turn_kernel` takes, with one order; None where the game has no immediate actions."""
    plan_kernel: ClassVar[Kernel | None] = None
    """Takes what `turn_kernel` takes, and only pays for the orders: menus then offer what is left."""
    shortages: ClassVar[frozenset[Reason]] = frozenset()
    """The reasons that a resource is missing: `prices` say how much of it."""
    merging: ClassVar[Literal["replace", "unit", "append"]] = "replace"
    """What a second post of orders in a turn does: it replaces the first, replaces it unit by unit, or follows it."""
    unit_parameters: ClassVar[tuple[str, ...]] = ()
    """The parameters that name the unit of an order, where posts merge unit by unit."""
    fogged: ClassVar[bool] = False
    """Whether players know less than a spectator."""
    private_members: ClassVar[Mapping[str, Any]] = {}
    """Members of a view that are for the player alone, each with the value that others get."""
    season_hooks: ClassVar[SeasonHooks | None] = None
    """How a server runs the seasons of the game, if it has seasons."""
    least_players: ClassVar[int] = 1
    most_players: ClassVar[int] = 1000

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "bots" in vars(cls):
            cls.bots = add_levels(cls.bots)

    def __init__(self, board: Board, config: Config, names: Sequence[str], layout: Layout) -> None:
        self.board = board
        self.config: Any = config
        self.rules = rules_array(config)
        self.names = list(names)
        self.layout = layout
        self.buffer = layout.buffer()
        self._spare = layout.buffer()
        self.workspace = layout.workspace()
        self._last = Packed.of_rows([])
        self._event_room = _FIRST_ROOM
        self.head[PLAYERS] = len(self.names)

    # ---------------------------------------------------------------- creating a match

    @classmethod
    def new(
        cls,
        players: int | Sequence[str] = 2,
        *,
        seed: int | None = None,
        key: bytes | None = None,
        rules: str | None = None,
        config: Mapping[str, Any] | None = None,
        map: Any = None,
    ) -> Self:
        """A match at its first turn. See `marchland.new`."""
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
            raise ConfigError(f"A seed is a whole number, not {seed!r}.")
        names = cls.seat_names(players)
        values = cls.config_type.copy_values(config)
        if rules is not None:
            values[cls.config_type.preset_field] = rules
        settings = cls.config_type.build(values)
        cls.check_setup(settings, names, map)
        game = cls._create(settings, names, map, map_key_from_seed(seed))
        game.head[KEY0], game.head[KEY1] = key_from_seed(seed) if key is None else signed_words(key)
        game._begin()
        return game

    @classmethod
    def seat_names(cls, players: int | Sequence[str]) -> list[str]:
        """The names of the players by seat; refuses a number or names that the game does not take."""
        if isinstance(players, bool) or not isinstance(players, int | list | tuple):
            raise ConfigError(f"players is a number or a list of names, not {reprlib.repr(players)}.")
        count = players if isinstance(players, int) else len(players)
        if not cls.least_players <= count <= cls.most_players:
            raise ConfigError(f"{cls.name} takes {cls.least_players} to {cls.most_players} players, not {count}.")
        names = [f"player {seat}" for seat in range(count)] if isinstance(players, int) else list(players)
        strange = next((name for name in names if not isinstance(name, str)), None)
        if strange is not None or None in names:
            raise ConfigError(f"A player's name is text, not {reprlib.repr(strange)}.")
        if len(set(names)) < len(names):
            raise ConfigError("Two players have the same name.")
        return names

    @classmethod
    @functools.cache
    def turns_kernel(cls) -> Kernel:
        """`turn_kernel` over many matches."""
        return batch_turn(cls.turn_kernel)

    @classmethod
    def load(cls, *, compile: bool = True, on_progress: Callable[[float], None] | None = None) -> bool:
        """Make this process ready to play: load every kernel, and compile those that are not in the cache.

        With ``compile=False`` nothing is compiled; the result is False if a kernel is missing. ``on_progress`` gets the
        fraction that is done.
        """
        if cls in _LOADED or kernels.MODE == "python":
            return True
        if not compile:
            try:
                with kernels.forbid_compiling():
                    cls._exercise()
            except kernels.NotCompiledError:
                return False
        elif on_progress is None:
            cls._exercise()
        else:
            with kernels.compile_progress(lambda done, total: on_progress(min(done / total, 0.99))):
                cls._exercise()
            on_progress(1.0)
        _LOADED.add(cls)
        return True

    @classmethod
    def _exercise(cls) -> None:
        """Play one turn of a small match, so that every kernel runs: turns, bots, menus, views and joiners."""
        game = cls._create(cls.config_type.build(), cls.seat_names(max(cls.least_players, 2)), None, (0, 0))
        game._begin()
        bots = [bot(seed=0) for bot in cls.bots.values()]
        game.step({0: bots[-1].play(game.observe(0))})
        for bot in bots:
            bot.play(game.observe(1 % len(game.names)))
        game.view(0)
        game.encode_view(0)
        game.legal(0)
        game.plan(0, [None])
        with contextlib.suppress(JoinRefusedError):
            game.join("late")

    # ---------------------------------------------------------------- maps and benchmarks

    @classmethod
    def map_adapter(cls) -> MapAdapter:
        """The game's maps for the server and the map editor. Import the adapter here, so that the class loads fast."""
        return NoMaps(cls.name)

    @classmethod
    def map_files(cls) -> MapFiles | None:
        """The game's map files for ``marchland map``; None if it has none."""
        return None

    @classmethod
    def benchmarks(cls) -> Iterable[Mapping[str, Any]]:
        """Measure scenarios for ``marchland bench``, one after the other: their figures by name."""
        return ()

    @classmethod
    def tournament_case(cls) -> TournamentCase:
        """The matches of ``marchland bench tournament``."""
        return TournamentCase()

    # ---------------------------------------------------------------- hooks that servers and benchmarks call

    @classmethod
    def count_cells(cls, config: Any, players: int, map: Any) -> int | None:
        """The cells of the board on which so many players would start; None if that is not known before."""
        return None

    @classmethod  # noqa: B027 - a hook that a game may leave as it is
    def check_setup(cls, config: Any, names: Sequence[str], map: Any) -> None:
        """Refuse with `MapError` or `ConfigError` what can be seen to be wrong before anything is compiled."""

    def reserve(self, packed: Packed) -> None:  # noqa: B027 - a hook that most games leave as it is
        """Make room for everything that this turn may add."""

    # ---------------------------------------------------------------- state and settings

    @property
    def head(self) -> npt.NDArray[np.int64]:
        """The match's turn, key and counters."""
        return self.layout.head(self.buffer)

    @property
    def turn(self) -> int:
        """The open turn, which expects orders."""
        return int(self.head[TURN])

    @property
    def seq(self) -> int:
        """The number of immediate actions in the open turn."""
        return int(self.head[SEQ])

    @property
    def last_turn(self) -> int | None:
        """The turn at which the match ends at the latest, where the game has such a limit."""
        return self.last_turn_of(self.config)

    @classmethod
    def last_turn_of(cls, config: Any) -> int | None:
        """The turn at which a match with these settings ends at the latest; None without a limit."""
        return None

    @classmethod
    def max_name_length(cls, config: Any) -> int:
        """The longest name of a player under these settings."""
        return MAX_NAME_LENGTH

    @classmethod
    def default_round_maps(cls, kind: Literal["test", "final"], config: Mapping[str, Any]) -> tuple[Any, ...]:
        """The maps that the runs of a round use in turn if its organiser names none."""
        return ()

    @classmethod
    def default_scoring(cls) -> Scoring:
        """The scoring of a round whose organiser names none."""
        return Scoring()

    @property
    def lock_percent(self) -> int:
        """The last part of a turn, of those that a clock ends, in which nothing may be done any more."""
        return 0

    @property
    def is_locked(self) -> bool:
        """Whether players' orders are refused until the turn ends."""
        return False

    def host_orders_at(self, moment: Literal["lock", "end"], now: datetime) -> list[dict[str, Any]]:
        """The host orders that the game needs when a turn is locked, or before it ends."""
        return []

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names, by seat."""
        return tuple(self.names)

    @property
    def outcome(self) -> Outcome | None:
        """None while the match runs, else the ranking and why it ended."""
        return self._outcome() if self.head[OVER] else None

    def arrays(self, kind: type[Any]) -> Any:
        """The state's arrays of one kind, as views."""
        return self.layout.arrays(self.buffer, kind)

    # ---------------------------------------------------------------- playing

    def step(self, orders: Orders = None) -> Report:
        """One simultaneous turn. Players who are missing from ``orders`` give none.

        A bad order never raises: it is refused, with a reason in ``report.results``. If anything does go wrong, the
        match is as it was before.
        """
        packed, given = self.pack_orders(orders)
        head = self.head
        turn = int(head[TURN])
        if head[OVER]:
            packed.table[-1] = CommonReason.GAME_OVER
            return Report(self, turn, packed, NO_EVENTS.copy(), given)
        events = self._run_on_spare(type(self).turn_kernel, packed)
        self._commit(packed)
        return Report(self, turn, packed, events, given)

    def act(self, player: int, order: Any) -> Report:
        """One immediate action, where the game has them; `step` then ends the turn. A refused one changes nothing.

        `HOST_PLAYER` gives the orders that no player may: facts from outside the match.
        """
        return self._run_action(*self.pack_orders({player: [order]}, host=player == HOST_PLAYER))

    def act_as_host(self, orders: Sequence[Any]) -> Report:
        """Any number of the host's orders as one action; refused ones change nothing, the others take effect."""
        return self._run_action(*self.pack_orders({HOST_PLAYER: orders}, host=True))

    def apply_packed_action(self, packed: Packed) -> Report:
        """`act` with an order that is packed already."""
        return self._run_action(packed, None)

    def _run_action(self, packed: Packed, given: OrderInput | None) -> Report:
        turn, events = self.turn, NO_EVENTS.copy()
        if self.head[OVER]:
            packed.table[-1] = CommonReason.GAME_OVER
        elif self.act_kernel is None:
            packed.table[-1] = CommonReason.NOT_IMMEDIATE
        elif len(packed):
            events = self._run_on_spare(type(self).act_kernel, packed)
            if (packed.table[-1] == CommonReason.OK).any():
                self.layout.head(self._spare)[SEQ] += 1
                self._commit(packed)
        return Report(self, turn, packed, events, given)

    def apply_packed(self, packed: Packed, *, act: bool = False) -> None:
        """The same as `step` or `act`, in place and without a report: for replays of what was accepted."""
        if self.head[OVER]:
            return
        self.reserve(packed)
        kernel = type(self).act_kernel if act else type(self).turn_kernel
        self._run(kernel, self.buffer, packed, NO_EVENTS.copy())
        if act:
            self.head[SEQ] += 1
        self._last = packed

    def _run_on_spare(self, kernel: Any, packed: Packed) -> npt.NDArray[np.int64]:
        """Run ``kernel`` on the spare buffer, with as much room as it needs; returns the events."""
        self.reserve(packed)
        while True:
            events = room_for(self._event_room)
            np.copyto(self._spare, self.buffer)
            try:
                self._run(kernel, self._spare, packed, events)
            except BaseException:
                self.workspace = self.layout.workspace()  # it may hold anything now
                raise
            if not has_overflowed(events):
                return events
            self._event_room = 2 * int(events[0])

    def join(self, name: str) -> int:
        """Add a late joiner between two turns; returns the seat."""
        if not isinstance(name, str) or not name:
            raise JoinRefusedError("name_missing")
        if name in self.names:
            raise JoinRefusedError("player_name_taken", name=name)
        if self.head[OVER]:
            raise JoinRefusedError("match_over")
        if len(self.names) >= self.most_players:
            raise JoinRefusedError("players_limit", game=self.name, most=self.most_players)
        self._join(name)
        return len(self.names) - 1

    def pack_orders(self, orders: Orders, *, host: bool = False) -> tuple[Packed, OrderInput | None]:
        """Orders in packed form, beside them as they were given."""
        return parse_orders(self.codec, self.board.dialect, len(self.names), orders, host)

    def _run(self, kernel: Any, buffer: Bytes, packed: Packed, events: npt.NDArray[np.int64]) -> None:
        kernel(
            buffer,
            self.workspace,
            self.layout.at,
            self.board.arrays,
            packed.table.reshape(-1),
            packed.pool,
            events,
            self.rules,
        )

    def _commit(self, packed: Packed) -> None:
        self.buffer, self._spare = self._spare, self.buffer
        self._last = packed

    def _resize(self, layout: Layout) -> None:
        """Move the state to a larger layout."""
        self.buffer = self.layout.copy_to(self.buffer, layout)
        self._spare = layout.buffer()
        self.workspace = layout.workspace()
        self.layout = layout

    # ---------------------------------------------------------------- views, menus and pictures

    def readable_log(self) -> ReadableLog | None:
        """A log in sentences that begins with this state; None for a game without one."""
        return None

    def view(self, player: int | None = None) -> dict[str, Any]:
        """What ``player`` may know, as plain data; without a player, the spectator's view."""
        return self._view(self._seat(player))

    def public_view(self, player: int | None = None) -> dict[str, Any]:
        """The view of ``player`` as others may see it: without its private members."""
        return {**self.view(player), **self.private_members}

    @property
    def shares_views(self) -> bool:
        """Whether views differ only in the members of `encode_own_view`."""
        return self.functions.own_view is not None

    def encode_view(self, player: int | None = None) -> bytes:
        """`view` as JSON."""
        if self.shares_views:
            return join_objects(self.encode_shared_view(), self.encode_own_view(player))
        if self.functions.encode_view is not None:
            return self.functions.encode_view(self, self._seat(player))
        return msgspec.json.encode(self.view(player))

    def encode_own_view(self, player: int | None = None, *, is_own: bool = True) -> bytes:
        """The members of `view` that depend on ``player``, as JSON, where the game shares views."""
        assert self.functions.own_view is not None
        own = self.functions.own_view(self, self._seat(player))
        return msgspec.json.encode(own if is_own else {**own, **self.private_members})

    def encode_shared_view(self) -> bytes:
        """The members of `view` that are the same for everyone, as JSON, where the game shares views."""
        assert self.functions.own_view is not None
        if self.functions.encode_shared_view is not None:
            return self.functions.encode_shared_view(self)
        own = self.functions.own_view(self, None)
        return msgspec.json.encode({name: value for name, value in self.view().items() if name not in own})

    def observe(self, player: int, out: dict[str, npt.NDArray[Any]] | None = None) -> dict[str, npt.NDArray[Any]]:
        """What ``player`` may know as integer arrays, copied into ``out`` if given.

        Without ``out`` the arrays may be views of the match itself: read-only, and good until the next turn.
        """
        self._seat(player)
        arrays = self._observe(player)
        if out is None:
            return arrays
        for name, array in arrays.items():
            np.copyto(out[name], array, casting="same_kind")
        return out

    def plan(self, player: int, queued: Sequence[Any]) -> Self:
        """The match with ``queued`` orders of ``player`` paid for, as menus see it; itself if they cost nothing yet."""
        kernel = type(self).plan_kernel
        if kernel is None or not queued or self.head[OVER]:
            return self
        packed, _ = self.pack_orders({player: queued})
        other = self.copy()
        other._run(kernel, other.buffer, packed, NO_EVENTS.copy())
        return other

    def prices(self, player: int, cell: int | None = None) -> dict[str, dict[str, int]]:
        """By verb the least that an order of ``player`` costs, by resource; for a cell, where one is picked."""
        found = {} if self.functions.prices is None else self.functions.prices(self, player, cell)
        return {verb: dict(price) for verb, price in found.items()}

    def objections(self, player: int, verbs: Iterable[str], cell: int | None = None) -> dict[str, Phrase]:
        """By verb why ``player`` can give no order of it, or none for a cell, as far as the game says so."""
        found: dict[str, Phrase] = {}
        if self.functions.probe is None or self.head[OVER]:
            return found
        for verb in verbs:
            order = self.functions.probe(self, player, verb, cell)
            code = CommonReason.OK if order is None else self._refusal(player, order)
            if code != CommonReason.OK and code not in self.shortages:
                template = self.words_in().results[code.name]
                found[verb] = Phrase(code.name, refusal_arguments(template, order, self.config))
        return found

    def _refusal(self, player: int, order: Mapping[str, Any]) -> Reason:
        """Why an order would be refused if it were the only one; tried on a copy."""
        packed, _ = self.pack_orders({player: [order]})
        other = self.copy()
        other.reserve(packed)
        is_act = self.codec.takes_effect_at_once(order["do"])
        other._run(type(self).act_kernel if is_act else type(self).turn_kernel, other.buffer, packed, NO_EVENTS.copy())
        return self.reason(int(packed.table[-1, 0]))

    def resources(self, player: int) -> list[ResourceLevel]:
        """What ``player`` gives orders with."""
        return [] if self.functions.resources is None else [*self.functions.resources(self, player)]

    def forecasts(self, player: int, orders: Sequence[Any]) -> list[Forecast | None]:
        """What each order of ``player`` would do, if these are all and others do nothing new; empty if never known."""
        if self.functions.forecast is None:
            return []
        planned = self.plan(player, orders)
        read = (self.codec.parse(order) for order in orders)
        return [
            None if isinstance(order, str) else self.functions.forecast(planned, player, msgspec.to_builtins(order))
            for order in read
        ]

    def legal(self, player: int, partial: Mapping[str, Any] | None = None) -> dict[str, Menu] | Menu | None:
        """The menu of orders that would be accepted now.

        ``legal(p)`` gives for each verb what may be picked first; ``legal(p, {"do": "attack", "at": [3, 4]})`` gives
        what may be picked next, or None where nothing is missing.
        """
        self._seat(player)
        if partial is None:
            menu = {verb: self._menu(player, verb, {}) for verb in ([] if self.head[OVER] else self.codec.player_names)}
            return {verb: domain for verb, domain in menu.items() if domain is not None and not is_empty(domain)}
        if not isinstance(partial, Mapping) or partial.get("do") not in self.codec.player_names:
            have = ", ".join(self.codec.player_names)
            raise MarchlandError(f'A partial order needs a "do": one of {have}.')
        if self.head[OVER]:
            raise MarchlandError("The match is over: there is nothing to order.")
        given = {name: value for name, value in partial.items() if name != "do"}
        if problem := self.codec.objection(partial["do"], given):
            raise MarchlandError(problem)
        return self._menu(player, partial["do"], given)

    def legend(self) -> Legend:
        """What a viewer must know once to draw every frame of this match."""
        return Legend(
            game=self.name,
            version=self.version,
            board=board_shape(self.board),
            layers=list(self.layers),
            kinds=list(self.kinds),
            events=list(self.event_kinds),
            verbs=self.codec.legend(),
            figures=list(self.figures),
            ground_layer=next((index for index, layer in enumerate(self.layers) if layer.styles), -1),
            team_figure=self.team_figure,
            unranked_figures=list(self.unranked_figures),
            avatar_figure=self.avatar_figure,
            figure_words={name: list(words) for name, words in self.figure_words.items()},
            words={language: self.words_in(language) for language in self.words},
            team_figures=list(self.team_figures),
        )

    def scene(self, player: int | None = None) -> Frame:
        """What a picture shows now, as a key frame."""
        return key_frame(self, self._seat(player))

    def picture(self, player: int | None = None) -> Picture:
        """The arrays behind `scene`."""
        return self._picture(self._seat(player))

    def alive(self) -> list[bool]:
        """Which players are alive: the first figure of each in a spectator's picture, without drawing one."""
        return self._alive()

    def explain(self, reason: Reason, order: Mapping[str, Any] | None) -> str:
        """Why an order was refused, in English."""
        return self.sentence(reason.name, refusal_arguments(self.words_in().results[reason.name], order, self.config))

    def places(self, player: int | None = None) -> list[int]:
        """By player its place if the match ended now; empty if ``player`` may not know."""
        return [] if self.fogged and player is not None else places_by_key(self._rank_keys())

    def teams(self) -> list[list[int]]:
        """By team its figures, where teams compete."""
        return self._team_rows()

    def errors(self, player: int) -> list[dict[str, Any]]:
        """The orders of ``player`` that failed last turn: ``order`` (None if it was not understood) and ``reason``."""
        return list_failures(self, player)

    def _seat(self, player: int | None) -> int | None:
        if player is None:
            return None
        if isinstance(player, bool) or not isinstance(player, int) or not 0 <= player < len(self.names):
            raise MarchlandError(f"There is no player {player!r}; seats are 0 to {len(self.names) - 1}.")
        return player

    @classmethod
    def reason(cls, code: int) -> Reason:
        """The reason of that code, the game's own or a common one."""
        return CommonReason(code) if code < 16 else cls.reasons(code)

    @classmethod
    @functools.cache
    def words_in(cls, language: Language = "en") -> Words:
        """The game's words together with those that every game shares."""
        return with_common_words(cls.words[language], language)

    @classmethod
    def sentence(cls, code: str, arguments: Mapping[str, Any]) -> str:
        """The English sentence of a result."""
        return render(cls.words_in().results[code], arguments, cls._nouns())

    @classmethod
    @functools.cache
    def _nouns(cls) -> dict[str, str]:
        """What the values of a sentence may be, by their words."""
        return {**cls.words_in().choices, **cls.words_in().kinds}

    # ---------------------------------------------------------------- copies, snapshots and positions

    def copy(self) -> Self:
        """An independent match in the same state."""
        other = copy.copy(self)
        other.buffer, other._spare = self.buffer.copy(), self.layout.buffer()
        other.workspace = self.layout.workspace()
        other.names = list(self.names)
        return other

    def fork(self, seed: int | None = None) -> Self:
        """A copy with other dice, so that it reveals nothing about the future of this match."""
        other = self.copy()
        other.head[KEY0], other.head[KEY1] = key_from_seed(seed)
        return other

    def digest(self) -> str:
        """Equal states have equal digests."""
        return self.layout.digest(self.buffer)

    def snapshot(self) -> bytes:
        """The whole match as bytes, for `marchland.restore`."""
        return snapshot.pack(self)

    def position(self) -> dict[str, Any]:
        """The whole match in readable form, for `marchland.from_position`: complete, and an exact round trip."""
        return write_position(self)

    @classmethod
    def from_position(cls, position: Mapping[str, Any]) -> Self:
        """The match that ``position`` describes; what it leaves out has its usual value."""
        return read_position(cls, position)

    # ---------------------------------------------------------------- hooks of a game

    @classmethod
    @abc.abstractmethod
    def _create(cls, config: Any, names: Sequence[str], map: Any, map_key: tuple[int, int]) -> Self:
        """The board and the empty match on it; refuse a bad map with `MapError`."""

    @abc.abstractmethod
    def _begin(self) -> None:
        """Everything up to the first orders. The dice are ready."""

    @abc.abstractmethod
    def _outcome(self) -> Outcome: ...

    def _end(self, code: str, **arguments: Any) -> Outcome:
        """The outcome of a match that ended for the reason of that code."""
        reason = render(self.words_in().outcomes[code], arguments, self._nouns())
        return Outcome(self._standings(), reason, code, arguments)

    def _standings(self) -> list[Standing]:
        """The players in the order in which an outcome would rank them now."""
        return rank_players([*zip(self.players, self._rank_figures(), strict=True)], self._rank_keys())

    def _rank_keys(self) -> list[tuple[int, ...]]:
        """By player what decides about its place, the highest first; empty if there are no places before the end."""
        return []

    def _rank_figures(self) -> list[dict[str, int]]:
        """By player the figures that a standing shows."""
        return [{} for _ in self.players]

    def _team_rows(self) -> list[list[int]]:
        """By team the values of `team_figures`."""
        return []

    def _view(self, player: int | None) -> dict[str, Any]:
        return self.functions.views.view(self, player)

    def _observe(self, player: int) -> Arrays:
        return self.functions.views.observe(self, player)

    def _menu(self, player: int, verb: str, given: Mapping[str, Any]) -> Menu | None:
        return self.functions.legal.menu(self, player, verb, given)

    def _picture(self, player: int | None) -> Picture:
        return self.functions.scene.picture(self, player)

    def _alive(self) -> list[bool]:
        """Override it if the picture is expensive: this is called every turn."""
        return [bool(figures[0]) for figures in self._picture(None).players]

    def _visible_events(self, player: int, before: Picture, after: Picture, event_rows: Rows) -> Rows:
        """The events between two pictures that ``player`` may know of; all of them where there is no fog."""
        return event_rows

    def _position(self) -> dict[str, Any]:
        return self.functions.position.write(self)

    @classmethod
    def _from_position(cls, config: Any, position: dict[str, Any]) -> Self:
        match: Self = cls.functions.position.read(cls, config, position)
        return match

    def _join(self, name: str) -> None:
        raise JoinRefusedError("no_late_joiners", game=self.name)
