"""API views of rounds and runs."""

import time

from sqlalchemy import Connection

from marchland.messages import RoundInfo, RunInfo
from marchland.server.http.auth import Caller
from marchland.server.matches.visibility import redact_template
from marchland.server.rounds import queries
from marchland.server.rounds.queries import RoundRow, RoundRun
from marchland.server.rounds.standings import scoring_of


def round_info(connection: Connection, row: RoundRow, caller: Caller | None) -> RoundInfo:
    """A round as the caller may see it, with its current or next run."""
    request, run = row.request, queries.last_run(connection, row.id)
    done = run is None or run.state in ("over", "empty")
    if run is not None and run.state == "lobby" and not row.open:
        done = queries.count_registered(connection, run) == 0
    return RoundInfo(
        id=row.id,
        name=request.name,
        kind=request.kind,
        game=request.template.game,
        template=redact_template(caller, request.template),
        starts=request.starts,
        lobby=request.lobby,
        pause=request.pause,
        every=request.every,
        runs=request.runs,
        scoring=scoring_of(request),
        maps=request.maps,
        open=row.open,
        now=time.time(),
        current=None if run is None or done else run_info(connection, row, run),
    )


def run_info(connection: Connection, row: RoundRow, run: RoundRun) -> RunInfo:
    """A run with its number of registrations."""
    count = queries.count_registered(connection, run)
    return RunInfo(run.number, run.starts - row.request.lobby, run.starts, run.state, count, run.match)
