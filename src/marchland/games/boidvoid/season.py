"""Seasons and the jobs that run on their days, as pure functions over data: a server only stores and triggers.

A host keeps `Books`, asks `due` what is to be done now, tells each game the job's `orders_of`, and keeps what `settled`
makes of the books. A job is known by its name and its date or turn; one that is settled is not due again, so that
running the list twice changes nothing, and what was missed is caught up (ruling 21).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal

import msgspec

from marchland.errors import MarchlandError

JobName = Literal["season_start", "season_end", "daily_maintenance", "turn_lock", "turn_end", "turn_start"]


class SeasonError(MarchlandError):
    """A season that cannot be."""


class Season(msgspec.Struct, frozen=True):
    """From the first day to the last, both included, in UTC (ruling 22)."""

    name: str
    start: date
    end: date


class RunningGame(msgspec.Struct, frozen=True):
    """What the jobs must know of a game; its first turn begins when its season has started."""

    name: str
    season: str
    turn: int = 1
    turn_began: datetime | None = None
    turn_length: int = 3600
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


class Books(msgspec.Struct, frozen=True):
    """All that a host stores: seasons, games, the jobs that are settled, and the first day that may lack something."""

    since: date
    seasons: tuple[Season, ...] = ()
    games: tuple[RunningGame, ...] = ()
    settled: frozenset[str] = frozenset()

    def game(self, name: str) -> RunningGame:
        """The game of that name."""
        return next(game for game in self.games if game.name == name)


# ---------------------------------------------------------------- what is


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


def with_season(books: Books, new: Season) -> Books:
    """The books with a season more; from its first day on it is activated by itself."""
    return msgspec.structs.replace(books, seasons=(*books.seasons, checked(books.seasons, new)))


def with_game(books: Books, new: RunningGame) -> Books:
    """The books with a game more, of a season that they know."""
    if any(game.name == new.name for game in books.games):
        raise SeasonError(f"There is a game {new.name!r} already.")
    if all(season.name != new.season for season in books.seasons):
        raise SeasonError(f"There is no season {new.season!r}.")
    return msgspec.structs.replace(books, games=(*books.games, new))


def active(seasons: Iterable[Season], day: date) -> Season | None:
    """The season of that day."""
    return next((season for season in seasons if season.start <= day <= season.end), None)


def turn_is_over(game: RunningGame, now: datetime) -> bool:
    """Whether the turn has had its length; after downtime only one is ended, however many were missed."""
    return game.turn_began is not None and now >= game.turn_began + timedelta(seconds=game.turn_length)


def is_locked(game: RunningGame, now: datetime) -> bool:
    """Whether the turn is in its last part, in which actions are refused (ruling 6)."""
    open_for = timedelta(seconds=game.turn_length) * (100 - game.lock) / 100
    return game.turn_began is not None and now >= game.turn_began + open_for


# ---------------------------------------------------------------- what is to be done


def due(books: Books, now: datetime) -> list[Job]:
    """What is to be done now, in order: missed days one by one, then at most one turn end for each game."""
    now = now.astimezone(UTC)
    jobs = [job for day in _days(books.since, now.date()) for job in _daily(books.seasons, day)]
    season = active(books.seasons, now.date())
    for game in books.games:
        if season and game.season == season.name and not game.over:
            jobs += _turn_jobs(game, now)
    return [job for job in dict.fromkeys(jobs) if job.key not in books.settled]


def _days(first: date, last: date) -> Iterable[date]:
    return (first + timedelta(days=number) for number in range((last - first).days + 1))


def _daily(seasons: Sequence[Season], day: date) -> Iterator[Job]:
    """A season starts and ends on the first day on which anybody looks; its last day belongs to it."""
    for season in seasons:
        if season.end < day:
            yield Job("season_end", season.name, season.end.isoformat())
        elif season.start <= day:
            yield Job("season_start", season.name, season.start.isoformat())
            yield Job("daily_maintenance", season.name, day.isoformat())


def _turn_jobs(game: RunningGame, now: datetime) -> Iterator[Job]:
    yield Job("turn_start", game.name, str(game.turn))
    if turn_is_over(game, now):
        yield Job("turn_end", game.name, str(game.turn))
        yield Job("turn_start", game.name, str(game.turn + 1))
    elif is_locked(game, now):
        yield Job("turn_lock", game.name, str(game.turn))


def concerned(books: Books, job: Job) -> list[str]:
    """The names of the games that a job is about, those that are over left out."""
    of_season = job.name in ("season_start", "season_end", "daily_maintenance")
    return [game.name for game in books.games if not game.over and job.of == (game.season if of_season else game.name)]


def orders_of(job: Job, players: Sequence[str], stakes: Mapping[str, int], now: datetime) -> list[dict[str, Any]]:
    """What a job tells one game. After those of ``turn_end`` the host steps it, if it still is at that turn."""
    if job.name == "season_end":
        return [{"do": "end_season"}]
    if job.name == "turn_lock":
        return [{"do": "lock"}]
    if job.name == "turn_end":
        return [clock_order(now)]
    return maintenance_orders(players, stakes) if job.name == "daily_maintenance" else []


def maintenance_orders(players: Sequence[str], stakes: Mapping[str, int]) -> list[dict[str, Any]]:
    """Daily maintenance: "updated battery values based on the Boid API", as host orders."""
    return [
        {"do": "stake", "player": seat, "amount": stakes[name]} for seat, name in enumerate(players) if name in stakes
    ]


def clock_order(now: datetime) -> dict[str, Any]:
    """The minute of the day, told before a turn ends so that automode periods count."""
    now = now.astimezone(UTC)
    return {"do": "clock", "minute": now.hour * 60 + now.minute}


# ---------------------------------------------------------------- what was done


def settled(books: Books, job: Job, now: datetime, *, over: bool = False) -> Books:
    """The books after a job; ``over`` says that the game ended with it. Settling twice is settling once."""
    if job.key in books.settled:
        return books
    games = tuple(_after(game, job, now, over) for game in books.games)
    since = max(books.since, date.fromisoformat(job.when)) if job.name == "daily_maintenance" else books.since
    kept = {key for key in {*books.settled, job.key} if _still_counts(key, since, games)}
    return msgspec.structs.replace(books, games=games, since=since, settled=frozenset(kept))


def _after(game: RunningGame, job: Job, now: datetime, over: bool) -> RunningGame:
    if job.name == "season_end" and game.season == job.of:
        return msgspec.structs.replace(game, over=True)
    if job.of != game.name:
        return game
    if job.name == "turn_end" and str(game.turn) == job.when:
        return msgspec.structs.replace(after_turn(game, now), over=over)
    if job.name == "turn_start" and game.turn_began is None:
        return msgspec.structs.replace(game, turn_began=now)
    return game


def after_turn(game: RunningGame, now: datetime) -> RunningGame:
    """The game once its turn ended: the next starts at the hour it should; now, if a whole turn was missed or an admin
    ended this one early."""
    length = timedelta(seconds=game.turn_length)
    planned = (game.turn_began or now) + length
    on_time = planned <= now < planned + length
    return msgspec.structs.replace(game, turn=game.turn + 1, turn_began=planned if on_time else now)


def _still_counts(key: str, since: date, games: Sequence[RunningGame]) -> bool:
    """Whether `due` might name the job again: a day from ``since`` on, a season, the present turn of a game."""
    name, rest = key.split("/", 1)
    of, when = rest.rsplit("/", 1)
    if name == "daily_maintenance":
        return date.fromisoformat(when) >= since
    return name.startswith("season") or any(game.name == of and int(when) >= game.turn for game in games)
