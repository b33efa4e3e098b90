"""Matches in the database: made, started, claimed by a node, found, taken up again."""

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Row, and_, delete, func, insert, or_, select, update

from marchland.match import Entry
from marchland.messages import Clock, NewMatch, Outcome, SeatInfo
from marchland.store.database import database_now
from marchland.store.match_log import entry_of
from marchland.store.schema import entries, leases, matches, posts, results, seats, snapshots
from marchland.store.snapshots import Found, latest, save_piece, split

_json = msgspec.json


class MatchRow(msgspec.Struct, frozen=True):
    """What the database knows of a match besides its turns."""

    id: str
    game: str
    name: str
    state: Any
    wish: NewMatch
    config: dict[str, Any]
    creator: str | None
    room: str | None
    forked_from: str | None
    password: bytes | None
    created: float
    started: float | None
    ended: float | None
    open_turn: int
    closes: float | None
    entries: int
    outcome: Outcome | None
    owner: str | None
    epoch: int
    seats: list[SeatInfo]

    @property
    def clock(self) -> Clock:
        """When its turns end."""
        return self.wish.clock


class TakenUp(NamedTuple):
    """All that is needed to go on with a match."""

    row: MatchRow
    state: Found
    entries: list[Entry]


def create(connection: Connection, row: MatchRow) -> None:
    """Add a match that has not started."""
    connection.execute(
        insert(matches).values(
            id=row.id,
            game=row.game,
            name=row.name,
            state=row.state,
            made_from=_without_map(row.wish),
            map=None if row.wish.map is None else _json.encode(row.wish.map),
            config=_json.encode(row.config),
            creator=row.creator,
            room=row.room,
            forked_from=row.forked_from,
            password=row.password,
            created=row.created,
            open_turn=row.open_turn,
        )
    )
    connection.execute(insert(seats), [_seat_values(row.id, seat) for seat in row.seats])


def state_of(connection: Connection, match: str) -> str | None:
    """The word for how a match stands; None if there is none."""
    return connection.execute(select(matches.c.state).where(matches.c.id == match)).scalar()


def start(connection: Connection, match: str, turn: int, snapshot: bytes, sitting: Sequence[SeatInfo]) -> bool:
    """Begin a match with its first state; False if it has begun already."""
    changed = connection.execute(
        update(matches)
        .where(matches.c.id == match, matches.c.state == "lobby")
        .values(state="running", started=time.time(), open_turn=turn)
    )
    if changed.rowcount != 1:
        return False
    for piece in split(match, 0, turn, snapshot):
        save_piece(piece)(connection)
    save_seats(connection, match, sitting)
    return True


def add_seat(connection: Connection, match: str, seat: SeatInfo) -> None:
    """Add a late joiner's seat."""
    connection.execute(insert(seats).values(**_seat_values(match, seat)))


def unfinished(connection: Connection, creator: str) -> int:
    """How many matches of an account have not ended."""
    query = select(func.count()).where(matches.c.creator == creator, matches.c.state.in_(("lobby", "running")))
    return int(connection.execute(query).scalar_one())


def seats_of(connection: Connection, match: str) -> list[SeatInfo]:
    """Who sits where."""
    rows = connection.execute(select(seats).where(seats.c.match == match).order_by(seats.c.seat))
    return [_seat_info(row) for row in rows]


def save_seats(connection: Connection, match: str, sitting: Sequence[SeatInfo]) -> None:
    """Replace the seats of a match."""
    connection.execute(delete(seats).where(seats.c.match == match))
    connection.execute(insert(seats), [_seat_values(match, seat) for seat in sitting])


def set_clock(connection: Connection, match: str, wish: NewMatch) -> None:
    """Keep the wish of a match, whose clock has changed."""
    connection.execute(update(matches).where(matches.c.id == match).values(made_from=_without_map(wish)))


def break_off(connection: Connection, match: str, node: str) -> None:
    """Say that a match cannot go on, if ``node`` still owns it."""
    mine = and_(matches.c.id == match, matches.c.owner == node)
    connection.execute(update(matches).where(mine).values(state="broken", ended=time.time()))


def remove(connection: Connection, match: str) -> bool:
    """Forget a match and everything about it; False if there is none. Its forks are those of what it came from."""
    origin = select(matches.c.forked_from).where(matches.c.id == match)
    before = connection.execute(origin).scalar()
    connection.execute(update(matches).where(matches.c.forked_from == match).values(forked_from=before))
    if connection.execute(delete(matches).where(matches.c.id == match)).rowcount != 1:
        return False
    for table in (posts, entries, snapshots, results, seats):
        connection.execute(delete(table).where(table.c.match == match))
    return True


def claim(connection: Connection, match: str, node: str, lease: float) -> int | None:
    """Make ``node`` the owner of a running match for ``lease`` seconds; its epoch, or None if another holds it."""
    now = database_now(connection)
    changed = connection.execute(
        update(matches)
        .where(matches.c.id == match, matches.c.state == "running", _free(node, now))
        .values(owner=node, epoch=matches.c.epoch + 1, lease=now + lease)
    )
    if changed.rowcount != 1:
        return None
    return int(connection.execute(select(matches.c.epoch).where(matches.c.id == match)).scalar_one())


def claimable(connection: Connection, node: str) -> list[str]:
    """The running matches that nobody owns."""
    now = database_now(connection)
    mine = matches.c.owner.is_distinct_from(node)
    query = select(matches.c.id).where(matches.c.state == "running", _free(node, now), mine)
    return list(connection.execute(query).scalars())


