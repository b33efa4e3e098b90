"""DatsPulse's only order."""

from typing import ClassVar

from marchland.messages import Order, Path, Piece


class Move(Order, frozen=True, tag="move"):
    """Walk an ant hex by hex, its own hex not named; an empty path takes back an earlier order of this turn."""

    key: ClassVar[str] = "m"

    ant: Piece
    path: Path


MOVE = 1
VERBS: tuple[type[Order], ...] = (Move,)
