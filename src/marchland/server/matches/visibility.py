"""Authorisation of viewpoints and forks: what a caller may see of a match."""

from functools import partial

import msgspec

from marchland.errors import Refused
from marchland.match import Match, SpectatorPolicy
from marchland.messages import MatchCreate
from marchland.server.http.auth import Caller
from marchland.server.http.rate_limit import RateLimited
from marchland.server.matches import queries
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.queries import MatchRow
from marchland.store import Database


def require_seat(match: Match, caller: Caller, wanted: int | None) -> int:
    """The caller's seat; refused without one, or if the wanted seat belongs to another account."""
    if wanted is not None:
        if 0 <= wanted < len(match.seats) and is_own_seat(match, caller, wanted):
            return wanted
        raise Refused("not_your_seat", "not_your_seat", seat=wanted)
    account = caller.id
    own = [seat.seat for seat in match.seats if seat.account == account]
    if len(own) != 1:
        raise Refused("no_seat", "several_seats" if own else "no_seat_of_yours")
    return own[0]


def is_own_seat(match: Match, caller: Caller | None, seat: int | None) -> bool:
    """Whether a seat is the caller's."""
    return seat is not None and caller is not None and match.seats[seat].account == caller.id


class Visibility:
    """Decides who may see what: a match with fog, and every fork of it, is hidden until that match is over."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def viewpoint_for(self, match: Match, caller: Caller | None, wanted: int | None) -> int | None:
        """The viewpoint that a caller may use: its own seat's, a spectator's, or any seat's if nothing is hidden."""
        if caller is not None and any(seat.seat == wanted and seat.account == caller.id for seat in match.seats):
            return wanted
        if match.is_fork:
            await self.require_fork_visible(match.id, match.spectator_policy, caller)
        shows_all = match.spectator_policy.shows_every_seat(is_over=match.is_over)
        if wanted is None or (0 <= wanted < len(match.seats) and shows_all):
            return wanted
        raise Refused("not_your_seat", "not_your_seat", seat=wanted)

    async def require_fork_visible(self, match: str, policy: SpectatorPolicy, caller: Caller | None) -> None:
        """Refuse to show a fork to a caller from whom its origin is still hidden."""
        if not all(
            row.id == match or is_neutral_organiser(row, caller)
            for row in await self.unfinished_ancestors(match, policy)
        ):
            raise Refused("hidden", "fork_hidden")

    async def unfinished_ancestors(self, match: str, policy: SpectatorPolicy) -> list[MatchRow]:
        """A match and those that it was forked from, as far as they are unfinished and have fog."""
        if policy.shows_every_seat(is_over=False):
            return []
        return await self._store.read(partial(queries.unfinished_ancestry, match=match))


def is_neutral_organiser(row: MatchRow, caller: Caller | None) -> bool:
    """Whether the caller is an organiser without a seat in the match."""
    return caller is not None and caller.may("organiser") and all(seat.account != caller.id for seat in row.seats)


def redact_template(caller: Caller | None, template: MatchCreate) -> MatchCreate:
    """A template without seed and password, unless the caller is an organiser."""
    if caller is not None and caller.may("organiser"):
        return template
    return msgspec.structs.replace(template, seed=None, password="")


def parse_chunks(text: str) -> frozenset[int]:
    """The chunks of a query parameter."""
    try:
        return frozenset(int(number) for number in text.split(",") if number.strip())
    except ValueError:
        raise Refused("bad_request", "bad_chunks") from None


def limit_in_rounds(manager: MatchManager, match_id: str, caller: Caller) -> None:
    """Apply the rate limit of matches in rounds."""
    if match_id in manager.in_rounds and (waiting := manager.round_limit.take(caller.id)):
        raise RateLimited(waiting)
