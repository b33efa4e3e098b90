"""Registration for a run of a round."""

import time

from sqlalchemy import Connection

from marchland.errors import Refused
from marchland.messages import Registered
from marchland.server.accounts.queries import find as find_account
from marchland.server.matches.admission import check_template_seed
from marchland.server.names import check_distinct
from marchland.server.rounds import queries
from marchland.server.rounds.queries import Entrant, RoundRow, RoundRun
from marchland.server.rounds.schedule import free_places


def register(connection: Connection, row: RoundRow, entrant: Entrant) -> Registered:
    """The registration of an account. The caller holds the round's lock."""
    run = queries.last_run(connection, row.id)
    if run is None:
        raise Refused("lobby_closed", "round_over")
    entrants = queries.list_entrants(connection, run)
    registered = next((other for other in entrants if other.account == entrant.account), None)
    if registered is None:
        _check_registration(row, run, entrants, entrant.name)
        _check_seed(connection, row, run, entrant)
        registered = queries.insert_registration(connection, run, entrant)
    return Registered(row.id, run.number, registered.name, run.starts)


def _check_seed(connection: Connection, row: RoundRow, run: RoundRun, entrant: Entrant) -> None:
    """Refuse players who can read the seed that the template sets for the first run."""
    if run.number == 0:
        check_template_seed(find_account(connection, entrant.account), row.request.template.seed)


def _check_registration(row: RoundRow, run: RoundRun, entrants: list[Entrant], name: str) -> None:
    now, opens = time.time(), run.starts - row.request.lobby
    if not row.open or run.state in ("over", "empty"):
        raise Refused("lobby_closed", "round_over")
    if run.state != "lobby" or now >= run.starts:
        raise Refused("lobby_closed", "lobby_over")
    if now < opens:
        raise Refused("lobby_closed", "lobby_not_open", seconds=round(opens - now))
    check_distinct(name, (other.name for other in entrants), "player registered as")
    if free_places(row.request, len(entrants)) < 1:
        raise Refused("full", "round_full")