def ready_seats(connection: Connection, of: Sequence[str]) -> list[tuple[str, int, int]]:
    """Which seats of these matches are ready in the open turn, whichever node they have told: match, turn, seat."""
    query = (
        select(posts.c.match, posts.c.turn, posts.c.seat)
        .join(matches, and_(matches.c.id == posts.c.match, matches.c.open_turn == posts.c.turn))
        .where(posts.c.match.in_(of), posts.c.ready)
    )
    return [(row.match, row.turn, row.seat) for row in connection.execute(query)]


def renew(connection: Connection, node: str, lease: float) -> set[str]:
    """Hold on to everything that ``node`` owns; returns what that is."""
    now = database_now(connection)
    connection.execute(
        update(matches).where(matches.c.owner == node, matches.c.state == "running").values(lease=now + lease)
    )
    return set(
        connection.execute(select(matches.c.id).where(matches.c.owner == node, matches.c.state == "running")).scalars()
    )


def let_go(connection: Connection, node: str) -> None:
    """Give up everything that ``node`` owns, so that another may take it at once."""
    connection.execute(update(matches).where(matches.c.owner == node).values(owner=None, lease=0.0))


def free_all(connection: Connection) -> None:
    """Nobody owns anything: for a database that only one server can use."""
    connection.execute(update(matches).values(owner=None, lease=0.0))
    connection.execute(delete(leases))


def _free(node: str, now: float) -> Any:
    return or_(matches.c.owner.is_(None), matches.c.owner == node, matches.c.lease < now)


def find(connection: Connection, match: str) -> MatchRow | None:
    """One match."""
    found = list(_rows(connection, select(matches).where(matches.c.id == match)))
    return found[0] if found else None


def unfinished_line(connection: Connection, match: str) -> list[MatchRow]:
    """A match and those that it was forked from, as far as they are not over."""
    link = select(matches.c.id, matches.c.forked_from)
    line = link.where(matches.c.id == match).cte(recursive=True)
    line = line.union(link.where(matches.c.id == line.c.forked_from))
    return _rows(connection, select(matches).where(matches.c.id.in_(select(line.c.id)), matches.c.state != "over"))


def listed(
    connection: Connection,
    *,
    state: str | None = None,
    game: str | None = None,
    room: str | None = None,
    before: float | None = None,
    limit: int = 50,
) -> list[MatchRow]:
    """Matches, the newest first; not with their maps."""
    columns = [column for column in matches.c if column is not matches.c.map]
    query = select(*columns).order_by(matches.c.created.desc()).limit(limit)
    for column, value in ((matches.c.state, state), (matches.c.game, game), (matches.c.room, room)):
        if value is not None:
            query = query.where(column == value)
    if before is not None:
        query = query.where(matches.c.created < before)
    return _rows(connection, query)


def several(connection: Connection, ids: Sequence[str]) -> list[MatchRow]:
    """Matches by their ids."""
    return _rows(connection, select(matches).where(matches.c.id.in_(ids)))


def take_up(connection: Connection, match: str) -> TakenUp | None:
    """What a node needs to go on with a match."""
    row, state = find(connection, match), latest(connection, match)
    return None if row is None or state is None else TakenUp(row, state, entries_from(connection, match, state.number))


def entries_from(connection: Connection, match: str, first: int) -> list[Entry]:
    """The entries of a match from number ``first`` on."""
    return entries_until(connection, match, first, None)


def entries_until(connection: Connection, match: str, first: int, turn: int | None) -> list[Entry]:
    """The same, up to those of ``turn``."""
    query = select(entries.c.body).where(entries.c.match == match, entries.c.number >= first)
    if turn is not None:
        query = query.where(entries.c.turn <= turn)
    query = query.order_by(entries.c.number)
    return [entry_of(body) for body in connection.execute(query).scalars()]


def _rows(connection: Connection, query: Any) -> list[MatchRow]:
    rows = connection.execute(query).all()
    sitting: dict[str, list[SeatInfo]] = {row.id: [] for row in rows}
    for seat in connection.execute(select(seats).where(seats.c.match.in_(sitting)).order_by(seats.c.seat)):
        sitting[seat.match].append(_seat_info(seat))
    return [_row(row, sitting[row.id]) for row in rows]


def _row(row: Row[Any], sitting: list[SeatInfo]) -> MatchRow:
    values = row._asdict()
    values.pop("lease")
    wish, drawn = _json.decode(values.pop("made_from"), type=NewMatch), values.pop("map", None)
    values["wish"] = wish if drawn is None else msgspec.structs.replace(wish, map=_json.decode(drawn))
    values["config"] = _json.decode(values["config"])
    values["outcome"] = _json.decode(values["outcome"], type=Outcome) if values["outcome"] else None
    return MatchRow(**values, seats=sitting)


def _without_map(wish: NewMatch) -> bytes:
    return _json.encode(msgspec.structs.replace(wish, map=None))


def _seat_info(row: Row[Any]) -> SeatInfo:
    return SeatInfo(row.seat, row.kind, row.name, row.account, row.bot, row.missed)


def _seat_values(match: str, seat: SeatInfo) -> dict[str, Any]:
    return {
        "match": match,
        "seat": seat.seat,
        "kind": seat.kind,
        "name": seat.name,
        "account": seat.account,
        "bot": seat.bot,
        "missed": seat.missed,
    }
