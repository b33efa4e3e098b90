"""Brings a running match into line with the teams of its season's game."""

from collections.abc import Sequence
from functools import partial

import msgspec

from marchland.core.season_hooks import Job, SeasonHooks, SeatedMember
from marchland.errors import JoinRefusedError
from marchland.match import Match
from marchland.messages import SeatInfo
from marchland.server.matches import queries as match_queries
from marchland.server.seasons import queries
from marchland.server.seasons.host_orders import send_host_orders
from marchland.server.seasons.ledger_state import load_ledger_state
from marchland.server.seasons.queries import SeasonGame, TeamMember
from marchland.store import Database


class SeatingResult(msgspec.Struct, frozen=True):
    """What became of a change of teams."""

    accepted: int
    """Host orders that the game accepted."""
    is_complete: bool
    """Whether every member has a seat, the team and the role; otherwise the game's notes say what is missing."""


class TeamSeats:
    """Seats new members, vacates the seats of removed ones, and moves members as soon as their ships allow it."""

    def __init__(self, store: Database) -> None:
        self._store = store
        self._last_attempts: dict[str, tuple[int, int]] = {}
        """By match: the teams and the turn for which seating was tried last; it is tried once a turn."""

    def is_due(self, game: SeasonGame, match: Match) -> bool:
        """Whether the teams have changed, or a turn has passed, since the last try."""
        return self._last_attempts.get(match.id) != (game.teams_version, match.open_turn)

    async def apply(self, hooks: SeasonHooks, game: SeasonGame, match: Match, job: Job) -> SeatingResult:
        """Apply the teams as far as the match allows it now. A member who cannot be seated stops no other."""
        self._last_attempts[match.id] = game.teams_version, match.open_turn
        members = await self._store.read(partial(queries.members_of, game=game.id))
        newcomers, notes = await self._seat_newcomers(match, members)
        by_account = {member.account: member for member in members}
        await self._vacate(match, set(by_account))
        seated = [
            SeatedMember(seat.seat, by_account[seat.account].team, by_account[seat.account].role)
            for seat in match.seats
            if seat.account in by_account
        ]
        accepted = await send_host_orders(match, job, await match.read(partial(hooks.team_orders, members=seated)))
        if newcomers:
            ledger = await load_ledger_state(self._store, match)
            orders = await match.read(partial(hooks.newcomer_orders, seats=newcomers, ledger=ledger))
            accepted += await send_host_orders(match, job, orders)
        misplaced = await match.read(partial(hooks.misplaced_seats, members=seated))
        notes += [f"{match.seats[seat].name} {reason}." for seat, reason in misplaced.items()]
        await self._store.write(partial(queries.set_notes, game=game.id, notes=notes))
        return SeatingResult(accepted, not notes)

    async def _seat_newcomers(self, match: Match, members: Sequence[TeamMember]) -> tuple[set[int], list[str]]:
        seats: set[int] = set()
        notes: list[str] = []
        taken = {seat.account for seat in match.seats}
        for member in members:
            if member.account not in taken:
                try:
                    seats.add(await self._seat_member(match, member))
                except JoinRefusedError as problem:
                    notes.append(f"{member.name} has no seat: {problem}")
        return seats, notes

    async def _seat_member(self, match: Match, member: TeamMember) -> int:
        """Seat a member who joined the team after the start; a returning one gets the seat of that name."""
        if member.name not in match.game.players:
            joiner = SeatInfo(0, "human", member.name, member.account)
            add = partial(match_queries.add_seat, match=match.id)
            return (await match.join(joiner, lambda connection, seat: add(connection, seat=seat))).seat
        seat = SeatInfo(match.game.players.index(member.name), "human", member.name, member.account)
        seats = [*(other for other in match.seats if other.seat != seat.seat), seat]
        await self._reseat(match, sorted(seats, key=lambda seat: seat.seat))
        return seat.seat

    async def _vacate(self, match: Match, members: set[str]) -> None:
        leaving = [seat for seat in match.seats if seat.account is not None and seat.account not in members]
        if leaving:
            empty = {seat.seat: msgspec.structs.replace(seat, kind="empty", account=None) for seat in leaving}
            await self._reseat(match, [empty.get(seat.seat, seat) for seat in match.seats])

    async def _reseat(self, match: Match, seats: Sequence[SeatInfo]) -> None:
        await self._store.write(partial(match_queries.save_seats, match=match.id, seated=seats))
        match.set_seats(seats)
