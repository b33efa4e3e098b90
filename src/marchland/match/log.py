"""The write-ahead log of a match: posts before they are acknowledged, entries before they are broadcast."""

import reprlib
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, Protocol

import msgspec

from marchland.core.order_columns import Columns, decode_columns, encode_columns
from marchland.core.orders import Packed
from marchland.match.errors import TooLate
from marchland.messages import Outcome, Receipt

_encode_orders = msgspec.json.Encoder(enc_hook=reprlib.repr).encode  # a local bot may return anything
_decode_orders = msgspec.json.Decoder(list[Any]).decode
BOT_KEY = ""
"""The key of a built-in bot's orders; clients cannot use it."""
EntryKind = Literal["turn", "act", "join"]
ExtraWrite = Callable[[Any], None]
"""A write in the same transaction as an entry; called with the connection."""


class Post(msgspec.Struct, frozen=True, gc=False):
    """Orders of one seat for one turn, as they arrived.

    They are left encoded, as the log stores them: a long turn may have many thousands of posts, most of them replaced
    by later ones, and as objects they would slow every garbage collection down.
    """

    turn: int
    seat: int
    key: str
    """Idempotency key: a repeated post gets the first receipt."""
    encoded: bytes
    """The orders as JSON."""
    size: int
    """The number of orders."""
    ready: bool
    received: float
    """Seconds since 1970 at which the body was complete."""

    @classmethod
    def encode(cls, turn: int, seat: int, key: str, orders: list[Any], ready: bool, received: float) -> "Post":
        """A post of these orders."""
        return cls(turn, seat, key, _encode_orders(orders), len(orders), ready, received)

    @property
    def orders(self) -> list[Any]:
        """The orders, decoded."""
        return _decode_orders(self.encoded)

    def receipt(self) -> Receipt:
        """The answer to the sender, the same for every repetition."""
        return Receipt(self.turn, self.size, self.received)


class SeatTiming(msgspec.Struct, frozen=True, array_like=True):
    """Whether a seat's orders were missing at the end of a turn, and how long after its opening the last post came."""

    late: bool
    latency: float | None


class Entry(msgspec.Struct, frozen=True):
    """One input of a match, numbered from 0: a turn's orders, an immediate action or a late joiner."""

    index: int
    kind: EntryKind
    turn: int
    """The turn that it was applied to."""
    seq: int
    orders: bytes
    digest: str
    at: float
    lateness: float = 0.0
    """Seconds from a turn's deadline to the moment its orders were fixed."""
    seats: list[SeatTiming] = []
    name: str = ""
    """The joiner's name."""
    seat: int = -1
    key: str = ""
    """Idempotency key of an immediate action."""
    answer: bytes = b""
    """The response to an immediate action, for repetitions."""
    outcome: Outcome | None = None

    def decode_orders(self) -> Packed:
        """The orders that were applied."""
        (orders,) = decode_columns(msgspec.msgpack.decode(self.orders, type=Columns))
        return orders


def packed_bytes(orders: Packed) -> bytes:
    """Packed orders in the form that an entry stores."""
    return msgspec.msgpack.encode(encode_columns([orders]))


class Closing(NamedTuple):
    """The close of a turn in the transaction of its entry."""

    posts: Sequence[Post]
    """The posts that were played; the entry is refused if the log has others."""
    closes: float | None
    """When the next turn ends."""


class MatchLog(Protocol):
    """Durable storage of one match. A method that returns has written; one that raises has changed nothing."""

    @property
    def is_shared(self) -> bool:
        """Whether posts may also come through other nodes."""

    async def add_post(self, post: Post) -> Receipt:
        """Store a post, or return the first receipt of its key; `TooLate` if its turn has been closed."""

    async def receipt(self, seat: int, key: str, first: int, last: int) -> Receipt | None:
        """The receipt of this idempotency key in these turns, if any."""

    async def answer(self, seat: int, key: str) -> bytes | None:
        """The response to the immediate action of this key, if any."""

    async def acting_seats(self, turn: int) -> set[int]:
        """The seats with an immediate action in ``turn``."""

    def known_posts(self, turn: int) -> list[Post] | None:
        """All posts of ``turn``, written or queued, if `append` can close it; None if only `close_turn` can."""

    async def close_turn(self, turn: int, closes: float | None, bot_posts: Sequence[Post] = ()) -> list[Post]:
        """Fix the posts of ``turn``, in the order of their arrival, and open the next, which ends at ``closes``.

        Orders of built-in bots are stored with the close, before the others, and deleted with the turn's entry.
        """

    async def posts(self, turn: int, seat: int | None = None) -> list[Post]:
        """The posts of a turn so far, of one seat or of all; of closed turns only where the log stores them."""

    async def append(
        self,
        entry: Entry,
        snapshot: bytes | None = None,
        extra: ExtraWrite | None = None,
        closing: Closing | None = None,
    ) -> None:
        """Store an entry, the close of its turn and the extra write in one transaction; the snapshot may follow later.

        With ``closing``, the write is queued before this first suspends: posts for the next turn come behind it.
        """


class MemoryMatchLog:
    """A log for matches that end with this process: stores the posts of the open turn and nothing else."""

    is_shared = False

    def __init__(self, open_turn: int) -> None:
        self._open_turn = open_turn
        self._posts: list[Post] = []

    async def add_post(self, post: Post) -> Receipt:
        """Store a post until its turn is played."""
        if post.turn != self._open_turn:
            raise TooLate(post.turn, self._open_turn)
        self._posts.append(post)
        return post.receipt()

    async def receipt(self, seat: int, key: str, first: int, last: int) -> Receipt | None:
        """The receipt of a post of this turn."""
        return next((post.receipt() for post in self._posts if (post.seat, post.key) == (seat, key)), None)

    async def answer(self, seat: int, key: str) -> bytes | None:
        """None: within one process no request is repeated."""
        return None

    async def acting_seats(self, turn: int) -> set[int]:
        """None of them: the match itself knows, as long as this process lives."""
        return set()

    def known_posts(self, turn: int) -> list[Post] | None:
        """None: closing a turn costs nothing here."""
        return None

    async def close_turn(self, turn: int, closes: float | None, bot_posts: Sequence[Post] = ()) -> list[Post]:
        """The posts of the open turn."""
        posts, self._posts = self._posts, []
        self._open_turn = turn + 1
        return [*bot_posts, *posts]

    async def posts(self, turn: int, seat: int | None = None) -> list[Post]:
        """The posts of the open turn; those of closed turns are gone."""
        return [post for post in self._posts if post.turn == turn and seat in (None, post.seat)]

    async def append(
        self,
        entry: Entry,
        snapshot: bytes | None = None,
        extra: ExtraWrite | None = None,
        closing: Closing | None = None,
    ) -> None:
        """Do nothing: the game itself has the state."""
