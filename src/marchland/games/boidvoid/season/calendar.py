"""The jobs of a season's days and turns, as pure functions: a server only stores and triggers.

A job's key names its season or match and its date or turn. A settled key is not due again, so running the list twice
changes nothing, and missed days are caught up (ruling 21).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from datetime import UTC, date, datetime, timedelta
from typing import Any

from marchland.core.season_hooks import Job, SeasonState


def make_job(name: str, key: str) -> Job:
    """The job of that name; only `turn_end` ends the turn."""
    return Job(name, key, ends_turn=name == "turn_end")


def due_jobs(season: SeasonState, settled: Set[str], now: datetime) -> list[Job]:
    """The jobs that are due, in order: missed days one by one, then at most one turn end."""
    now = now.astimezone(UTC)
    jobs = [job for day in _days(season.since, now.date()) for job in _daily_jobs(season, day)]
    if season.start <= now.date() <= season.end:
        jobs += _turn_jobs(season, now)
    return [job for job in dict.fromkeys(jobs) if job.key not in settled]


def _days(first: date, last: date) -> Iterable[date]:
    return (first + timedelta(days=number) for number in range((last - first).days + 1))


def _daily_jobs(season: SeasonState, day: date) -> Iterator[Job]:
    """A season starts and ends on the first day on which jobs are listed; its last day is included (ruling 22)."""
    if season.end < day:
        yield _keyed_job("season_end", season.season, season.end.isoformat())
    elif season.start <= day:
        yield _keyed_job("season_start", season.season, season.start.isoformat())
        yield _keyed_job("daily_maintenance", season.season, day.isoformat())


def _turn_jobs(season: SeasonState, now: datetime) -> Iterator[Job]:
    """After downtime one turn ends, however many were missed."""
    yield _keyed_job("turn_start", season.match, str(season.turn))
    if turn_is_over(season, now):
        yield _keyed_job("turn_end", season.match, str(season.turn))
        yield _keyed_job("turn_start", season.match, str(season.turn + 1))
    elif is_locked(season, now):
        yield _keyed_job("turn_lock", season.match, str(season.turn))


def manual_job(name: str, season: SeasonState, now: datetime) -> Job:
    """A job that an organiser runs. Those of a turn and of the season's start keep their keys, so that none runs twice;
    maintenance and teams may be repeated, and a season may end before its last day."""
    if name in ("turn_start", "turn_lock", "turn_end"):
        return _keyed_job(name, season.match, str(season.turn))
    if name == "season_start":
        return _keyed_job(name, season.season, season.start.isoformat())
    return make_job(name, f"{name}/{season.match}/by hand {now.timestamp():.3f}")


def ended_turn_jobs(season: SeasonState, settled: Set[str]) -> list[Job]:
    """The turn ends that the match's own clock ran before the job was due."""
    jobs = (_keyed_job("turn_end", season.match, str(turn)) for turn in range(1, season.turn))
    return [job for job in jobs if job.key not in settled]


def _keyed_job(name: str, of: str, when: str) -> Job:
    return make_job(name, f"{name}/{of}/{when}")


def turn_is_over(season: SeasonState, now: datetime) -> bool:
    """Whether the turn has had its length."""
    return season.turn_began is not None and now >= season.turn_began + _turn_length(season)


def is_locked(season: SeasonState, now: datetime) -> bool:
    """Whether the turn is in its last part, in which actions are refused (ruling 6)."""
    open_percent = 100 - int(season.config.get("lock", 0))
    return season.turn_began is not None and now >= season.turn_began + _turn_length(season) * open_percent / 100


def _turn_length(season: SeasonState) -> timedelta:
    return timedelta(seconds=max(1, round(season.turn_length)))


def job_orders(job: str, players: Sequence[str], stakes: Mapping[str, int], now: datetime) -> list[dict[str, Any]]:
    """The host orders of a job, apart from those about NFTs."""
    if job == "season_end":
        return [{"do": "end_season"}]
    if job == "turn_lock":
        return [{"do": "lock"}]
    if job == "turn_end":
        return [clock_order(now)]
    if job == "season_start":
        return stake_orders(players, stakes) + charge_orders(range(len(players)))
    return stake_orders(players, stakes) if job == "daily_maintenance" else []


def stake_orders(players: Sequence[str], stakes: Mapping[str, int]) -> list[dict[str, Any]]:
    """Daily maintenance: "updated battery values based on the Boid API", as host orders."""
    return [
        {"do": "stake", "player": seat, "amount": stakes[name]} for seat, name in enumerate(players) if name in stakes
    ]


def charge_orders(seats: Iterable[int]) -> list[dict[str, Any]]:
    """Full batteries for ships that have not been on the map yet (ruling 9)."""
    return [{"do": "charge", "player": seat} for seat in seats]


def clock_order(now: datetime) -> dict[str, Any]:
    """The minute of the day, given before a turn ends so that automode periods count."""
    now = now.astimezone(UTC)
    return {"do": "clock", "minute": now.hour * 60 + now.minute}
