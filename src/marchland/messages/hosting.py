"""What travels between a server and those who host or join matches, over HTTP."""

from typing import Annotated, Any, Literal

import msgspec

from marchland.messages.map_spec import MapSpec
from marchland.messages.report import Outcome, Result
from marchland.messages.scene import Verb

LINE = r"^[^\x00-\x1f\x7f]*(?![\s\S])"  # one line of text: "$" would let a line end pass

MAX_NAME_LENGTH = 40
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_NAME_LENGTH, pattern=LINE)]
Nickname = Annotated[str, msgspec.Meta(max_length=MAX_NAME_LENGTH, pattern=LINE)]
Title = Annotated[str, msgspec.Meta(max_length=80, pattern=LINE)]
Password = Annotated[str, msgspec.Meta(max_length=200, pattern=LINE)]
TurnNumber = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=100_000)]
ClientKey = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=LINE)]
"""Chosen by the client, new for every post; the same key again gets the first answer again."""
Seconds = Annotated[float, msgspec.Meta(ge=0.05, le=86_400 * 31)]
MatchState = Literal["lobby", "running", "over", "broken"]
Role = Literal["player", "organiser", "admin"]


class Problem(msgspec.Struct, frozen=True):
    """Why a request was refused: a word for programs, a sentence for people."""

    error: str
    sentence: str


class AccountInfo(msgspec.Struct, frozen=True):
    """An account."""

    id: str
    name: str
    role: Role
    created: float


class NewAccount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An account to be made."""

    name: Name


class Welcome(msgspec.Struct, frozen=True):
    """A new account and its token, which is told this once."""

    account: AccountInfo
    token: str


class NewRole(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an account may do from now on."""

    role: Role


class TokenInfo(msgspec.Struct, frozen=True):
    """A token as its owner sees it afterwards."""

    id: str
    label: str
    created: float


class NewToken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A further token for one's own account."""

    label: Title = ""


class TokenTold(msgspec.Struct, frozen=True):
    """A new token, told this once."""

    id: str
    token: str


class GameInfo(msgspec.Struct, frozen=True):
    """A game as a host may offer it."""

    name: str
    version: int
    players: tuple[int, int]
    """The least and the most."""
    fogged: bool
    immediate: bool
    """Whether it has actions that take effect at once."""
    merging: Literal["replace", "unit", "append"]
    presets: list[str]
    bots: list[str]
    config_schema: dict[str, Any]
    """Beside what JSON Schema says, ``x-group`` is the heading under which a setting belongs."""
    verbs: list[Verb]
    maps: MapSpec
    preset_field: str = "rules"
    """The setting that names the preset."""
    preset_values: dict[str, dict[str, Any]] = {}
    """The settings in which each preset differs from the defaults."""
    items: dict[str, dict[str, Any]] = {}
    """The kinds of items of the ledger that it reads, each with the JSON Schema of an item's facts."""
    jobs: dict[str, str] = {}
    """What an organiser of a season may have done by hand, and what that does."""
    seasonal: list[str] = []
    """The settings that a season sets by its teams and its clock."""


LoadingState = Literal["waiting", "compiling", "loaded", "failed"]


class GameLoading(msgspec.Struct, frozen=True):
    """How far a server is with loading a game; its matches can be played when it is loaded."""

    game: str
    state: LoadingState
    progress: float = 0.0
    """The compiled fraction, from 0 to 1."""
    error: str = ""
    """Why it failed, in one line; the server's log has the details."""


class Readiness(msgspec.Struct, frozen=True):
    """Whether a server can play every game."""

    ready: bool
    games: list[GameLoading]


class WhenReady(msgspec.Struct, frozen=True, tag_field="kind", tag="ready"):
    """A turn ends when everybody is ready."""


class Every(msgspec.Struct, frozen=True, tag_field="kind", tag="every"):
    """A turn ends so many seconds after the one before, or as soon as everybody is ready if ``early``."""

    seconds: Seconds
    early: bool = True
    first: Seconds | None = None
    """The length of the first turn, where it has one of its own."""


class AtTimes(msgspec.Struct, frozen=True, tag_field="kind", tag="times"):
    """A turn ends at these times of the day, written ``HH:MM`` in UTC."""

    times: Annotated[
        list[Annotated[str, msgspec.Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]],
        msgspec.Meta(min_length=1, max_length=96),
    ]


Clock = WhenReady | Every | AtTimes


class SeatWish(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat as the creator of a match wants it: open to anyone who joins, empty, or played by a bot of the game's."""

    kind: Literal["open", "builtin", "empty"] = "open"
    bot: str = ""
    name: Nickname = ""


class NewMatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match to be created; it starts when its creator says so or, with ``auto_start``, when no seat is open."""

    game: str
    seats: Annotated[list[SeatWish], msgspec.Meta(min_length=1, max_length=1000)]
    name: Title = ""
    rules: str | None = None
    config: dict[str, Any] = {}
    map: Any = None
    """What the game takes as a map or, for one that is kept on the server, ``{"kept": id}``."""
    clock: Clock = Every(2.0)
    password: Password = ""
    auto_start: bool = True
    spectator_delay: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] | None = None
    """In a game with fog: how many turns late spectators see it; None hides it until it is over."""
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)] | None = None
    """For organisers without a seat of their own; otherwise the dice are secret."""


class MatchChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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


class Joining(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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
    """Orders that are kept for good: whatever happens, they are in the turn named here."""

    turn: int
    orders: int
    received: float


class Pending(msgspec.Struct, frozen=True):
    """A seat's orders for the open turn as they would be carried out now, and whether more may come."""

    turn: int
    orders: list[Any]
    ready: bool


class Acted(msgspec.Struct, frozen=True):
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


class ForkWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new match from ``turn`` of another: who takes which seat, by default one person against built-in bots."""

    turn: TurnNumber
    seats: Annotated[list[SeatWish], msgspec.Meta(min_length=1, max_length=1000)] | None = None
    clock: Clock = WhenReady()
    name: Title = ""
