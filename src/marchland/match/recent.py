"""The last frames that one audience was sent, for readers who come back to where they were."""

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from marchland.messages import Frame

_MOST = 12  # fewer than fit into a reader's queue
_MOST_CELLS = 50_000


class Moment(NamedTuple):
    """How far a match has come: the turn that awaits orders, and how many actions there were in it."""

    turn: int
    seq: int


class Recent:
    """The moments after the last few inputs, each with the frame that led to it."""

    def __init__(self) -> None:
        self._frames: deque[tuple[Moment, Frame]] = deque()
        self._unread = 0

    def add(self, frame: Frame, *, is_read: bool) -> None:
        """Keep a frame, which may be read or only be wanted by somebody who comes back."""
        self._unread = 0 if is_read else self._unread + 1
        self._frames.append((Moment(frame.turn, frame.seq), frame))
        while len(self._frames) > _MOST or (len(self._frames) > 1 and self._cells() > _MOST_CELLS):
            self._frames.popleft()

    @property
    def is_forgotten(self) -> bool:
        """Whether nobody who was there could still come back."""
        return self._unread >= _MOST

    def since(self, moment: Moment) -> Sequence[Frame] | None:
        """What came after a moment; None if it is not known any more."""
        moments = [one for one, _ in self._frames]
        if moment not in moments:
            return None
        return [frame for _, frame in list(self._frames)[moments.index(moment) + 1 :]]

    def _cells(self) -> int:
        return sum(len(patch.offsets) for _, frame in self._frames for patch in frame.patches)
