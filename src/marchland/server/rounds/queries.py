"""Rounds in the database: their playings, who is registered, what counts."""

import time
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Row, and_, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from marchland.errors import Refused
from marchland.messages import NewRound
from marchland.server.accounts.queries import new_id
from marchland.store.schema import matches, registrations, results, rounds, runs
from marchland.store.upsert import insert_or_ignore


class RoundRow(NamedTuple):
    """A round as it is kept."""

    id: str
    wish: NewRound
    open: bool


class Run(NamedTuple):
    """One playing of a round."""

    round: str
    number: int
    starts: float
    state: Any
    match: str | None


class Entrant(NamedTuple):
    """Somebody who is registered."""

    account: str
    name: str


class Figures(NamedTuple):
    """What one seat achieved in one playing."""

    run: int
    account: str | None
    name: str
    place: int
    figures: dict[str, int]


def create(connection: Connection, wish: NewRound) -> RoundRow:
    """A new round; its first playing is planned with it."""
    made = RoundRow(new_id(), wish, True)
    try:
        with connection.begin_nested():
            connection.execute(
                insert(rounds).values(
                    id=made.id,
                    name=wish.name,
                    kind=wish.kind,
                    body=msgspec.json.encode(wish),
                    open=True,
                    created=time.time(),
                )
            )
    except IntegrityError:
        raise Refused("name_taken", f"There is a round {wish.name!r} already.") from None
    plan(connection, Run(made.id, 0, wish.starts, "lobby", None))
    return made


def find(connection: Connection, round: str) -> RoundRow:
    """One round, by id or name; refused if there is none."""
    row = connection.execute(select(rounds).where((rounds.c.id == round) | (rounds.c.name == round))).first()
    if row is None:
        raise Refused("not_found", f"There is no round {round!r}.")
    return _row(row)


def listed(connection: Connection) -> list[RoundRow]:
    """All rounds, the newest first."""
    return [_row(row) for row in connection.execute(select(rounds).order_by(rounds.c.created.desc()))]


def change(connection: Connection, row: RoundRow) -> None:
    """Keep what a round is to be from now on; refused if another has its name."""
    values = {"name": row.wish.name, "kind": row.wish.kind, "body": msgspec.json.encode(row.wish), "open": row.open}
    try:
        with connection.begin_nested():
            connection.execute(update(rounds).where(rounds.c.id == row.id).values(**values))
    except IntegrityError:
        raise Refused("name_taken", f"There is a round {row.wish.name!r} already.") from None


def postpone(connection: Connection, run: Run, starts: float) -> None:
    """Have a playing start at another time."""
    connection.execute(update(runs).where(runs.c.round == run.round, runs.c.number == run.number).values(starts=starts))


def close(connection: Connection, round: str) -> None:
    """Plan no further playings."""
    connection.execute(update(rounds).where(rounds.c.id == round).values(open=False))


def plan(connection: Connection, run: Run) -> None:
    """Add a playing; one that is planned already stays as it is."""
    insert_or_ignore(connection, runs, run._asdict())


def last_run(connection: Connection, round: str) -> Run | None:
    """The latest playing that is planned."""
    row = connection.execute(select(runs).where(runs.c.round == round).order_by(runs.c.number.desc()).limit(1)).first()
    return None if row is None else Run(*row)


def runs_of(connection: Connection, round: str) -> list[Run]:
    """All playings of a round."""
    query = select(runs).where(runs.c.round == round).order_by(runs.c.number)
    return [Run(*row) for row in connection.execute(query)]


def change_run(connection: Connection, run: Run, state: str, match: str | None = None) -> bool:
    """Move a playing on, if it still stands as ``run`` says; False if somebody was quicker."""
    changed = connection.execute(
        update(runs)
        .where(runs.c.round == run.round, runs.c.number == run.number, runs.c.state == run.state)
        .values(state=state, match=match if match is not None else run.match)
    )
    return changed.rowcount == 1


def register(connection: Connection, run: Run, entrant: Entrant) -> Entrant:
    """Register for a playing; whoever is registered stays so under the first name."""
    known = next((one for one in entrants(connection, run) if one.account == entrant.account), None)
    if known is not None:
        return known
    connection.execute(
        insert(registrations).values(round=run.round, number=run.number, at=time.time(), **entrant._asdict())
    )
    return entrant


def entrants(connection: Connection, run: Run) -> list[Entrant]:
    """Who is registered for a playing, in the order of registration."""
    query = (
        select(registrations.c.account, registrations.c.name)
        .where(registrations.c.round == run.round, registrations.c.number == run.number)
        .order_by(registrations.c.at, registrations.c.account)
    )
    return [Entrant(*row) for row in connection.execute(query)]


def registered(connection: Connection, run: Run) -> int:
    """How many are registered."""
    query = select(func.count()).where(registrations.c.round == run.round, registrations.c.number == run.number)
    return int(connection.execute(query).scalar_one())


def playing(connection: Connection) -> set[str]:
    """The matches of rounds that have not ended."""
    return set(connection.execute(select(runs.c.match).where(runs.c.state == "running")).scalars()) - {None}


def coming(connection: Connection, kind: str) -> list[tuple[RoundRow, Run]]:
    """The playings of rounds of a kind that are on or are planned, the earliest first."""
    over = matches.c.state.in_(("over", "broken"))
    query = (
        select(rounds, runs)
        .join(runs, runs.c.round == rounds.c.id)
        .outerjoin(matches, matches.c.id == runs.c.match)
        .where(rounds.c.kind == kind, or_(runs.c.state == "running", and_(runs.c.state == "lobby", rounds.c.open)))
        .where(or_(matches.c.id.is_(None), ~over))
        .order_by(runs.c.starts, runs.c.round)
    )
    return [(_row(row), _run(row)) for row in connection.execute(query)]


def due(connection: Connection, now: float) -> list[tuple[RoundRow, Run]]:
    """The playings that may have something to do: those that are on, and those whose start has come."""
    starts = and_(runs.c.state == "lobby", rounds.c.open, runs.c.starts <= now)
    query = (
        select(rounds, runs)
        .join(runs, runs.c.round == rounds.c.id)
        .where(or_(runs.c.state == "running", starts))
        .order_by(runs.c.starts, runs.c.round)
    )
    return [(_row(row), _run(row)) for row in connection.execute(query)]


def played(connection: Connection, kind: str, most: int) -> list[tuple[RoundRow, Run, float]]:
    """The playings of rounds of a kind that are over, each with its end, the latest first."""
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


def ended(connection: Connection, run: Run) -> float | None:
    """When the match of a playing ended, None while it runs; a match that is gone has ended."""
    row = connection.execute(select(matches.c.state, matches.c.ended).where(matches.c.id == run.match)).first()
    if row is None:
        return time.time()
    return (row.ended or time.time()) if row.state in ("over", "broken") else None


def figures(connection: Connection, round: str) -> list[Figures]:
    """What everybody achieved in the playings that are over."""
    query = (
        select(runs.c.number, results)
        .join(results, results.c.match == runs.c.match)
        .where(runs.c.round == round)
        .order_by(runs.c.number, results.c.place, results.c.seat)
    )
    return [
        Figures(row.number, row.account, row.name, row.place, msgspec.json.decode(row.figures))
        for row in connection.execute(query)
    ]


def _run(row: Row[Any]) -> Run:
    return Run(row.round, row.number, row.starts, row.state, row.match)


def _row(row: Row[Any]) -> RoundRow:
    return RoundRow(row.id, msgspec.json.decode(row.body, type=NewRound), row.open)
