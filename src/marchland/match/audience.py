"""Those who see the same: what they were shown last, what led there, and what they remember."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import msgspec

from marchland.core.game import Game
from marchland.core.report import Report
from marchland.core.scene import Picture, delta_frame, frozen, key_frame
from marchland.match.recent import Moment, Recent
from marchland.match.terrain import Remembered
from marchland.messages import Frame


class Audience:
    """A seat of a game with fog, or everybody. It looks on as long as somebody reads, and a little longer."""

    def __init__(self, game: Game, seat: int | None) -> None:
        self._game = game
        self._seat = seat
        self._shown: Picture | None = None
        self._recent = Recent()
        self._remembered: Remembered | None = None

    @property
    def is_awake(self) -> bool:
        """Whether it looks on."""
        return self._shown is not None

    def wake(self) -> None:
        """Look at everything anew: nobody has for long, or something happened that no delta can tell."""
        self._shown = frozen(self._game.picture(self._seat))
        self._recent = Recent()
        if not self._game.fogged or self._seat is None:
            return
        if self._remembered is None or self._remembered.cells != self._game.board.size:
            self._remembered = Remembered(self._game)
        self._remembered.see(self._shown)

    def move_on(self, report: Report, *, is_read: bool) -> Frame | None:
        """What leads from the last picture to the one now; None once nobody can be expected to come back."""
        before = self._shown
        if before is None or (self._recent.is_forgotten and not is_read):
            self._shown = None
            return None
        self._shown = frozen(self._game.picture(self._seat))
        frame = delta_frame(self._game, before, self._shown, report.event_rows, self._seat)
        if self._remembered is not None:
            lost = self._remembered.lost(self._game, before, self._shown)
            frame = msgspec.structs.replace(frame, remembered=lost)
            self._remembered.see(self._shown)
        self._recent.add(frame, is_read=is_read)
        return frame

    def key(self, chunks: AbstractSet[int] | None = None) -> Frame:
        """Everything that can be seen, and what is remembered, of the board or of some chunks."""
        frame = key_frame(self._game, self._seat, chunks=chunks)
        if self._remembered is None or self._shown is None:
            return frame
        known = self._remembered.known(self._game, self._shown)
        return msgspec.structs.replace(
            frame, remembered=[patch for patch in known if chunks is None or patch.chunk in chunks]
        )

    def since(self, moment: Moment) -> Sequence[Frame] | None:
        """What leads from a moment to now, at least one frame; None if that is not known any more."""
        missed = self._recent.since(moment)
        if missed or missed is None or self._shown is None:
            return missed
        return [Frame(moment.turn, self._shown.players, [], moment.seq, audience=self._seat)]
