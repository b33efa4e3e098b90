"""Seasons and the jobs that run on their days, as pure functions over data: a server only stores and triggers.

Every job has a key made of its name and its date or turn. A host keeps the keys of the jobs that are done; a job whose
key is known is not due, so that running the list twice changes nothing (ruling 21).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal

import msgspec

from marchland.errors import MarchlandError

JobName = Literal["season_start", "season_end", "daily_maintenance", "turn_end", "turn_start"]


class SeasonError(MarchlandError):
    """A season that cannot be."""


class Season(msgspec.Struct, frozen=True):
    """From the first day to the last, both included, in UTC (ruling 22)."""

    name: str
    start: date
    end: date


class RunningGame(msgspec.Struct, frozen=True):
    """What the jobs must know of a game."""

    name: str
    season: str
    turn: int
    turn_began: datetime
    turn_length: int
    lock: int = 5
    over: bool = False


class Job(msgspec.Struct, frozen=True, order=True):
    """One thing to do: for a season or a game, on a day or at a turn."""

    name: JobName
    of: str
    when: str

    @property
    def key(self) -> str:
        """What tells this job from every other."""
        return f"{self.name}/{self.of}/{self.when}"


def checked(seasons: Sequence[Season], new: Season) -> Season:
    """The new season, refused if it ends before it starts or overlaps another."""
    if new.end < new.start:
        raise SeasonError(f"The season {new.name!r} ends before it starts.")
    for other in seasons:
        if other.name == new.name:
            raise SeasonError(f"There is a season {new.name!r} already.")
        if new.start <= other.end and other.start <= new.end:
            raise SeasonError(f"The season {new.name!r} overlaps {other.name!r}, {other.start} to {other.end}.")
    return new


def active(seasons: Iterable[Season], day: date) -> Season | None:
    """The season of that day."""
    return next((season for season in seasons if season.start <= day <= season.end), None)


def due(
    seasons: Sequence[Season], games: Sequence[RunningGame], done: Collection[str], since: date, now: datetime
) -> list[Job]:
    """What is to be done now, in order: missed days one by one since ``since``, then one turn end for each game."""
    now = now.astimezone(UTC)
    jobs = [job for day in _days(since, now.date()) for job in _daily(seasons, day)]
    ended = {season.name for season in seasons if season.end < now.date()}
    for game in games:
        if not game.over and game.season not in ended and turn_is_over(game, now):
            jobs += [Job("turn_end", game.name, str(game.turn)), Job("turn_start", game.name, str(game.turn + 1))]
    return [job for job in jobs if job.key not in done]


def _days(first: date, last: date) -> Iterable[date]:
    return (first + timedelta(days=number) for number in range((last - first).days + 1))


def _daily(seasons: Sequence[Season], day: date) -> Iterable[Job]:
    for season in seasons:
        if season.start == day:
            yield Job("season_start", season.name, day.isoformat())
        if season.end == day - timedelta(days=1):  # its last day is over
            yield Job("season_end", season.name, season.end.isoformat())
    if active(seasons, day):
        yield Job("daily_maintenance", "stakes", day.isoformat())


def turn_is_over(game: RunningGame, now: datetime) -> bool:
    """Whether the turn has had its length; after downtime only one is ended, however many were missed."""
    return now >= game.turn_began + timedelta(seconds=game.turn_length)


def is_locked(game: RunningGame, now: datetime) -> bool:
    """Whether the turn is in its last part, in which actions are refused (ruling 6)."""
    return now >= game.turn_began + timedelta(seconds=game.turn_length * (100 - game.lock) / 100)


def after_turn(game: RunningGame, now: datetime) -> RunningGame:
    """The game once its turn ended: the next turn starts at the hour it should, or now if that has passed."""
    planned = game.turn_began + timedelta(seconds=game.turn_length)
    late = now >= planned + timedelta(seconds=game.turn_length)
    return msgspec.structs.replace(game, turn=game.turn + 1, turn_began=now if late else planned)


def maintenance_orders(players: Sequence[str], stakes: Mapping[str, int]) -> list[dict[str, Any]]:
    """Daily maintenance: "updated battery values based on the Boid API", as host orders."""
    return [
        {"do": "stake", "player": seat, "amount": stakes[name]} for seat, name in enumerate(players) if name in stakes
    ]


def clock_order(now: datetime) -> dict[str, Any]:
    """The minute of the day, told before a turn ends so that automode periods count."""
    now = now.astimezone(UTC)
    return {"do": "clock", "minute": now.hour * 60 + now.minute}


def orders_of(job: Job, players: Sequence[str], stakes: Mapping[str, int], now: datetime) -> list[dict[str, Any]]:
    """What a job tells one game; after ``turn_end``'s orders the host steps it."""
    if job.name == "season_end":
        return [{"do": "end_season"}]
    if job.name == "daily_maintenance":
        return maintenance_orders(players, stakes)
    return [clock_order(now)] if job.name == "turn_end" else []
