"""Matches: requests, seats, orders and their results."""

from typing import Annotated, Any, Literal

import msgspec

from marchland.messages.clocks import DEFAULT_CLOCK, DEFAULT_FORK_CLOCK, Clock
from marchland.messages.results import Outcome, Result, TurnReport
from marchland.messages.text import LINE, Nickname, Password, Title

TurnNumber = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=100_000)]
ClientKey = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=LINE)]
"""An idempotency key, chosen by the client for every post; a repeated key gets the first response again."""
MOST_SEATS = 100_000
"""In one request; each game takes at most its own number of players."""
MOST_TEAMS = 1_000
MatchState = Literal["lobby", "running", "over", "broken"]


class SeatRequest(msgspec.Struct, frozen=True, omit_defaults=True):
    """A requested seat: open to players who join, played by a built-in bot, or empty."""

    kind: Literal["open", "builtin", "empty"] = "open"
    bot: str = ""
    name: Nickname = ""


class MatchCreate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match to be created; it starts on request or, with ``auto_start``, when no seat is open."""

    game: str
    seats: Annotated[list[SeatRequest], msgspec.Meta(min_length=1, max_length=MOST_SEATS)]
    name: Title = ""
    rules: str | None = None
    config: dict[str, Any] = {}
    map: Any = None
    """A map in the game's own form or, for a map that is saved on the server, ``{"kept": id}``."""
    clock: Clock = DEFAULT_CLOCK
    password: Password = ""
    auto_start: bool = True
    spectator_delay: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] | None = None
    """In a game with fog: how many turns late spectators see it; None hides it until it is over."""
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)] | None = None
    """Only for organisers without a seat in the match; by default the seed is random and secret."""
    listed: bool | None = None
    """Whether lists show it to all; by default unless it has a password, or one seat for a player."""
    late_joiners: bool | None = None
    """Whether others than its creator may join it while it runs; by default as for ``listed``."""
    team_names: Annotated[list[Title], msgspec.Meta(max_length=MOST_TEAMS)] = []
    """By team its name, in a game with teams; those of a season's match are the season's."""


class MatchUpdate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new clock for a match that is not over, from its next turn on; who finds and joins it."""

    clock: Clock | msgspec.UnsetType = msgspec.UNSET
    listed: bool | msgspec.UnsetType = msgspec.UNSET
    late_joiners: bool | msgspec.UnsetType = msgspec.UNSET


class SeatInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """The public facts of a seat."""

    seat: int
    kind: Literal["open", "human", "bot", "builtin", "empty"]
    name: str = ""
    account: str | None = None
    bot: str = ""
    missed: int = 0
    """Turns in which it was late."""


class MatchInfo(msgspec.Struct, frozen=True):
    """The public facts of a match."""

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
    """When the turn ends, in seconds since 1970; None if it ends when all seats are ready."""
    now: float
    outcome: Outcome | None = None
    creator: str | None = None
    room: str | None = None
    forked_from: str | None = None
    listed: bool = True
    late_joiners: bool = True
    team_names: list[str] = []
    """By team its name, where the teams have names."""


class JoinRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Take a certain seat or any open one; idempotent for a caller that has a seat."""

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
    """Orders for ``turn``, by default the turn that is open when they arrive. ``ready`` says that no more follow."""

    orders: list[Any]
    key: ClientKey
    turn: TurnNumber | None = None
    ready: bool = True
    seat: SeatNumber | None = None
    """Required only for a caller with several seats."""


class ActPost(msgspec.Struct, frozen=True):
    """One immediate action."""

    order: Any
    key: ClientKey
    seat: SeatNumber | None = None


class Receipt(msgspec.Struct, frozen=True, gc=False):
    """Orders are durable: they will be played in the turn named here."""

    turn: int
    orders: int
    received: float


class Pending(msgspec.Struct, frozen=True):
    """A seat's orders for the open turn as they would be executed now, and whether the seat is ready."""

    turn: int
    orders: list[Any]
    ready: bool
    awaited: list[int] = []
    """The first seats that are not ready, where the turn ends when all are; the match's owner knows them."""


class ActResult(msgspec.Struct, frozen=True):
    """The result of an immediate action, and its number in the turn if it was executed."""

    turn: int
    seq: int
    result: Result
    events: list[dict[str, Any]]


class TurnLog(msgspec.Struct, frozen=True):
    """The results of one seat's orders in one turn or immediate action; ``late`` if it missed the turn."""

    turn: int
    seq: int
    results: list[Result]
    late: bool
    latency: float | None
    """Seconds from the turn's opening to the seat's last post; None without one."""
    reports: list[TurnReport] = []
    """What else the game tells the seat about the turn, such as battles."""


class LogLine(msgspec.Struct, frozen=True):
    """A sentence about what happened in a turn, and the seats that it concerns."""

    turn: int
    text: str
    players: tuple[int, ...]
    private: bool = False
    """Whether it is only for the seats that it concerns."""


class ForkRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new match from ``turn`` of another; by default the caller plays against built-in bots."""

    turn: TurnNumber
    seats: Annotated[list[SeatRequest], msgspec.Meta(min_length=1, max_length=MOST_SEATS)] | None = None
    clock: Clock = DEFAULT_FORK_CLOCK
    name: Title = ""
