"""SQL of rounds: their runs, registrations and results."""

import time
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, and_, exists, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from marchland.errors import Refused
from marchland.messages import RoundCreate
from marchland.server.names import check_distinct
from marchland.store.ids import new_id
from marchland.store.schema import matches, registrations, results, rounds, runs
from marchland.store.upsert import insert_or_ignore


class RoundRow(NamedTuple):
    """A stored round."""

    id: str
    request: RoundCreate
    open: bool


class RoundRun(NamedTuple):
    """One run of a round: a lobby, then a match."""

    round: str
    number: int
    starts: float
    state: Any
    match: str | None


class Entrant(NamedTuple):
    """A registered account."""

    account: str
    name: str


class SeatResult(NamedTuple):
    """The result of one seat in one run."""

    run: int
    account: str | None
    name: str
    place: int
    figures: dict[str, int]


def _is_on() -> ColumnElement[bool]:
    """Whether a run in its lobby will be played: its round is open, or was closed after players had registered."""
    entrant = (registrations.c.round == runs.c.round) & (registrations.c.number == runs.c.number)
    return and_(runs.c.state == "lobby", or_(rounds.c.open, exists().where(entrant)))


def insert_round(connection: Connection, request: RoundCreate) -> RoundRow:
    """Insert a round and its first run."""
    row = RoundRow(new_id(), request, True)
    _check_name(connection, row)
    try:
        with connection.begin_nested():
            connection.execute(
                insert(rounds).values(
                    id=row.id,
                    name=request.name,
                    kind=request.kind,
                    body=msgspec.json.encode(request),
                    open=True,
                    created=time.time(),
                )
            )
    except IntegrityError:
        raise Refused("name_taken", "round_name_taken", round=request.name) from None
    insert_run(connection, RoundRun(row.id, 0, request.starts, "lobby", None))
    return row


def _check_name(connection: Connection, row: RoundRow) -> None:
    others = select(rounds.c.name).where(rounds.c.id != row.id)
    check_distinct(row.request.name, connection.execute(others).scalars().all(), "round")


def find_round(connection: Connection, round: str) -> RoundRow:
    """One round, by id or name; refused if there is none."""
    row = connection.execute(select(rounds).where((rounds.c.id == round) | (rounds.c.name == round))).first()
    if row is None:
        raise Refused("not_found", "no_such_round", round=round)
    return _row(row)


def list_rounds(connection: Connection) -> list[RoundRow]:
    """All rounds, the newest first."""
    return [_row(row) for row in connection.execute(select(rounds).order_by(rounds.c.created.desc()))]


def update_round(connection: Connection, row: RoundRow) -> None:
    """Store a changed round; refused if another has its name."""
    request = row.request
    values = {"name": request.name, "kind": request.kind, "body": msgspec.json.encode(request), "open": row.open}
    _check_name(connection, row)
    try:
        with connection.begin_nested():
            connection.execute(update(rounds).where(rounds.c.id == row.id).values(**values))
    except IntegrityError:
        raise Refused("name_taken", "round_name_taken", round=request.name) from None


def set_start(connection: Connection, run: RoundRun, starts: float) -> None:
    """Move the start of a run."""
    connection.execute(update(runs).where(runs.c.round == run.round, runs.c.number == run.number).values(starts=starts))


def close_round(connection: Connection, round: str) -> None:
    """Plan no further runs; one with registered players is still played."""
    connection.execute(update(rounds).where(rounds.c.id == round).values(open=False))


def insert_run(connection: Connection, run: RoundRun) -> None:
    """Add a run; one of the same number stays as it is."""
    insert_or_ignore(connection, runs, run._asdict())


def last_run(connection: Connection, round: str) -> RoundRun | None:
    """The run with the highest number."""
    row = connection.execute(select(runs).where(runs.c.round == round).order_by(runs.c.number.desc()).limit(1)).first()
    return None if row is None else RoundRun(*row)


def list_runs(connection: Connection, round: str) -> list[RoundRun]:
    """All runs of a round."""
    query = select(runs).where(runs.c.round == round).order_by(runs.c.number)
    return [RoundRun(*row) for row in connection.execute(query)]


def update_run(connection: Connection, run: RoundRun, state: str, match: str | None = None) -> bool:
    """Compare and set the state of a run: False if it is no longer that of ``run``."""
    changed = connection.execute(
        update(runs)
        .where(runs.c.round == run.round, runs.c.number == run.number, runs.c.state == run.state)
        .values(state=state, match=match if match is not None else run.match)
    )
    return changed.rowcount == 1


def insert_registration(connection: Connection, run: RoundRun, entrant: Entrant) -> Entrant:
    """Register an account for a run; idempotent: a second registration returns the first."""
    registered = next((other for other in list_entrants(connection, run) if other.account == entrant.account), None)
    if registered is not None:
        return registered
    connection.execute(
        insert(registrations).values(round=run.round, number=run.number, at=time.time(), **entrant._asdict())
    )
    return entrant


