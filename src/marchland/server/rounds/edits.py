"""What may change about a round that is announced, and what that does to its next playing."""

import time

import msgspec
from sqlalchemy import Connection

from marchland.errors import Refused
from marchland.messages import NewRound, RoundChange
from marchland.registry import find
from marchland.server.http.patch import changed, named
from marchland.server.rounds import queries
from marchland.server.rounds.queries import RoundRow, Run
from marchland.server.rounds.service import after, room_left

_SETTLED = {"template": "what it is played with", "kind": "its kind", "scoring": "what it is worth", "maps": "its maps"}
"""What stays once a round was played: its standings would mean nothing otherwise."""


def change_round(connection: Connection, row: RoundRow, change: RoundChange) -> RoundRow:
    """The round as wished, its planned playing moved with it. The caller holds the round's lock."""
    wished = named(change)
    run = queries.last_run(connection, row.id)
    _check_settled(row, run, wished)
    wish = changed(row.wish, change)
    open_ = bool(wished.get("open", row.open))
    if room_left(wish, 0 if run is None else queries.registered(connection, run)) < (0 if run else 1):
        raise Refused("bad_request", f"{find(wish.template.game).name} has too few seats for those who registered.")
    if "starts" in wished:
        wish = _postponed(connection, wish, run)
    made = RoundRow(row.id, wish, open_)
    _plan(connection, made, run, reopened=open_ and not row.open, moved="starts" in wished)
    queries.change(connection, made)
    return made


def _check_settled(row: RoundRow, run: Run | None, wished: dict[str, object]) -> None:
    played = run is not None and (run.number > 0 or run.state != "lobby")
    for name, words in _SETTLED.items():
        if played and name in wished and wished[name] != getattr(row.wish, name):
            raise Refused("started", f"The round {row.wish.name!r} was played: {words} cannot change any more.")


def _postponed(connection: Connection, wish: NewRound, run: Run | None) -> NewRound:
    """The first start is written so that the schedule after it goes on from the new time."""
    if run is None or run.state != "lobby":
        raise Refused("started", "No playing of this round waits in its lobby: there is no start to move.")
    if wish.starts < time.time():
        raise Refused("bad_request", "A round starts in the future.")
    queries.postpone(connection, run, wish.starts)
    if wish.every is None or run.number == 0:
        return wish
    return msgspec.structs.replace(wish, starts=max(0.0, wish.starts - run.number * wish.every))


def _plan(connection: Connection, row: RoundRow, run: Run | None, *, reopened: bool, moved: bool) -> None:
    """A round that is opened again, or is to be played more often, goes on after its last playing."""
    now = time.time()
    if reopened and run is not None and run.state == "lobby" and run.starts < now and not moved:
        raise Refused("bad_request", "Its next start has passed: say when it starts, to open it again.")
    if row.open and run is not None and run.state in ("over", "empty"):
        following = after(row.wish, run, now, now)
        if following is not None:
            queries.plan(connection, following)
