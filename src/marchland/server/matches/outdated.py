"""Running matches that this version of their game cannot continue: they break off when the server loads them."""

from collections.abc import Iterator

import msgspec
from sqlalchemy import Connection, select

from marchland.core.snapshot import can_continue, read
from marchland.errors import MarchlandError
from marchland.registry import find
from marchland.store.schema import matches
from marchland.store.snapshots import latest


class OutdatedMatch(msgspec.Struct, frozen=True):
    """A running match of another version of its game than this one."""

    match: str
    name: str
    game: str
    turn: int
    version: int
    """The version that it is played with."""
    installed: int


def list_outdated(connection: Connection) -> list[OutdatedMatch]:
    """The running matches that would break off, the oldest first."""
    return list(_find_outdated(connection))


def _find_outdated(connection: Connection) -> Iterator[OutdatedMatch]:
    columns = matches.c.id, matches.c.name, matches.c.game, matches.c.open_turn
    running = select(*columns).where(matches.c.state == "running").order_by(matches.c.created)
    for row in connection.execute(running).all():
        state = latest(connection, row.id)
        if state is None:
            continue
        try:
            stored, kind = read(state.data), find(row.game)
        except MarchlandError:  # damaged, or of a game that is not installed: said elsewhere
            continue
        if not can_continue(kind, stored):
            yield OutdatedMatch(row.id, row.name, row.game, row.open_turn, stored.version, kind.version)
