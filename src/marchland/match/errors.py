"""Why a match refuses a request."""

import math
import time

from marchland.errors import Refused, StorageUnavailable


class TooLate(Refused):
    """Orders for a turn that is closed."""

    def __init__(self, turn: int, open_turn: int) -> None:
        super().__init__("too_late", "too_late", turn=turn, open=open_turn)


class TooEarly(Refused):
    """Orders for a turn that is not open yet."""

    def __init__(self, turn: int, open_turn: int) -> None:
        super().__init__("too_early", "too_early", turn=turn, open=open_turn)


class TurnLocked(Refused):
    """Orders in the last part of a turn, in which the game takes none."""

    def __init__(self, turn: int) -> None:
        super().__init__("locked", "turn_locked", turn=turn)


class MatchOver(Refused):
    """There is nothing left to play."""

    def __init__(self) -> None:
        super().__init__("over", "match_over")


class MatchBroken(Refused):
    """The match failed in a way that a restart does not repair."""

    def __init__(self) -> None:
        super().__init__("broken", "match_broken")


class TooManyPosts(Refused):
    """A seat has reached its limit of posts for one turn."""

    def __init__(self, seat: int, turn: int, limit: float, closes: float | None) -> None:
        super().__init__("too_many_posts", "too_many_posts", seat=seat, most=limit, turn=turn)
        self.retry = 1 if closes is None else max(1, math.ceil(closes - time.time()))


class TooMuchPosted(Refused):
    """The posts of a seat for one turn have more orders or bytes together than they may have."""

    def __init__(self, seat: int, turn: int, before: int, size: int, limit: float, unit: str) -> None:
        given = f"Seat {seat} has posted {before:,} {unit} for turn {turn}, and this post has {size:,}"
        super().__init__("too_large", f"{given}; the most is {limit:,}.")


class MatchReloading(StorageUnavailable):
    """This node's copy of the match is ahead of its log or may be outdated, and is loaded again."""

    def __init__(self) -> None:
        super().__init__("The match is being loaded again.")
