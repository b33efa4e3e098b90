"""Whose seat it is, through whose visibility somebody looks, and how often."""

from functools import partial

import msgspec

from marchland.errors import Refused
from marchland.match import Match
from marchland.messages import MatchCreate
from marchland.registry import find
from marchland.server.http.auth import Authenticator, Caller
from marchland.server.http.rate_limit import RateLimited
from marchland.server.matches import queries
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.queries import MatchRow
from marchland.store import Store


def require_seat(match: Match, caller: Caller, wanted: int | None) -> int:
    """The caller's seat; refused if he has none, or that one is not his."""
    mine = [seat.seat for seat in match.seats if seat.account == caller.id]
    if wanted is None and len(mine) == 1:
        return mine[0]
    if wanted in mine:
        return wanted
    if wanted is None:
        raise Refused("no_seat", "You have several seats: say which." if mine else "You have no seat in this match.")
    raise Refused("not_your_seat", f"Seat {wanted} is not yours.")


class Visibility:
    """Knows who may look at what: a match in the fog, and whatever was forked from it, hides until that one is over."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def viewpoint_for(self, match: Match, caller: Caller | None, wanted: int | None) -> int | None:
        """Whose visibility the caller may use: his own seat's, a spectator's, or any seat's when nothing is secret."""
        if caller is not None and any(seat.seat == wanted and seat.account == caller.id for seat in match.seats):
            return wanted
        if match.is_fork:
            await self.require_fork_visible(match.id, match.game.name, caller)
        if wanted is None or (0 <= wanted < len(match.seats) and (match.is_over or not match.game.fogged)):
            return wanted
        raise Refused("not_your_seat", f"Seat {wanted} is not yours.")

    async def require_fork_visible(self, match: str, game: str, caller: Caller | None) -> None:
        """Refuse to show a fork to whoever would learn from it what another match still hides."""
        if not all(
            row.id == match or is_neutral_organiser(row, caller) for row in await self.unfinished_ancestors(match, game)
        ):
            sentence = "This was forked from a match that is not over; until then only its organiser sees it."
            raise Refused("hidden", sentence)

    async def unfinished_ancestors(self, match: str, game: str) -> list[MatchRow]:
        """What is secret in a match: itself and those that it was forked from, while they go on in the fog."""
        if not find(game).fogged:
            return []
        return await self._store.read(partial(queries.unfinished_ancestry, match=match))


def is_neutral_organiser(row: MatchRow, caller: Caller | None) -> bool:
    """Whether a match is the caller's to manage, and the caller has no stake in it."""
    return caller is not None and caller.may("organiser") and all(seat.account != caller.id for seat in row.seats)


def redact_template(caller: Caller | None, template: MatchCreate) -> MatchCreate:
    """What matches are made from, as the caller may know it: dice and password are the organisers'."""
    if caller is not None and caller.may("organiser"):
        return template
    return msgspec.structs.replace(template, seed=None, password="")


def parse_chunks(text: str) -> frozenset[int]:
    """The chunks that a query names."""
    try:
        return frozenset(int(one) for one in text.split(",") if one.strip())
    except ValueError:
        raise Refused("bad_request", "Chunks are numbers with commas in between.") from None


def limit_in_rounds(authenticator: Authenticator, manager: MatchManager, match_id: str, caller: Caller) -> None:
    """In a round a player may ask only so often."""
    if match_id in manager.in_rounds and (waiting := authenticator.in_rounds.take(caller.id)):
        raise RateLimited(waiting)
