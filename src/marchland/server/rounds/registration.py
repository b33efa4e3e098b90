"""Who may take part in a playing of a round."""

import time

from sqlalchemy import Connection

from marchland.errors import Refused
from marchland.messages import Registered
from marchland.server.rounds import queries
from marchland.server.rounds.queries import Entrant, RoundRow, Run
from marchland.server.rounds.service import room_left


def registered(connection: Connection, row: RoundRow, wanted: Entrant) -> Registered:
    """Register for the playing that is on or comes next; whoever is registered for it is told so at any time.

    The caller holds the round's lock.
    """
    run = queries.last_run(connection, row.id)
    if run is None:
        raise Refused("lobby_closed", "Nothing more is planned in this round.")
    present = queries.entrants(connection, run)
    mine = next((one for one in present if one.account == wanted.account), None)
    if mine is None:
        _check(row, run, present, wanted.name)
        mine = queries.register(connection, run, wanted)
    return Registered(row.id, run.number, mine.name, run.starts)


def _check(row: RoundRow, run: Run, present: list[Entrant], name: str) -> None:
    now, opens = time.time(), run.starts - row.wish.lobby
    if not row.open or run.state in ("over", "empty"):
        raise Refused("lobby_closed", "Nothing more is planned in this round.")
    if run.state != "lobby" or now >= run.starts:
        raise Refused("lobby_closed", "You are too late: the lobby ended when the match started.")
    if now < opens:
        raise Refused("lobby_closed", f"The lobby opens in {opens - now:.0f} s.")
    if any(one.name == name for one in present):
        raise Refused("name_taken", f"Somebody is registered as {name!r} already.")
    if room_left(row.wish, len(present)) < 1:
        raise Refused("full", "There is no seat left in this round.")