def list_entrants(connection: Connection, run: RoundRun) -> list[Entrant]:
    """The registered accounts of a run, in the order of registration."""
    query = (
        select(registrations.c.account, registrations.c.name)
        .where(registrations.c.round == run.round, registrations.c.number == run.number)
        .order_by(registrations.c.at, registrations.c.account)
    )
    return [Entrant(*row) for row in connection.execute(query)]


def entrants_of_match(connection: Connection, match: str) -> dict[str, str]:
    """The accounts that are registered for a match, with their names in it."""
    query = (
        select(registrations.c.account, registrations.c.name)
        .join(runs, (registrations.c.round == runs.c.round) & (registrations.c.number == runs.c.number))
        .where(runs.c.match == match)
    )
    return {row.account: row.name for row in connection.execute(query)}


def count_registered(connection: Connection, run: RoundRun) -> int:
    """The number of registrations of a run."""
    query = select(func.count()).where(registrations.c.round == run.round, registrations.c.number == run.number)
    return int(connection.execute(query).scalar_one())


def running_matches(connection: Connection) -> set[str]:
    """The matches of rounds that have not ended."""
    return set(connection.execute(select(runs.c.match).where(runs.c.state == "running")).scalars()) - {None}


def list_upcoming_runs(connection: Connection, kind: str) -> list[tuple[RoundRow, RoundRun]]:
    """The running and planned runs of rounds of a kind, the earliest first."""
    over = matches.c.state.in_(("over", "broken"))
    query = (
        select(rounds, runs)
        .join(runs, runs.c.round == rounds.c.id)
        .outerjoin(matches, matches.c.id == runs.c.match)
        .where(rounds.c.kind == kind, or_(runs.c.state == "running", _is_on()))
        .where(or_(matches.c.id.is_(None), ~over))
        .order_by(runs.c.starts, runs.c.round)
    )
    return [(_row(row), _run(row)) for row in connection.execute(query)]


def list_due_runs(connection: Connection, now: float) -> list[tuple[RoundRow, RoundRun]]:
    """The runs that may need a step: running ones, and those whose start has come."""
    starts = and_(_is_on(), runs.c.starts <= now)
    query = (
        select(rounds, runs)
        .join(runs, runs.c.round == rounds.c.id)
        .where(or_(runs.c.state == "running", starts))
        .order_by(runs.c.starts, runs.c.round)
    )
    return [(_row(row), _run(row)) for row in connection.execute(query)]


def list_finished_runs(connection: Connection, kind: str, most: int) -> list[tuple[RoundRow, RoundRun, float]]:
    """The finished runs of rounds of a kind with their ends, the latest first."""
    query = (
        select(rounds, runs, matches.c.ended)
        .join(runs, runs.c.round == rounds.c.id)
        .join(matches, matches.c.id == runs.c.match)
        .where(rounds.c.kind == kind, matches.c.ended.is_not(None))
        .order_by(runs.c.starts.desc())
        .limit(most)
    )
    return [(_row(row), _run(row), row.ended) for row in connection.execute(query)]


def last_match(connection: Connection, kind: str, game: str, account: str) -> str | None:
    """The latest match of a game into which rounds of a kind have brought an account."""
    query = (
        select(runs.c.match)
        .join(rounds, rounds.c.id == runs.c.round)
        .join(matches, matches.c.id == runs.c.match)
        .join(registrations, (registrations.c.round == runs.c.round) & (registrations.c.number == runs.c.number))
        .where(rounds.c.kind == kind, matches.c.game == game, registrations.c.account == account)
        .order_by(runs.c.starts.desc())
        .limit(1)
    )
    return connection.execute(query).scalar()


def end_of_match(connection: Connection, run: RoundRun) -> float | None:
    """When the match of a run ended; None while it runs. A deleted match has ended."""
    row = connection.execute(select(matches.c.state, matches.c.ended).where(matches.c.id == run.match)).first()
    if row is None:
        return time.time()
    return (row.ended or time.time()) if row.state in ("over", "broken") else None


def list_results(connection: Connection, round: str) -> list[SeatResult]:
    """The results of all seats in the finished runs of a round."""
    query = (
        select(runs.c.number, results)
        .join(results, results.c.match == runs.c.match)
        .where(runs.c.round == round)
        .order_by(runs.c.number, results.c.place, results.c.seat)
    )
    return [
        SeatResult(row.number, row.account, row.name, row.place, msgspec.json.decode(row.figures))
        for row in connection.execute(query)
    ]


def _run(row: Row[Any]) -> RoundRun:
    return RoundRun(row.round, row.number, row.starts, row.state, row.match)


def _row(row: Row[Any]) -> RoundRow:
    return RoundRow(row.id, msgspec.json.decode(row.body, type=RoundCreate), row.open)
