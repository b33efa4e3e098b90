"""Whose seat it is, through whose eyes somebody looks, and how often."""

import msgspec

from marchland.match import Match, Refused
from marchland.messages import NewMatch
from marchland.server.access import Caller, Doorkeeper
from marchland.server.host import Host
from marchland.server.limits import TooMany


def seat_of(match: Match, caller: Caller, wanted: int | None) -> int:
    """The caller's seat; refused if he has none, or that one is not his."""
    mine = [seat.seat for seat in match.seats if seat.account == caller.id]
    if wanted is None and len(mine) == 1:
        return mine[0]
    if wanted in mine:
        return wanted
    if wanted is None:
        raise Refused("no_seat", "You have several seats: say which." if mine else "You have no seat in this match.")
    raise Refused("not_your_seat", f"Seat {wanted} is not yours.")


def eyes(match: Match, caller: Caller | None, wanted: int | None) -> int | None:
    """Through whose eyes the caller may look: his own seat's, a spectator's, or any seat's when nothing is secret."""
    if wanted is None:
        return None
    if caller is not None and any(seat.seat == wanted and seat.account == caller.id for seat in match.seats):
        return wanted
    if 0 <= wanted < len(match.seats) and (match.over or not match.game.fogged):
        return wanted
    raise Refused("not_your_seat", f"Seat {wanted} is not yours.")


def template_for(caller: Caller | None, template: NewMatch) -> NewMatch:
    """What matches are made from, as the caller may know it: dice and password are the organisers'."""
    if caller is not None and caller.may("organiser"):
        return template
    return msgspec.structs.replace(template, seed=None, password="")


def chunk_numbers(text: str) -> frozenset[int]:
    """The chunks that a query names."""
    try:
        return frozenset(int(one) for one in text.split(",") if one.strip())
    except ValueError:
        raise Refused("bad_request", "Chunks are numbers with commas in between.") from None


def slow_down(doorkeeper: Doorkeeper, host: Host, match_id: str, caller: Caller) -> None:
    """In a round a player may ask only so often."""
    if match_id in host.in_rounds and (waiting := doorkeeper.in_rounds.wait(caller.id)):
        raise TooMany(waiting)
