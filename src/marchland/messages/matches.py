"""Matches: requests, seats, orders and what became of them."""

from typing import Annotated, Any, Literal

import msgspec

from marchland.messages.clocks import DEFAULT_CLOCK, DEFAULT_FORK_CLOCK, Clock
from marchland.messages.results import Outcome, Result
from marchland.messages.text import LINE, Nickname, Password, Title

TurnNumber = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=100_000)]
ClientKey = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=LINE)]
"""Chosen by the client, new for every post; the same key again gets the first answer again."""
MatchState = Literal["lobby", "running", "over", "broken"]


class SeatRequest(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat as the creator of a match wants it: open to anyone who joins, empty, or played by a bot of the game's."""

    kind: Literal["open", "builtin", "empty"] = "open"
    bot: str = ""
    name: Nickname = ""


class MatchCreate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match to be created; it starts when its creator says so or, with ``auto_start``, when no seat is open."""

    game: str
    seats: Annotated[list[SeatRequest], msgspec.Meta(min_length=1, max_length=1000)]
    name: Title = ""
    rules: str | None = None
    config: dict[str, Any] = {}
    map: Any = None
    """What the game takes as a map or, for one that is saved on the server, ``{"kept": id}``."""
    clock: Clock = DEFAULT_CLOCK
    password: Password = ""
    auto_start: bool = True
    spectator_delay: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] | None = None
    """In a game with fog: how many turns late spectators see it; None hides it until it is over."""
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)] | None = None
    """For organisers without a seat of their own; otherwise the dice are secret."""


class MatchUpdate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be different about a match that is not over: when its turns end, from the next one on."""

    clock: Clock


class SeatInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat as everybody may see it."""

    seat: int
    kind: Literal["open", "human", "bot", "builtin", "empty"]
    name: str = ""
    account: str | None = None
    bot: str = ""
    missed: int = 0
    """Turns in which it was late."""


class MatchInfo(msgspec.Struct, frozen=True):
    """A match as everybody may see it."""

    id: str
    game: str
    name: str
    state: MatchState
    turn: int
    last_turn: int | None
    seats: list[SeatInfo]
    clock: Clock
    config: dict[str, Any]
    fogged: bool
    spectator_delay: int | None
    password: bool
    created: float
    closes: float | None
    """When the turn ends, in seconds since 1970; None where it waits for everybody."""
    now: float
    outcome: Outcome | None = None
    creator: str | None = None
    room: str | None = None
    forked_from: str | None = None


class JoinRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Take a seat: that one, or any open one. A caller that has a seat gets the same one again."""

    seat: SeatNumber | None = None
    name: Nickname = ""
    password: Password = ""
    kind: Literal["human", "bot"] = "bot"


class Joined(msgspec.Struct, frozen=True):
    """The seat that was taken."""

    match: str
    seat: int
    name: str


class OrdersPost(msgspec.Struct, frozen=True):
    """Orders for a turn; without one, for the turn that is open when they arrive. ``ready`` says that no more come."""

    orders: list[Any]
    key: ClientKey
    turn: TurnNumber | None = None
    ready: bool = True
    seat: SeatNumber | None = None
    """Only for a caller with several seats."""


class ActPost(msgspec.Struct, frozen=True):
    """One immediate action."""

    order: Any
    key: ClientKey
    seat: SeatNumber | None = None


class Receipt(msgspec.Struct, frozen=True):
    """Orders that are durable: whatever happens, they are in the turn named here."""

    turn: int
    orders: int
    received: float


class Pending(msgspec.Struct, frozen=True):
    """A seat's orders for the open turn as they would be carried out now, and whether more may come."""

    turn: int
    orders: list[Any]
    ready: bool


class ActResult(msgspec.Struct, frozen=True):
    """What became of an immediate action, and its number in the turn if it was done."""

    turn: int
    seq: int
    result: Result
    events: list[dict[str, Any]]


class TurnLog(msgspec.Struct, frozen=True):
    """What became of one seat's orders in one turn or immediate action; ``late`` if the turn had to go without it."""

    turn: int
    seq: int
    results: list[Result]
    late: bool
    latency: float | None
    """Seconds from the turn's opening to the seat's last post; None without one."""


class ForkRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new match from ``turn`` of another: who takes which seat, by default one person against built-in bots."""

    turn: TurnNumber
    seats: Annotated[list[SeatRequest], msgspec.Meta(min_length=1, max_length=1000)] | None = None
    clock: Clock = DEFAULT_FORK_CLOCK
    name: Title = ""
