"""Rounds: matches by schedule, with standings."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from marchland.messages.matches import MatchCreate
from marchland.messages.text import Duration, Name, Nickname

Moment = Annotated[float, msgspec.Meta(ge=0, le=1e11)]
"""Seconds since 1970."""
Points = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
RunState = Literal["lobby", "running", "over", "empty"]


class Scoring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a round is worth: points by place, or the sum of a figure. ``ties`` decides between equal sums."""

    points: Annotated[tuple[Points, ...], msgspec.Meta(max_length=1000)] = (10, 8, 6, 5, 4, 3, 2, 1)
    """For each place; one less for every place beyond the last."""
    earned_by: Annotated[str, msgspec.Meta(max_length=40)] = ""
    """A place beyond the last still gives 1 point to a player with any of this figure; nothing without it."""
    figure: Annotated[str, msgspec.Meta(max_length=40)] = ""
    """Add up this figure instead of points."""
    ties: Annotated[tuple[Annotated[str, msgspec.Meta(max_length=40)], ...], msgspec.Meta(max_length=8)] = ()
    """Figures of which fewer are better, the first that differs decides."""


class RoundCreate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Matches by schedule for the players who register while the lobby is open. Final ones count for the standings."""

    name: Name
    template: MatchCreate
    """Its seats are those of the organiser's own bots; everybody registered gets one more."""
    starts: Moment
    kind: Literal["test", "final"] = "test"
    lobby: Duration = 300.0
    """How long before its start one may register."""
    runs: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = 1
    """How many times it is played; 0 without end."""
    every: Annotated[float, msgspec.Meta(ge=1, le=86_400 * 366)] | None = None
    """Seconds from start to start; without it the lobby of the next opens a pause after the last one's end."""
    pause: Duration = 300.0
    scoring: Scoring | None = None
    """The game's own if left out."""
    maps: Annotated[tuple[Any, ...], msgspec.Meta(max_length=100)] = ()
    """Playings use these in turn; without any, those of a final round that the game names, else the template's."""


class RoundUpdate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be different in a round. Once it was played, what it is played with and what it is worth stay."""

    name: Name | UnsetType = UNSET
    template: MatchCreate | UnsetType = UNSET
    starts: Moment | UnsetType = UNSET
    """When the next playing starts, while its lobby lasts."""
    kind: Literal["test", "final"] | UnsetType = UNSET
    lobby: Duration | UnsetType = UNSET
    runs: Annotated[int, msgspec.Meta(ge=0, le=100_000)] | UnsetType = UNSET
    every: Annotated[float, msgspec.Meta(ge=1, le=86_400 * 366)] | UnsetType | None = UNSET
    pause: Duration | UnsetType = UNSET
    scoring: Scoring | UnsetType = UNSET
    maps: Annotated[tuple[Any, ...], msgspec.Meta(max_length=100)] | UnsetType = UNSET
    open: bool | UnsetType = UNSET
    """A round that is not open plans no further playing; one that is opened again goes on."""


class RunInfo(msgspec.Struct, frozen=True):
    """One playing of a round: its lobby opens, it starts, it is over; empty if too few had registered."""

    number: int
    opens: float
    starts: float
    state: RunState
    registered: int
    match: str | None = None


class RoundInfo(msgspec.Struct, frozen=True):
    """A round as everybody may see it."""

    id: str
    name: str
    kind: Literal["test", "final"]
    game: str
    template: MatchCreate
    starts: float
    lobby: float
    pause: float
    every: float | None
    runs: int
    scoring: Scoring
    maps: tuple[Any, ...]
    open: bool
    now: float
    current: RunInfo | None
    """The one that is on or comes next; None after the last."""


class Registration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Take part in the next match of a round, under this name or the account's."""

    name: Nickname = ""


class Registered(msgspec.Struct, frozen=True):
    """Who is registered for which playing of a round."""

    round: str
    number: int
    name: str
    starts: float


class RoundStanding(msgspec.Struct, frozen=True):
    """One account's place over all playings that count."""

    place: int
    account: str | None
    name: str
    points: int
    played: int
    figures: dict[str, int]
