"""SQL of matches: create, start, find, list, load, delete."""

import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Row, delete, func, insert, or_, select, update

from marchland.match import Entry, SpectatorPolicy
from marchland.messages import Clock, MatchCreate, Outcome, SeatInfo
from marchland.messages.names import skeleton
from marchland.registry import find as find_game
from marchland.server.cluster.queries import SEAT_COLUMNS
from marchland.store.archives import latest_state
from marchland.store.match_log import entries_from
from marchland.store.schema import (
    accounts,
    archives,
    entries,
    exclusions,
    matches,
    post_blocks,
    posts,
    results,
    seats,
    snapshots,
)
from marchland.store.snapshots import StoredSnapshot, insert_chunk, split

_json = msgspec.json

Occupancy = tuple[int, str, str | None]
"""A seat, its kind and its account."""


class MatchRow(msgspec.Struct, frozen=True):
    """A match without its turns."""

    id: str
    game: str
    name: str
    state: Any
    request: MatchCreate
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
    storage: str = "log"
    """Where its turns are: see `marchland.store.archives`."""
    listed: bool = True
    """Whether `list_matches` shows it to accounts that neither created it nor have a seat."""
    late_joiners: bool = True
    """Whether others than its creator may join it while it runs."""

    @property
    def clock(self) -> Clock:
        """When its turns end."""
        return self.request.clock

    @property
    def spectator_policy(self) -> SpectatorPolicy:
        """What spectators see of it."""
        return SpectatorPolicy(find_game(self.game).fogged, self.request.spectator_delay)


class StoredMatch(NamedTuple):
    """What is needed to continue a match: its row, the latest snapshot and the entries after it."""

    row: MatchRow
    state: StoredSnapshot
    entries: list[Entry]


def insert_match(connection: Connection, row: MatchRow) -> None:
    """Insert a match that has not started."""
    connection.execute(
        insert(matches).values(
            id=row.id,
            game=row.game,
            name=row.name,
            state=row.state,
            made_from=_without_map(row.request),
            map=None if row.request.map is None else _json.encode(row.request.map),
            config=_json.encode(row.config),
            creator=row.creator,
            room=row.room,
            forked_from=row.forked_from,
            password=row.password,
            created=row.created,
            open_turn=row.open_turn,
            listed=row.listed,
            late_joiners=row.late_joiners,
        )
    )
    connection.execute(insert(seats), [_seat_values(row.id, seat) for seat in row.seats])


def start(connection: Connection, match: str, turn: int, snapshot: bytes, seated: Sequence[SeatInfo]) -> bool:
    """Start a match with its first snapshot; False if it has started already."""
    changed = connection.execute(
        update(matches)
        .where(matches.c.id == match, matches.c.state == "lobby")
        .values(state="running", started=time.time(), open_turn=turn)
    )
    if changed.rowcount != 1:
        return False
    for chunk in split(match, 0, turn, snapshot):
        insert_chunk(chunk)(connection)
    save_seats(connection, match, seated)
    return True


def add_seat(connection: Connection, match: str, seat: SeatInfo) -> None:
    """Add a late joiner's seat."""
    connection.execute(insert(seats).values(**_seat_values(match, seat)))


def count_unfinished(connection: Connection, creator: str) -> int:
    """The number of unfinished matches of an account."""
    query = select(func.count()).where(matches.c.creator == creator, matches.c.state.in_(("lobby", "running")))
    return int(connection.execute(query).scalar_one())


def save_seats(connection: Connection, match: str, seated: Sequence[SeatInfo]) -> None:
    """Replace the seats of a match."""
    connection.execute(delete(seats).where(seats.c.match == match))
    connection.execute(insert(seats), [_seat_values(match, seat) for seat in seated])


def replace_seat(connection: Connection, match: str, before: SeatInfo, after: SeatInfo) -> bool:
    """Write one seat of a match; False if it is no longer as it was."""
    is_same = seats.c.kind == before.kind, seats.c.account.is_not_distinct_from(before.account)
    changed = connection.execute(
        update(seats)
        .where(seats.c.match == match, seats.c.seat == before.seat, *is_same)
        .values(_seat_values(match, after))
    )
    return changed.rowcount == 1


def count_open_seats(connection: Connection, match: str) -> tuple[str | None, int, int]:
    """The state of a match, None if there is none, how many seats it has, and how many are open."""
    open_seats = func.count().filter(seats.c.kind == "open")
    totals = select(func.count(), open_seats).where(seats.c.match == match)
    count, free = connection.execute(totals).one()
    state = connection.execute(select(matches.c.state).where(matches.c.id == match)).scalar()
    return state, int(count), int(free)


def read_occupancy(connection: Connection, match: str) -> tuple[str | None, list[Occupancy]]:
    """The state of a match, None if there is none, and who occupies its seats."""
    state = connection.execute(select(matches.c.state).where(matches.c.id == match)).scalar()
    query = select(seats.c.seat, seats.c.kind, seats.c.account).where(seats.c.match == match).order_by(seats.c.seat)
    return state, list(map(tuple, connection.execute(query).all()))


def set_access(connection: Connection, match: str, access: Mapping[str, bool]) -> None:
    """Store whether a match is ``listed`` and open to ``late_joiners``, or one of them."""
    connection.execute(update(matches).where(matches.c.id == match).values(**access))


def published_seeds(connection: Connection, room: str) -> set[int]:
    """The seeds that requests have set for matches of a slot that are over: their replays are public."""
    query = select(matches.c.made_from).where(matches.c.room == room, matches.c.state == "over")
    requests = (_json.decode(body, type=MatchCreate) for body in connection.execute(query).scalars())
    return {request.seed for request in requests if request.seed is not None}


