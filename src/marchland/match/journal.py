"""What a match needs to be remembered: posts before they are acknowledged, turns before anybody hears of them."""

from collections.abc import Callable
from typing import Any, Literal, Protocol

import msgspec

from marchland.core.columns import Columns, gathered, scattered
from marchland.core.orders import Packed
from marchland.messages import Outcome, Receipt

EntryKind = Literal["turn", "act", "join"]
Also = Callable[[Any], None]
"""What is written together with an entry: given the connection on which that is done."""


class Post(msgspec.Struct, frozen=True):
    """Orders of one seat for one turn, as they arrived."""

    turn: int
    seat: int
    key: str
    orders: list[Any]
    ready: bool
    received: float
    """Seconds since 1970 at which the body was there."""

    def receipt(self) -> Receipt:
        """What the sender is told: the same for every repetition."""
        return Receipt(self.turn, len(self.orders), self.received)


class Punctuality(msgspec.Struct, frozen=True, array_like=True):
    """Whether the turn had to go without a seat, and how long after the turn's opening its last post came."""

    late: bool
    latency: float | None


class Entry(msgspec.Struct, frozen=True):
    """One input of a match, numbered from 0: a turn's orders, an immediate action or a late joiner."""

    index: int
    kind: EntryKind
    turn: int
    """The turn in which it went in."""
    seq: int
    orders: bytes
    digest: str
    at: float
    lateness: float = 0.0
    """Seconds from a turn's deadline to the moment its orders were fixed."""
    seats: list[Punctuality] = []
    name: str = ""
    """Who joined."""
    seat: int = -1
    key: str = ""
    answer: bytes = b""
    """What whoever acted was told, for repetitions."""
    outcome: Outcome | None = None

    def packed(self) -> Packed:
        """The orders that went in."""
        (orders,) = scattered(msgspec.msgpack.decode(self.orders, type=Columns))
        return orders


def packed_bytes(orders: Packed) -> bytes:
    """Packed orders as an entry keeps them."""
    return msgspec.msgpack.encode(gathered([orders]))


class Journal(Protocol):
    """Where one match is remembered. Every method is durable when it returns, or raises and has changed nothing."""

    async def accept(self, post: Post) -> Receipt:
        """Keep a post, or give the first receipt of its key; `TooLate` if its turn is closed by then."""

    async def receipt(self, seat: int, key: str, first: int, last: int) -> Receipt | None:
        """The receipt that was given for this key in these turns, if any."""

    async def answer(self, seat: int, key: str) -> bytes | None:
        """The answer that was given to the immediate action of this key, if any."""

    async def close(self, turn: int, closes: float | None) -> list[Post]:
        """Fix the posts of ``turn``, in the order of their arrival, and open the next, which ends at ``closes``."""

    async def posts(self, turn: int, seat: int | None = None) -> list[Post]:
        """The posts of a turn so far, of one seat or of all; of closed turns only where they are remembered."""

    async def keep(self, entry: Entry, snapshot: bytes | None = None, also: Also | None = None) -> None:
        """Keep an entry, together with what is ``also`` written, and the state after it if it is given."""
