"""A small game that is not in the registry: claim cells of a square board and build on them.

It stands for a game of another distribution, so it is imported as ``toy_game``, with this folder on the path.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, NamedTuple, Self

import msgspec
import numpy as np
import numpy.typing as npt

from marchland.board import Board
from marchland.board.cells import open_tables
from marchland.board.tables import DEGREE
from marchland.core.config import Config
from marchland.core.dice import dice_of, draw
from marchland.core.events import emit
from marchland.core.game import Game
from marchland.core.orders import Codec, admit, cell_of, code_of, columns
from marchland.core.reasons import Reason
from marchland.core.rules_array import rules_view
from marchland.core.scene import Picture
from marchland.core.state import OVER, PLAYERS, TURN, Int16s, Int64s, Schema, head_of
from marchland.errors import MapError, PositionError
from marchland.kernels import kernel
from marchland.messages import (
    Cell,
    Cells,
    EventKind,
    EventWords,
    Language,
    Layer,
    Menu,
    Number,
    Order,
    Outcome,
    Range,
    Words,
    rank_players,
)

MOST_PLAYERS = 8


class ToyConfig(Config, frozen=True):
    game: ClassVar[str] = "toy"

    side: Annotated[int, msgspec.Meta(ge=4, le=100)] = 8
    max_level: Annotated[int, msgspec.Meta(ge=1, le=100)] = 5
    max_turn: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 40


class Claim(Order, frozen=True, tag="claim"):
    """Take a free cell next to one of yours; the dice decide between several players."""

    at: Cell


class Build(Order, frozen=True, tag="build"):
    """Raise a cell of yours by some levels."""

    at: Cell
    levels: Number


CLAIM, BUILD = 1, 2


class ToyReason(Reason):
    NO_CELL = 16
    NOT_FREE = 17
    NOT_NEAR = 18
    LOST = 19
    NOT_YOURS = 20
    BAD_LEVELS = 21


EN = Words(
    events={"claimed": EventWords("{by} claimed {at}", "{by} claimed {count} cells")},
    results={
        "NO_CELL": "There is no cell {at} on this board.",
        "NOT_FREE": "The cell {at} is not free.",
        "NOT_NEAR": "The cell {at} is not next to one of yours.",
        "LOST": "Another player won the cell {at}.",
        "NOT_YOURS": "The cell {at} is not yours.",
        "BAD_LEVELS": "A cell is raised by 1 level or more, to {rules.max_level} at most.",
    },
    verbs={"claim": "claim", "build": "build"},
    parameters={"at": "where", "levels": "levels"},
    figures={"owner": "owner", "level": "level", "cells": "cells", "levels": "levels"},
)


class Land(NamedTuple):
    owner: Int16s  # 1 + the player, 0 if the cell is free
    level: Int16s


class Claims(NamedTuple):
    best: Int64s  # scratch: the highest roll for the cell; all zero between turns


SCHEMA = Schema(Land, work=(Claims,))
rules_of, land_of, claims_of = rules_view(ToyConfig), SCHEMA.opener(Land), SCHEMA.opener(Claims)


@kernel
def turn(state: Any, work: Any, at: Any, board: Any, orders: Any, pool: Any, events: Any, rules: Any) -> None:
    board = open_tables(board)
    rules = rules_of(rules)
    head = head_of(state, at)
    land = land_of(state, at)
    claims = claims_of(work, at)
    commands = columns(orders)
    dice = dice_of(head)
    admit(commands, head[PLAYERS], 2)
    for row in range(len(commands.player)):
        if commands.reason[row] == 0:
            cell = cell_of(board, commands.a[row])
            if commands.verb[row] == CLAIM:
                commands.reason[row] = judge_claim(land, board, commands.player[row], cell)
                if commands.reason[row] == 0:
                    claims.best[cell] = max(claims.best[cell], roll_for(dice, board, commands.player[row], cell))
            else:
                commands.reason[row] = build(land, commands.player[row], cell, commands.b[row], rules.max_level)
    for row in range(len(commands.player)):
        if commands.reason[row] == 0 and commands.verb[row] == CLAIM:
            cell = cell_of(board, commands.a[row])
            if roll_for(dice, board, commands.player[row], cell) < claims.best[cell]:
                commands.reason[row] = ToyReason.LOST.value
            elif land.owner[cell] == 0:
                land.owner[cell] = commands.player[row] + 1
                emit(events, 0, code_of(board, cell), commands.player[row])
    for cell in range(len(claims.best)):
        claims.best[cell] = 0
    head[TURN] += 1
    if head[TURN] > rules.max_turn:
        head[OVER] = 1


@kernel
def judge_claim(land: Any, board: Any, player: int, cell: int) -> int:
    if cell < 0:
        return ToyReason.NO_CELL.value
    if land.owner[cell] != 0:
        return ToyReason.NOT_FREE.value
    degree = board.shape[DEGREE]
    for place in range(cell * degree, cell * degree + degree):
        if board.neighbours[place] >= 0 and land.owner[board.neighbours[place]] == player + 1:
            return 0
    return ToyReason.NOT_NEAR.value


@kernel
def roll_for(dice: Any, board: Any, player: int, cell: int) -> int:
    roll: int = draw(dice, player, code_of(board, cell), 1000) * MOST_PLAYERS + player + 1
    return roll


@kernel
def build(land: Any, player: int, cell: int, levels: int, most: int) -> int:
    if cell < 0:
        return ToyReason.NO_CELL.value
    if land.owner[cell] != player + 1:
        return ToyReason.NOT_YOURS.value
    if levels < 1 or levels > most - land.level[cell]:
        return ToyReason.BAD_LEVELS.value
    land.level[cell] += levels
    return 0


class Idle:
    observes = True

    def __init__(self, seed: int = 0) -> None:
        del seed

    def play(self, view: Any) -> list[dict[str, Any]]:
        return []


class Greedy(Idle):
    """Claims everything that it can. It takes an observation or, over the network, a view."""

    def play(self, view: Any) -> list[dict[str, Any]]:
        owner, me = np.array(view["owner"]).reshape(-1), int(np.array(view["me"]).reshape(-1)[0])
        board = Board.square(int(len(owner) ** 0.5), int(len(owner) ** 0.5))
        mine = np.flatnonzero(owner == me + 1).tolist()
        near = sorted({other for cell in mine for other in board.neighbours(cell) if owner[other] == 0})
        return [{"do": "claim", "at": list(board.at(cell))} for cell in near]


class PositionText(msgspec.Struct, forbid_unknown_fields=True):
    players: list[str]
    owner: list[Annotated[int, msgspec.Meta(ge=0, le=MOST_PLAYERS)]]
    level: list[Annotated[int, msgspec.Meta(ge=0, le=100)]]
    over: Annotated[int, msgspec.Meta(ge=0, le=1)] = 0


class Toy(Game):
    """Claim cells and build on them; the most cells and levels at the end win."""

    name = "toy"
    version = 1
    config_type = ToyConfig
    codec = Codec(name, (Claim, Build))
    schema = SCHEMA
    reasons = ToyReason
    words: ClassVar[Mapping[Language, Words]] = {"en": EN}
    event_kinds = (EventKind("claimed", {"at": "cell", "by": "player"}, "ripple"),)
    layers = (Layer("owner", "player"), Layer("level", "number", most=5))
    figures = ("cells", "levels")
    bots: ClassVar[Mapping[str, Any]] = {"idle": Idle, "greedy": Greedy}
    turn_kernel = staticmethod(turn)
    most_players = MOST_PLAYERS

    @classmethod
    def empty(cls, config: ToyConfig, names: Sequence[str]) -> Self:
        board = Board.square(config.side, config.side)
        return cls(board, config, names, SCHEMA.layout(land=board.size, claims=board.size))

    @classmethod
    def _create(cls, config: ToyConfig, names: Sequence[str], map: Any, map_key: tuple[int, int]) -> Self:
        if map is not None:
            raise MapError("toy has no maps.")
        game = cls.empty(config, names)
        for seat in range(len(names)):
            game.arrays(Land).owner[seat * game.board.size // len(names)] = seat + 1
        return game

    def _begin(self) -> None:
        self.head[TURN] = 1

    def _figures(self) -> list[list[int]]:
        land: Land = self.arrays(Land)
        owned = [land.owner == seat + 1 for seat in range(len(self.names))]
        return [[int(mine.sum()), int(land.level[mine].sum())] for mine in owned]

    def _outcome(self) -> Outcome:
        figures = [
            (name, dict(zip(self.figures, row, strict=True)))
            for name, row in zip(self.names, self._figures(), strict=True)
        ]
        return Outcome(rank_players(figures, [(sum(row.values()),) for _, row in figures]), "The last turn was played.")

    def _view(self, player: int | None) -> dict[str, Any]:
        land: Land = self.arrays(Land)
        return {"turn": self.turn, "me": player, "owner": land.owner.tolist(), "level": land.level.tolist()}

    def _observe(self, player: int) -> dict[str, npt.NDArray[Any]]:
        return {**self.arrays(Land)._asdict(), "me": np.array([player], np.int64)}

    def _menu(self, player: int, verb: str, given: Mapping[str, Any]) -> Menu | None:
        land: Land = self.arrays(Land)
        if "at" not in given:
            mine = land.owner == player + 1
            if verb == "build":
                cells = np.flatnonzero(mine & (land.level < self.config.max_level)).tolist()
            else:
                near = {other for cell in np.flatnonzero(mine).tolist() for other in self.board.neighbours(cell)}
                cells = sorted(cell for cell in near if land.owner[cell] == 0)
            return Cells("at", [self.board.at(cell) for cell in cells])
        if verb == "claim" or "levels" in given:
            return None
        cell = self.board.index(*given["at"])
        return Range("levels", 1, self.config.max_level - int(land.level[cell]) if cell >= 0 else 0)

    def _picture(self, player: int | None) -> Picture:
        land: Land = self.arrays(Land)
        return Picture((land.owner - 1, land.level), [[1, *figures] for figures in self._figures()])

    def _position(self) -> dict[str, Any]:
        land: Land = self.arrays(Land)
        over = int(self.head[OVER])
        return {"players": self.names, "owner": land.owner.tolist(), "level": land.level.tolist(), "over": over}

    @classmethod
    def _from_position(cls, config: ToyConfig, position: dict[str, Any]) -> Self:
        try:
            text = msgspec.convert(position, PositionText)
        except msgspec.ValidationError as problem:
            raise PositionError(f"The position cannot be read: {problem}.") from None
        game = cls.empty(config, cls.seat_names(text.players))
        land: Land = game.arrays(Land)
        if (
            len(text.owner) != game.board.size
            or len(text.level) != game.board.size
            or max(text.owner) > len(game.names)
        ):
            raise PositionError("owner and level need a number for each cell, and owners are players.")
        land.owner[:], land.level[:], game.head[OVER] = text.owner, text.level, text.over
        return game
