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
    """How a round is scored: points by place, or the sum of a figure. ``ties`` break equal sums."""

    points: Annotated[tuple[Points, ...], msgspec.Meta(max_length=1000)] = (10, 8, 6, 5, 4, 3, 2, 1)
    """Points for each place; one less for every place beyond the last."""
    earned_by: Annotated[str, msgspec.Meta(max_length=40)] = ""
    """A place beyond the last gives 1 point if the player has any of this figure, else none."""
    figure: Annotated[str, msgspec.Meta(max_length=40)] = ""
    """Add up this figure instead of points."""
    ties: Annotated[tuple[Annotated[str, msgspec.Meta(max_length=40)], ...], msgspec.Meta(max_length=8)] = ()
    """Figures of which less is better; the first that differs decides."""


class RoundCreate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Matches by schedule for the players who register while the lobby is open. Final ones count for the standings."""

    name: Name
    template: MatchCreate
    """Its seats are for the organiser's bots; every registered player gets a further seat."""
    starts: Moment
    kind: Literal["test", "final"] = "test"
    lobby: Duration = 300.0
    """Seconds before the start during which players may register."""
    runs: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = 1
    """The number of runs; 0 for no limit."""
    every: Annotated[float, msgspec.Meta(ge=1, le=86_400 * 366)] | None = None
    """Seconds from start to start; by default the lobby of the next run opens ``pause`` after the end of the last."""
    pause: Duration = 300.0
    scoring: Scoring | None = None
    """By default the game's own."""
    maps: Annotated[tuple[Any, ...], msgspec.Meta(max_length=100)] = ()
    """Runs use these in turn; by default the game's maps for final rounds, else the template's map."""


class RoundUpdate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Changes to a round. After its first run, template, maps, kind and scoring can no longer change."""

    name: Name | UnsetType = UNSET
    template: MatchCreate | UnsetType = UNSET
    starts: Moment | UnsetType = UNSET
    """The start of the next run, while its lobby is open."""
    kind: Literal["test", "final"] | UnsetType = UNSET
    lobby: Duration | UnsetType = UNSET
    runs: Annotated[int, msgspec.Meta(ge=0, le=100_000)] | UnsetType = UNSET
    every: Annotated[float, msgspec.Meta(ge=1, le=86_400 * 366)] | UnsetType | None = UNSET
    pause: Duration | UnsetType = UNSET
    scoring: Scoring | UnsetType = UNSET
    maps: Annotated[tuple[Any, ...], msgspec.Meta(max_length=100)] | UnsetType = UNSET
    open: bool | UnsetType = UNSET
    """A closed round plans no further run; a reopened one continues."""


class RunInfo(msgspec.Struct, frozen=True):
    """One run of a round: lobby, running, over; or empty if too few players had registered."""

    number: int
    opens: float
    starts: float
    state: RunState
    registered: int
    match: str | None = None


class RoundInfo(msgspec.Struct, frozen=True):
    """The public facts of a round."""

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
    """The current or next run; None after the last."""


class Registration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Register for the next run of a round, under this name or the account's."""

    name: Nickname = ""


class Registered(msgspec.Struct, frozen=True):
    """A registration for a run of a round."""

    round: str
    number: int
    name: str
    starts: float


class RoundStanding(msgspec.Struct, frozen=True):
    """One account's place over all runs that count."""

    place: int
    account: str | None
    name: str
    points: int
    played: int
    figures: dict[str, int]
