"""Seasons, their games and teams."""

import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from marchland.messages.clocks import Clock
from marchland.messages.matches import MatchCreate, SeatRequest
from marchland.messages.text import AccountRef, Name

TeamRole = Literal["leader", "vice", "trooper"]


class SeasonCreate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A season to be created: from the first day to the last, both included, in UTC; seasons must not overlap."""

    name: Name
    start: datetime.date
    end: datetime.date


class SeasonUpdate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Changes to a season."""

    name: Name | UnsetType = UNSET
    start: datetime.date | UnsetType = UNSET
    end: datetime.date | UnsetType = UNSET


class SeasonInfo(msgspec.Struct, frozen=True):
    """A season."""

    id: str
    name: str
    start: datetime.date
    end: datetime.date
    active: bool
    games: list[str]


class Member(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An account in a team, by id or name."""

    account: AccountRef
    role: TeamRole = "trooper"


class Team(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A team: one leader, at most one vice-leader, troopers."""

    name: Name
    members: Annotated[list[Member], msgspec.Meta(min_length=1)]


class SeasonTemplate(MatchCreate, frozen=True, forbid_unknown_fields=True):
    """The match of a season's game. It has a seat for every member of the teams, so that ``seats`` may be left out;
    without ``rules`` and ``clock`` it has those of a season."""

    seats: Annotated[list[SeatRequest], msgspec.Meta(max_length=1000)] = msgspec.field(default_factory=list)


class SeasonGameCreate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game of a season; its settings, map and clock are those of the template, its seats the teams' members."""

    name: Name
    template: SeasonTemplate
    teams: list[Team] = []


class SeasonGameUpdate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Changes to a game of a season. Once its match has started, only name and clock may change."""

    name: Name | UnsetType = UNSET
    template: SeasonTemplate | UnsetType = UNSET
    clock: Clock | UnsetType = UNSET
    """The clock of the match, from its next turn on."""


class SeasonGameInfo(msgspec.Struct, frozen=True):
    """A game of a season; its match starts with the season, as soon as it has teams."""

    id: str
    season: str
    name: str
    template: MatchCreate
    match: str | None
    teams: list[Team]
    names: dict[str, str]
    """The names of the members, by account."""
    notes: list[str] = []
    """What the running match could not take over of the teams yet, and why."""