def save_request(connection: Connection, match: str, request: MatchCreate) -> None:
    """Store the request of a match of which something has changed, like its clock."""
    connection.execute(update(matches).where(matches.c.id == match).values(made_from=_without_map(request)))


def set_team_names(connection: Connection, match: str, names: Sequence[str]) -> None:
    """Change the names of a match's teams, if there is the match."""
    row = find(connection, match)
    if row is not None:
        save_request(connection, match, msgspec.structs.replace(row.request, team_names=[*names]))


def delete_match(connection: Connection, match: str) -> bool:
    """Delete a match and all its rows; False if there is none. Its forks become forks of its origin."""
    origin = select(matches.c.forked_from).where(matches.c.id == match)
    before = connection.execute(origin).scalar()
    connection.execute(update(matches).where(matches.c.forked_from == match).values(forked_from=before))
    if connection.execute(delete(matches).where(matches.c.id == match)).rowcount != 1:
        return False
    for table in (posts, post_blocks, entries, snapshots, archives, results, exclusions, seats):
        connection.execute(delete(table).where(table.c.match == match))
    return True


def find(connection: Connection, match: str) -> MatchRow | None:
    """A match by its id."""
    rows = _rows(connection, select(matches).where(matches.c.id == match))
    return rows[0] if rows else None


def find_for_account(connection: Connection, match: str, account: str) -> MatchRow | None:
    """A match by its id, with the seats of one account only: the others may be many thousands."""
    row = connection.execute(select(matches).where(matches.c.id == match)).first()
    if row is None:
        return None
    query = select(*SEAT_COLUMNS).where(seats.c.account == account, seats.c.match == match).order_by(seats.c.seat)
    return _row(row, [SeatInfo(*seat) for seat in map(tuple, connection.execute(query))])


def unfinished_ancestry(connection: Connection, match: str) -> list[MatchRow]:
    """A match and those that it was forked from, as far as they are not over."""
    link = select(matches.c.id, matches.c.forked_from)
    line = link.where(matches.c.id == match).cte(recursive=True)
    line = line.union(link.where(matches.c.id == line.c.forked_from))
    return _rows(connection, select(matches).where(matches.c.id.in_(select(line.c.id)), matches.c.state != "over"))


def list_matches(
    connection: Connection,
    *,
    state: str | None = None,
    game: str | None = None,
    room: str | None = None,
    player: str | None = None,
    since: float | None = None,
    before: float | None = None,
    limit: int = 50,
    reader: str | None = None,
    unlisted: bool = False,
) -> list[MatchRow]:
    """Matches without their maps, the newest first; unlisted ones are shown to their own accounts, or to all."""
    columns = [column for column in matches.c if column is not matches.c.map]
    query = select(*columns).order_by(matches.c.created.desc()).limit(limit)
    for column, value in ((matches.c.state, state), (matches.c.game, game), (matches.c.room, room)):
        if value is not None:
            query = query.where(column == value)
    if player is not None:
        account = select(accounts.c.id).where(accounts.c.skeleton == skeleton(player)).scalar_subquery()
        query = query.where(matches.c.id.in_(select(seats.c.match).where(seats.c.account == account)))
    if since is not None:
        query = query.where(matches.c.created >= since)
    if before is not None:
        query = query.where(matches.c.created < before)
    if not unlisted and reader is None:  # not `creator == None`: that would be matches of guests, and seats of bots
        query = query.where(matches.c.listed)
    elif not unlisted:
        seated = select(seats.c.match).where(seats.c.account == reader)
        query = query.where(or_(matches.c.listed, matches.c.creator == reader, matches.c.id.in_(seated)))
    return _rows(connection, query)


def find_several(connection: Connection, ids: Sequence[str]) -> list[MatchRow]:
    """Matches by their ids."""
    return _rows(connection, select(matches).where(matches.c.id.in_(ids)))


def load(connection: Connection, match: str) -> StoredMatch | None:
    """What a node needs to continue a match."""
    row = find(connection, match)
    state = None if row is None else latest_state(connection, match)
    if row is None or state is None:
        return None
    return StoredMatch(row, state, entries_from(connection, match, state.number))


def _rows(connection: Connection, query: Any) -> list[MatchRow]:
    rows = connection.execute(query).all()
    seats_by_match: dict[str, list[SeatInfo]] = {row.id: [] for row in rows}
    seated = select(*SEAT_COLUMNS, seats.c.match).where(seats.c.match.in_(seats_by_match)).order_by(seats.c.seat)
    for seat in map(tuple, connection.execute(seated).all()):
        seats_by_match[seat[-1]].append(SeatInfo(*seat[:-1]))
    return [_row(row, seats_by_match[row.id]) for row in rows]


def _row(row: Row[Any], seated: list[SeatInfo]) -> MatchRow:
    values = row._asdict()
    values.pop("lease")
    request, map_data = _json.decode(values.pop("made_from"), type=MatchCreate), values.pop("map", None)
    values["request"] = request if map_data is None else msgspec.structs.replace(request, map=_json.decode(map_data))
    values["config"] = _json.decode(values["config"])
    values["outcome"] = _json.decode(values["outcome"], type=Outcome) if values["outcome"] else None
    return MatchRow(**values, seats=seated)


def _without_map(request: MatchCreate) -> bytes:
    """The request without its map, which is stored beside it."""
    return _json.encode(msgspec.structs.replace(request, map=None))


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
