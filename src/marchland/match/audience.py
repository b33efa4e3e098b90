"""Readers who see the same: the last picture they got, recent frames, and terrain seen before.

All seats of an open-information game are one audience with the spectators; with fog each seat is its own.
"""

from collections import deque
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import msgspec
import numpy as np
import numpy.typing as npt

from marchland.core.game import Game
from marchland.core.report import Report
from marchland.core.scene import Picture, delta_frame, detached, key_frame, patches_of
from marchland.match.subscription import StreamPosition
from marchland.messages import Frame, Patch

_RECENT_FRAMES = 12
"""Frames for readers who resume; fewer than fit into a reader's queue."""
_RECENT_CELLS = 50_000
_NEVER_SEEN = -1


def crop(frame: Frame, chunks: AbstractSet[int]) -> Frame:
    """The frame with the cells of some chunks only."""
    return msgspec.structs.replace(
        frame,
        patches=[patch for patch in frame.patches if patch.chunk in chunks],
        remembered=[patch for patch in frame.remembered if patch.chunk in chunks],
    )


def only_cells(frame: Frame) -> Frame:
    """The cells of a key frame alone, for a reader that knows everything else."""
    return msgspec.structs.replace(frame, key=False, names=[], board=None, pieces=[], events=[])


class Audience:
    """Computes frames for one audience. It is active while it has readers, and for a few frames longer."""

    def __init__(self, game: Game, seat: int | None) -> None:
        self._game = game
        self._seat = seat
        self._shown: Picture | None = None
        self._recent = RecentFrames()
        self._terrain: SeenTerrain | None = None

    @property
    def is_active(self) -> bool:
        """Whether pictures are being computed."""
        return self._shown is not None

    def reset(self) -> None:
        """Start from the game as it is: after inactivity, or a change that a delta cannot express."""
        self._shown = detached(self._game.picture(self._seat))
        self._recent = RecentFrames()
        if not self._game.fogged or self._seat is None:
            return
        if self._terrain is None or self._terrain.cells != self._game.board.size:
            self._terrain = SeenTerrain(self._game)
        self._terrain.update(self._shown)

    def advance(self, report: Report, *, is_read: bool) -> Frame | None:
        """The frame from the last picture to the current one; None if the audience is or becomes inactive."""
        before = self._shown
        if before is None or (self._recent.is_expired and not is_read):
            self._shown = None
            return None
        self._shown = detached(self._game.picture(self._seat))
        frame = delta_frame(self._game, before, self._shown, report.event_rows, self._seat)
        if self._terrain is not None:
            lost = self._terrain.patches_lost(self._game, before, self._shown)
            frame = msgspec.structs.replace(frame, remembered=lost)
            self._terrain.update(self._shown)
        self._recent.add(frame, is_read=is_read)
        return frame

    def key_frame(self, chunks: AbstractSet[int] | None = None) -> Frame:
        """Everything visible, and terrain seen before, of the board or of some chunks."""
        frame = key_frame(self._game, self._seat, chunks=chunks)
        if self._terrain is None or self._shown is None:
            return frame
        known = self._terrain.patches_hidden(self._game, self._shown)
        return msgspec.structs.replace(
            frame, remembered=[patch for patch in known if chunks is None or patch.chunk in chunks]
        )

    def frames_since(self, position: StreamPosition) -> Sequence[Frame] | None:
        """The frames after a position, at least one; None if they are no longer there."""
        missed = self._recent.since(position)
        if missed or missed is None or self._shown is None:
            return missed
        return [Frame(position.turn, self._shown.players, [], position.seq, audience=self._seat)]


class RecentFrames:
    """The last frames of an audience with the position that each led to, for readers who resume."""

    def __init__(self) -> None:
        self._frames: deque[tuple[StreamPosition, Frame]] = deque()
        self._unread = 0

    def add(self, frame: Frame, *, is_read: bool) -> None:
        """Append a frame and drop the oldest beyond the limits."""
        self._unread = 0 if is_read else self._unread + 1
        self._frames.append((StreamPosition(frame.turn, frame.seq), frame))
        while len(self._frames) > _RECENT_FRAMES or (len(self._frames) > 1 and self._count_cells() > _RECENT_CELLS):
            self._frames.popleft()

    @property
    def is_expired(self) -> bool:
        """Whether no reader that was here could still resume."""
        return self._unread >= _RECENT_FRAMES

    def since(self, position: StreamPosition) -> Sequence[Frame] | None:
        """The frames after a position; None if it is not among the recent ones."""
        positions = [known for known, _ in self._frames]
        if position not in positions:
            return None
        return [frame for _, frame in list(self._frames)[positions.index(position) + 1 :]]

    def _count_cells(self) -> int:
        return sum(len(patch.offsets) for _, frame in self._frames for patch in frame.patches)


class SeenTerrain:
    """Layers with fog, with the value that each cell had when it was last visible."""

    def __init__(self, game: Game) -> None:
        self.cells = game.board.size
        self._hidden = {number: layer.hidden_code for number, layer in enumerate(game.layers) if layer.hidden_code >= 0}
        self._last = {number: np.full(game.board.size, _NEVER_SEEN, np.int16) for number in self._hidden}

    def update(self, picture: Picture) -> None:
        """Take over what is visible now."""
        for number, hidden in self._hidden.items():
            seen = picture.layers[number] != hidden
            self._last[number][seen] = picture.layers[number][seen]

    def patches_hidden(self, game: Game, now: Picture) -> list[Patch]:
        """All cells that are hidden now and were seen before."""
        return self._patches(game, {number: self._hidden_mask(now, number) for number in self._hidden})

    def patches_lost(self, game: Game, before: Picture, now: Picture) -> list[Patch]:
        """The cells that were visible in the picture before and are hidden now."""
        masks = {number: self._hidden_mask(now, number) & ~self._hidden_mask(before, number) for number in self._hidden}
        return self._patches(game, masks)

    def _hidden_mask(self, picture: Picture, number: int) -> npt.NDArray[np.bool_]:
        mask: npt.NDArray[np.bool_] = picture.layers[number] == self._hidden[number]
        return mask

    def _patches(self, game: Game, masks: dict[int, npt.NDArray[np.bool_]]) -> list[Patch]:
        return [
            patch
            for number, last in self._last.items()
            for patch in patches_of(game.board, number, last, np.flatnonzero(masks[number] & (last != _NEVER_SEEN)))
        ]
