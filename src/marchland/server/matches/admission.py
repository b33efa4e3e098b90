"""Admission: who may take a seat in a match. Every way in asks here: joins, late joiners, registration, wires.

An account can read a match's seed if

* the seed was set by the request, and the account created the match;
* the seed was set by a template, and the account is an organiser: organisers can read templates;
* the seed was set by a template, and an earlier match from it is over: its replay is public;
* the account has fetched the replay, or a fork, of the match while it was running.
"""

from collections.abc import Callable, Mapping
from typing import Literal

from sqlalchemy import Connection, select

from marchland.errors import Refused
from marchland.messages import AccountInfo
from marchland.server.accounts import queries as account_queries
from marchland.server.matches import queries
from marchland.server.matches.queries import MatchRow
from marchland.server.settings import Settings
from marchland.store.schema import exclusions
from marchland.store.upsert import insert_or_ignore

Exclusion = Literal["removed", "secrets"]
"""Why an account cannot take a seat: it was removed from one, or has seen what the match hides from its players."""

ReservedSeats = Callable[[Connection, str], Mapping[str, str]]
"""The accounts that the seats of a match are reserved for, each with its player's name."""

_REASONS: dict[Exclusion, str] = {"removed": "removed_from_match", "secrets": "knows_secrets"}
"""By exclusion the code of its refusal."""


class Admission:
    """Refuses accounts that may not take a seat in a match."""

    def __init__(self) -> None:
        self._reserved: dict[str, ReservedSeats] = {}

    def reserve(self, slots: str, accounts: ReservedSeats) -> None:
        """Reserve the seats of all matches whose slot begins with that word and a slash."""
        self._reserved[slots] = accounts

    def is_reserved(self, row: MatchRow) -> bool:
        """Whether the seats are for some accounts only."""
        return (row.room or "").partition("/")[0] in self._reserved

    def reserved_seats(self, connection: Connection, row: MatchRow) -> Mapping[str, str] | None:
        """The accounts that the seats are reserved for; None if they are for all."""
        accounts = self._reserved.get((row.room or "").partition("/")[0])
        return None if accounts is None else accounts(connection, row.id)

    def check(self, connection: Connection, row: MatchRow, account: str | None) -> None:
        """Refuse an account that may not take a seat; None is a client without an account."""
        reserved = self.reserved_seats(connection, row)
        if reserved is not None and account not in reserved:
            raise Refused("not_allowed", "seats_reserved")
        player = None if account is None else account_queries.find(connection, account)
        if _can_read_seed(connection, row, player):
            raise Refused("not_allowed", "knows_seed")
        if account is not None and (reason := _find_exclusion(connection, row.id, account)) is not None:
            raise Refused("not_allowed", _REASONS[reason])
        if row.state == "running" and not row.late_joiners and reserved is None and account != row.creator:
            raise Refused("closed", "closed_to_joiners")


def check_guest(settings: Settings, *, has_account: bool) -> None:
    """Refuse a client without an account on a server where only admins create accounts."""
    if not settings.registration and not has_account:
        raise Refused("not_allowed", "accounts_only")


def exclude(connection: Connection, match: str, account: str, reason: Exclusion) -> None:
    """Let an account take no seat in a match from now on."""
    insert_or_ignore(connection, exclusions, {"match": match, "account": account, "reason": reason})


def check_template_seed(account: AccountInfo | None, seed: int | None) -> None:
    """Refuse a player who can read the seed that a template sets."""
    if seed is not None and account is not None and account.role != "player":
        raise Refused("not_allowed", "knows_seed")


def _can_read_seed(connection: Connection, row: MatchRow, player: AccountInfo | None) -> bool:
    seed = row.request.seed
    if seed is None:
        return False  # it is random; only a replay contains it, and that is an exclusion
    if player is None or player.id == row.creator:  # a client without an account may be the creator
        return True
    if row.room is None:
        return False
    return player.role != "player" or seed in queries.published_seeds(connection, row.room)


def _find_exclusion(connection: Connection, match: str, account: str) -> Exclusion | None:
    query = select(exclusions.c.reason).where(exclusions.c.match == match, exclusions.c.account == account)
    reason: Exclusion | None = connection.execute(query.order_by(exclusions.c.reason)).scalar()
    return reason
