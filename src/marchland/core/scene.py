"""Pictures of a match and the frames that lead from one to the next.

A game gives a `Picture`: one integer array a layer, a table of pieces, the players' figures. Everything else follows:
cells are grouped in chunks of 32 by 32, a frame holds what differs from the picture before, a key frame holds all.
"""

import functools
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from marchland.board import DIALECTS, Board
from marchland.core.report import decode_argument
from marchland.messages import BoardShape, Frame, Patch, SceneEvent

if TYPE_CHECKING:
    from marchland.core.game import Game

CHUNK = 32

Values = npt.NDArray[np.integer[Any]]


class Picture(NamedTuple):
    """Everything one audience sees at one moment."""

    layers: tuple[Values, ...]
    """For each layer of the legend, a value for every cell."""
    players: list[list[int]]
    """For each player whether it lives, then its figures."""
    pieces: dict[int, tuple[int, ...]] = {}  # noqa: RUF012 - never changed
    """For each piece by id: kind, owner, its cell's two coordinates, its numbers."""
    piece_names: dict[int, str] = {}  # noqa: RUF012 - never changed
    """The names of the pieces that have one."""


class Chunks(NamedTuple):
    """Where each cell lies: its chunk, and its place inside, row by row."""

    chunk: npt.NDArray[np.int32]
    offset: npt.NDArray[np.int32]


@functools.lru_cache(maxsize=16)
def _chunks(board: Board) -> Chunks:
    column, row = grid_coordinates(board)
    column, row = column - column.min(), row - row.min()
    across = int(column.max()) // CHUNK + 1
    return Chunks(
        (row // CHUNK * across + column // CHUNK).astype(np.int32),
        (row % CHUNK * CHUNK + column % CHUNK).astype(np.int32),
    )


def grid_coordinates(board: Board) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Column and row of every cell, as a picture lays them out: for hexes, odd rows half a cell to the right."""
    first, second = board.coords[:, 0].astype(np.int64), board.coords[:, 1].astype(np.int64)
    p, r = board.dialect.to_frame(first, second)
    column, row = (p, r) if board.topology == "square" else DIALECTS["odd-r"].from_frame(p, r)
    return column, row


@functools.lru_cache(maxsize=16)
def board_shape(board: Board) -> BoardShape:
    """The board as a legend describes it."""
    column, row = grid_coordinates(board)
    box = (int(column.min()), int(column.max()), int(row.min()), int(row.max()))
    return BoardShape(board.topology, board.dialect.name, board.size, box, CHUNK)


def key_frame(
    game: "Game",
    audience: int | None,
    event_rows: Sequence[Any] | Values = (),
    chunks: AbstractSet[int] | None = None,
) -> Frame:
    """Everything ``audience`` sees, or the cells of some chunks only, with the events that led to it."""
    picture = game.picture(audience)
    wanted = slice(None) if chunks is None else np.isin(_chunks(game.board).chunk, list(chunks))
    every = np.arange(game.board.size)[wanted]
    patches = [
        patch for number, values in enumerate(picture.layers) for patch in patches_of(game.board, number, values, every)
    ]
    return Frame(
        turn=game.turn,
        seq=game.seq,
        key=True,
        names=list(game.players),
        board=board_shape(game.board),
        events=scene_events(game, event_rows),
        players=picture.players,
        patches=patches,
        pieces=[[piece, *numbers] for piece, numbers in picture.pieces.items()],
        piece_names=picture.piece_names,
        places=game.places(audience),
        teams=game.teams(),
        audience=audience,
    )


def delta_frame(
    game: "Game", before: Picture, after: Picture, event_rows: Values, audience: int | None = None
) -> Frame:
    """What leads from one picture to the next, with the events in between that ``audience`` witnessed."""
    if audience is not None:
        event_rows = game._visible_events(audience, before, after, event_rows)
    changed = {piece: now for piece, now in after.pieces.items() if before.pieces.get(piece) != now}
    patches: list[Patch] = []
    for number, (layer, old, new) in enumerate(zip(game.layers, before.layers, after.layers, strict=True)):
        if not layer.still:
            patches += patches_of(game.board, number, new, np.flatnonzero(old != new))
    return Frame(
        turn=game.turn,
        seq=game.seq,
        players=after.players,
        patches=patches,
        pieces=[[piece, *now] for piece, now in changed.items()],
        piece_names={piece: name for piece, name in after.piece_names.items() if piece in changed},
        gone=[piece for piece in before.pieces if piece not in after.pieces],
        events=scene_events(game, event_rows),
        places=game.places(audience),
        teams=game.teams(),
        audience=audience,
    )


def detached(picture: Picture) -> Picture:
    """The picture with arrays of its own, so that it outlives the next turn."""
    return picture._replace(layers=tuple(values.copy() for values in picture.layers))


def scene_events(game: "Game", event_rows: Sequence[Any] | Values) -> list[SceneEvent]:
    """Events with their arguments in the legend's order."""
    events = []
    for row in event_rows:
        kind = game.event_kinds[int(row[0])]
        types = kind.args.values()
        args = [
            decode_argument(type_, int(value), game.board.dialect) for type_, value in zip(types, row[1:], strict=False)
        ]
        events.append(SceneEvent(int(row[0]), args))
    return events


def patches_of(board: Board, layer: int, values: Values, cells: npt.NDArray[np.intp]) -> list[Patch]:
    """The values of ``cells`` in one layer, a patch for every chunk they lie in."""
    if len(cells) == 0:
        return []
    chunks = _chunks(board)
    order = cells[np.argsort(chunks.chunk[cells], kind="stable")]
    chunk, offset, value = chunks.chunk[order], chunks.offset[order].tolist(), values[order].tolist()
    starts = [0, *(np.flatnonzero(np.diff(chunk)) + 1).tolist(), len(order)]
    return [Patch(int(chunk[start]), layer, offset[start:stop], value[start:stop]) for start, stop in pairwise(starts)]
