"""Stills from the frames of a replay, for matches whose rules have changed since."""

from collections.abc import Sequence

import msgspec
import numpy as np

from marchland.cli.terminal.still import Still, place_piece, shape_of
from marchland.messages import Frame, Legend


def still_from_film(legend: Legend, names: Sequence[str], frames: Sequence[Frame]) -> Still:
    """Apply ``frames`` from the last key frame on; that frame has the size of the board."""
    frames = frames[max(number for number, frame in enumerate(frames) if frame.key) :]
    legend = msgspec.structs.replace(legend, board=frames[0].board or legend.board)
    rows, columns = shape_of(legend.board)
    side = legend.board.chunk
    across = (columns - 1) // side + 1
    layers = [np.zeros((rows, columns), np.int64) for _ in legend.layers]
    cells = np.zeros((rows, columns), np.bool_)
    pieces: dict[int, list[int]] = {}
    known = list(names)
    for frame in frames:
        known = frame.names or known
        for patch in frame.patches:
            offsets = np.array(patch.offsets)
            place = patch.chunk // across * side + offsets // side, patch.chunk % across * side + offsets % side
            layers[patch.layer][place] = patch.values
            cells[place] = True
        pieces.update({piece[0]: piece[1:] for piece in frame.pieces})
        for piece in frame.gone:
            pieces.pop(piece, None)
    last = frames[-1]
    known += [f"player {seat}" for seat in range(len(known), len(last.players))]
    placed = [place_piece(legend.board, piece) for piece in pieces.values()]
    return Still(legend, last.turn, known, last.players, layers, cells, placed)
