"""Editing an announced round, and what that does to its next run."""

import time

import msgspec
from sqlalchemy import Connection

from marchland.errors import Refused
from marchland.messages import RoundCreate, RoundUpdate
from marchland.registry import find
from marchland.server.accounts.queries import find as find_account
from marchland.server.http.patch import apply_patch, fields_set
from marchland.server.matches.admission import check_template_seed
from marchland.server.rounds import queries
from marchland.server.rounds.queries import RoundRow, RoundRun
from marchland.server.rounds.schedule import free_places, next_run

_FIXED_ONCE_PLAYED = {
    "template": "what it is played with",
    "kind": "its kind",
    "scoring": "what it is worth",
    "maps": "its maps",
}
"""Fields that cannot change once a round was played: its standings would mean nothing otherwise."""


def edit_round(connection: Connection, row: RoundRow, change: RoundUpdate) -> RoundRow:
    """Apply a change; the planned run moves with it. The caller holds the round's lock."""
    changes = fields_set(change)
    run = queries.last_run(connection, row.id)
    _check_fixed(row, run, changes)
    request = apply_patch(row.request, change)
    open_ = bool(changes.get("open", row.open))
    if free_places(request, 0 if run is None else queries.count_registered(connection, run)) < (0 if run else 1):
        raise Refused("bad_request", "round_too_small", game=find(request.template.game).name)
    for entrant in queries.list_entrants(connection, run) if run else ():
        check_template_seed(find_account(connection, entrant.account), request.template.seed)
    if "starts" in changes:
        request = _postpone(connection, request, run)
    edited = RoundRow(row.id, request, open_)
    _plan_next(connection, edited, run, reopened=open_ and not row.open, moved="starts" in changes)
    queries.update_round(connection, edited)
    return edited


def _check_fixed(row: RoundRow, run: RoundRun | None, changes: dict[str, object]) -> None:
    played = run is not None and (run.number > 0 or run.state != "lobby")
    for name, words in _FIXED_ONCE_PLAYED.items():
        if played and name in changes and changes[name] != getattr(row.request, name):
            raise Refused("started", "round_played", round=row.request.name, what=words)


def _postpone(connection: Connection, request: RoundCreate, run: RoundRun | None) -> RoundCreate:
    """The first start is set so that the schedule continues from the new time."""
    if run is None or run.state != "lobby":
        raise Refused("started", "no_run_waits")
    if request.starts < time.time():
        raise Refused("bad_request", "round_start_past")
    queries.set_start(connection, run, request.starts)
    if request.every is None or run.number == 0:
        return request
    return msgspec.structs.replace(request, starts=max(0.0, request.starts - run.number * request.every))


def _plan_next(connection: Connection, row: RoundRow, run: RoundRun | None, *, reopened: bool, moved: bool) -> None:
    """A round that is reopened, or gets more runs, continues after its last run."""
    now = time.time()
    if reopened and run is not None and run.state == "lobby" and run.starts < now and not moved:
        raise Refused("bad_request", "next_start_past")
    if row.open and run is not None and run.state in ("over", "empty"):
        following = next_run(row.request, run, now, now)
        if following is not None:
            queries.insert_run(connection, following)
