"""Matches before they start, and who sits where."""

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection

import marchland
from marchland.core.game import Game
from marchland.errors import MarchlandError
from marchland.match import Match, Refused
from marchland.messages import AccountInfo, ForkWish, Joined, Joining, NewMatch, SeatInfo, SeatWish
from marchland.server import passwords
from marchland.server.access import Caller
from marchland.server.history import History
from marchland.server.host import Host
from marchland.server.limits import check_depth
from marchland.store import accounts
from marchland.store import matches as stored
from marchland.store.accounts import new_id
from marchland.store.matches import MatchRow

Also = Callable[[Connection, SeatInfo], None]
"""What is written together with a seat."""


def _nothing(connection: Connection, seat: SeatInfo | None = None) -> None:
    """Nothing more is written."""


class Cast(NamedTuple):
    """Who plays, and where, when a match begins."""

    seats: Sequence[SeatInfo]
    map: Any
    also: Callable[..., None] = _nothing
    """What is written together with it."""


Casting = Callable[[MatchRow], Cast]

_MOST_AT_A_TIME = 20
"""Matches of one player that have not ended; organisers may have more."""


class Lobby:
    """Creates, fills, starts, forks and removes matches."""

    def __init__(self, host: Host, history: History) -> None:
        self._host = host
        self._store = host.store
        self._history = history
        self._sitting_down = asyncio.Lock()
        host.errands.handle("join", self._join_here)
        host.errands.handle("reseat", self._reseat_here)
        host.errands.handle("end turn", self._end_turn_here)

    async def row(self, id: str) -> MatchRow:
        """A match; refused if there is none."""
        found = await self._store.read(partial(stored.find, match=id))
        if found is None:
            raise Refused("not_found", f"There is no match {id!r}.")
        return found

    async def create(self, wish: NewMatch, caller: Caller | None, room: str | None = None) -> MatchRow:
        """A new match, checked as far as it can be before it starts."""
        if caller is not None:
            await self._check_creator(wish, caller)
        check_depth([wish.config, wish.map])
        kind, config = await asyncio.to_thread(checked, wish)
        password = await asyncio.to_thread(passwords.kept, wish.password)
        row = _row(
            game=kind.name,
            name=wish.name,
            wish=msgspec.structs.replace(wish, password=""),
            config=config,
            creator=caller.id if caller else None,
            room=room,
            password=password,
            seats=[_seat(number, one) for number, one in enumerate(wish.seats)],
        )
        await self._store.write(lambda connection: stored.create(connection, row))
        if wish.auto_start and not any(seat.kind == "open" for seat in row.seats):
            await self.start(row.id)
        return await self.row(row.id)

    async def _check_creator(self, wish: NewMatch, caller: Caller) -> None:
        if wish.seed is not None and not caller.may("organiser"):
            raise Refused("not_allowed", "Only an organiser may set the seed; without one the dice are secret.")
        await self._check_number(caller)

    async def _check_number(self, caller: Caller) -> None:
        if caller.may("organiser"):
            return
        unfinished = await self._store.read(partial(stored.unfinished, creator=caller.id))
        if unfinished >= _MOST_AT_A_TIME:
            raise Refused("too_many_matches", f"You have {unfinished} matches that have not ended; finish some first.")

    async def join(self, id: str, caller: Caller, joining: Joining) -> Joined:
        """Give the caller a seat; whoever has one gets the same again."""
        row = await self.row(id)
        if mine := _seat_of(row, caller, joining):
            return mine
        if row.state in ("over", "broken"):
            raise Refused("over", "The match is over.")
        if row.wish.seed is not None and row.creator == caller.id:
            raise Refused("not_allowed", "Who has set the dice cannot play with them.")
        if not await asyncio.to_thread(passwords.fits, joining.password, row.password):
            raise Refused("wrong_password", "This is not the match's password.")
        async with self._sitting_down:
            row = await self.row(id)
            if mine := _seat_of(row, caller, joining):  # somebody who asks twice at once still has one seat
                return mine
            taken = {seat.name for seat in row.seats}
            name = _unique(joining.name or caller.account.name, taken, row.config.get("name_length", 40))
            seat = await self._seated(row, caller.id, joining, name)
        await self._start_if_full(row, seat)
        return Joined(id, seat.seat, seat.name)

    async def sit(self, id: str, name: str, also: Also = _nothing) -> SeatInfo:
        """Give a seat to a program that has no account; what it is known by is kept together with the seat."""
        async with self._sitting_down:
            row = await self.row(id)
            if row.state in ("over", "broken"):
                raise Refused("over", "The match is over.")
            if any(seat.name == name for seat in row.seats):
                raise Refused("name_taken", f"There is a player named {name!r} already.")
            seat = await self._seated(row, None, Joining(), name, also)
        await self._start_if_full(row, seat)
        return seat

    async def vacate(self, id: str, number: int, also: Also = _nothing) -> None:
        """Give such a seat back; once the match runs it stays taken."""
        async with self._sitting_down:
            row = await self.row(id)
            if row.state == "lobby":
                free = SeatInfo(number, "open")
                await self._save(row.id, [free if one.seat == number else one for one in row.seats], free, also)

    async def _start_if_full(self, row: MatchRow, seat: SeatInfo) -> None:
        if row.state == "lobby" and row.wish.auto_start:
            left = [one for one in row.seats if one.kind == "open" and one.seat != seat.seat]
            if not left:
                await self.start(row.id)

    async def _seated(
        self, row: MatchRow, account: str | None, joining: Joining, name: str, also: Also = _nothing
    ) -> SeatInfo:
        open_seats = [seat for seat in row.seats if seat.kind == "open" and joining.seat in (None, seat.seat)]
        if not open_seats:
            if joining.seat is not None or row.state == "lobby":
                raise Refused("no_seat", "There is no such open seat." if joining.seat is not None else "It is full.")
            return await self._late(row, SeatInfo(0, joining.kind, name, account), also)
        seat = msgspec.structs.replace(open_seats[0], kind=joining.kind, account=account)
        if row.state == "lobby":
            seat = msgspec.structs.replace(seat, name=seat.name or name)
        await self._save(row.id, [seat if one.seat == seat.seat else one for one in row.seats], seat, also)
        return seat

    async def _late(self, row: MatchRow, joiner: SeatInfo, also: Also) -> SeatInfo:
        """A seat that was not there when the match began, if the game's rules allow it."""
        match = await self._host.match(row.id)
        if match.following and not match.over and also is _nothing:
            told = await self._host.ask_owner("join", match, joiner)
            return msgspec.convert(told, SeatInfo)
        return await self._let_in(match, joiner, also)

    async def _let_in(self, match: Match, joiner: SeatInfo, also: Also = _nothing) -> SeatInfo:
        def work(connection: Connection, seat: SeatInfo) -> None:
            stored.add_seat(connection, match.id, seat)
            also(connection, seat)

        return await match.join(joiner, work)

    async def _join_here(self, id: str, asked: Any) -> SeatInfo:
        joiner = msgspec.convert(asked, SeatInfo)
        match = await self._host.owned(id)
        async with self._sitting_down:
            has = [seat for seat in match.seats if joiner.account is not None and seat.account == joiner.account]
            taken = {seat.name for seat in match.seats}
            longest = (await self.row(id)).config.get("name_length", 40)
            named = msgspec.structs.replace(joiner, name=_unique(joiner.name, taken, longest))
            return has[0] if has else await self._let_in(match, named)

    async def leave(self, id: str, caller: Caller) -> None:
        """Get up: the seat is free again, or empty for good if the match runs."""
        async with self._sitting_down:
            await self._get_up(await self.row(id), caller)

    async def _get_up(self, row: MatchRow, caller: Caller) -> None:
        if not any(seat.account == caller.id for seat in row.seats):
            raise Refused("no_seat", "You have no seat in this match.")
        if row.state in ("over", "broken"):
            raise Refused("over", "The match is over; who played in it stays known.")
        after = SeatInfo(0, "empty" if row.state == "running" else "open")
        changed = [
            msgspec.structs.replace(seat, kind=after.kind, account=None, name=seat.name if row.started else "")
            if seat.account == caller.id
            else seat
            for seat in row.seats
        ]
        await self._save(row.id, changed)

    async def _save(
        self,
        id: str,
        sitting: Sequence[SeatInfo],
        changed: SeatInfo | None = None,
        also: Also = _nothing,
    ) -> None:
        def work(connection: Connection) -> None:
            stored.save_seats(connection, id, sitting)
            if changed is not None:
                also(connection, changed)

        await self._store.write(work)
        match = await self._host.at_hand(id)
        if match is not None:
            match.reseat(sitting)
        if match is not None and match.following and not match.over:
            await self._host.ask_owner("reseat", match, None)

    async def _reseat_here(self, id: str, asked: None) -> None:
        match = await self._host.owned(id)
        match.reseat(await self._store.read(partial(stored.seats_of, match=id)))

    async def start(self, id: str, casting: Casting | None = None) -> None:
        """Begin; seats that are open stay so, and may be taken later, unless ``casting`` says who plays."""
        row = await self.row(id)
        if row.state != "lobby":
            raise Refused("started", "The match has started already.")
        await self._host.workshop.ready(row.game)
        async with self._sitting_down:
            row = await self.row(id)
            wish = row.wish
            cast = casting(row) if casting else Cast(row.seats, wish.map)
            names = _names(cast.seats, row.config.get("name_length", 40))
            seats = [msgspec.structs.replace(seat, name=name) for seat, name in zip(cast.seats, names, strict=True)]
            try:
                game = await asyncio.to_thread(
                    marchland.new, row.game, names, seed=wish.seed, rules=wish.rules, config=wish.config, map=cast.map
                )
            except MarchlandError as problem:  # the request was fine; the match cannot be
                raise Refused("cannot_start", str(problem)) from None
            self._check_size(game, await self._creator_of(row))
            await self._begin(id, game, seats, cast.also)

    async def _creator_of(self, row: MatchRow) -> AccountInfo | None:
        return await self._store.read(partial(accounts.find, account=row.creator)) if row.creator else None

    def _check_size(self, game: Game, creator: AccountInfo | None) -> None:
        """Refuse a player's match on a board of which every picture would keep the others waiting."""
        most = self._host.settings.cells_limit
        if game.board.size > most and creator is not None and creator.role == "player":
            cells = f"{game.board.size:,} cells; without an organiser the most is {most:,}"
            raise Refused("cannot_start", f"This board has {cells}.")

    async def _begin(
        self, id: str, game: Game, seats: Sequence[SeatInfo], also: Callable[..., None] = _nothing
    ) -> None:
        snapshot = await asyncio.to_thread(game.snapshot)

        def work(connection: Connection) -> bool:
            begun = stored.start(connection, id, game.turn, snapshot, seats)
            if begun:
                also(connection)
            return begun

        if not await self._store.write(work):
            raise Refused("started", "The match has started already.")
        self._host.run(id)

    async def fork(self, id: str, caller: Caller, wish: ForkWish) -> MatchRow:
        """A new match from a turn of this one, with dice of its own."""
        row = await self.row(id)
        secret = self._history.is_secret(row)
        if secret and not self.looks_after(row, caller):
            raise Refused("hidden", "Until this match is over, only its organiser may fork it.")
        await self._check_number(caller)
        game = (await self._history.at(row, wish.turn)).fork()
        if game.outcome is not None:
            raise Refused("over", f"The match is over at turn {wish.turn}: there is nothing left to play.")
        self._check_size(game, caller.account)
        seats = _forked_seats(game, wish.seats, caller.account)
        made = NewMatch(
            game=row.game,
            seats=[SeatWish() for _ in seats],
            name=wish.name or f"{row.name or row.game} from turn {wish.turn}"[:80],
            config=row.config,
            clock=wish.clock,
            spectator_delay=None if secret else 0,
        )
        fork = _row(
            game=row.game, name=made.name, wish=made, config=row.config, creator=caller.id, seats=seats, forked_from=id
        )
        await self._store.write(lambda connection: stored.create(connection, fork))
        await self._begin(fork.id, game, seats)
        return await self.row(fork.id)

    async def end_turn(self, id: str) -> None:
        """End the open turn without waiting for anybody."""
        match = await self._host.match(id)
        if match.over:
            raise Refused("over", "The match is over.")
        if match.following:
            await self._host.ask_owner("end turn", match, (await self.row(id)).open_turn)
        else:
            match.hurry()

    async def _end_turn_here(self, id: str, turn: int) -> None:
        """End the turn that was meant; it may be over by now, or have been ended by the same request before."""
        match = await self._host.owned(id)
        if match.open_turn == turn:
            match.hurry()

    async def remove(self, id: str) -> None:
        """Stop a match and forget it."""
        await self.row(id)
        self._host.forget(id)
        await self._store.write(lambda connection: stored.remove(connection, id))
        self._host.wait_no_more(id)

    def looks_after(self, row: MatchRow, caller: Caller | None) -> bool:
        """Whether the match is the caller's to manage, and the caller has no stake in it."""
        if caller is None or any(seat.account == caller.id for seat in row.seats):
            return False
        return caller.may("organiser")


def _seat_of(row: MatchRow, caller: Caller, joining: Joining) -> Joined | None:
    """The seat that the caller has already, if he does not ask for another."""
    mine = next((seat for seat in row.seats if seat.account == caller.id), None)
    return Joined(row.id, mine.seat, mine.name) if mine is not None and joining.seat in (None, mine.seat) else None


def checked(wish: NewMatch) -> tuple[type[Game], dict[str, Any]]:
    """The game and all its settings, if a match can be made of them."""
    kind = marchland.find(wish.game)
    values = kind.config_type.checked(wish.config)
    if wish.rules is not None:
        values[kind.config_type.preset_field] = wish.rules
    config = kind.config_type.build(values)
    names = _names([_seat(number, one) for number, one in enumerate(wish.seats)], 40)
    kind._names(names)
    for one in wish.seats:
        if one.kind == "builtin" and one.bot not in kind.bots:
            have = ", ".join(kind.bots)
            raise Refused("no_such_bot", f"{kind.name} has no bot {one.bot!r}; it has {have}.")
    kind._check_map(config, names, wish.map)
    return kind, config.values()


def _row(*, seats: list[SeatInfo], wish: NewMatch, **values: Any) -> MatchRow:
    usual: dict[str, Any] = dict.fromkeys(
        ("creator", "room", "forked_from", "password", "started", "ended", "closes", "outcome", "owner")
    )
    counted = {"open_turn": 0, "entries": 0, "epoch": 0}
    return MatchRow(
        id=new_id(), state="lobby", created=time.time(), wish=wish, seats=seats, **(usual | counted | values)
    )


def _seat(number: int, wish: SeatWish) -> SeatInfo:
    return SeatInfo(number, wish.kind, wish.name, None, wish.bot if wish.kind == "builtin" else "")


def _forked_seats(game: Game, wishes: Sequence[SeatWish] | None, account: AccountInfo) -> list[SeatInfo]:
    """Who plays on: as wished, else the caller against the game's best bot."""
    usual = "greedy" if "greedy" in game.bots else next(iter(game.bots))
    wished = list(wishes or [SeatWish(), *(SeatWish("builtin", usual) for _ in game.players[1:])])
    if len(wished) != len(game.players):
        raise Refused("bad_request", f"This match has {len(game.players)} seats, not {len(wished)}.")
    seats = [_seat(number, wish) for number, wish in enumerate(wished)]
    named = [msgspec.structs.replace(seat, name=name) for seat, name in zip(seats, game.players, strict=True)]
    mine = next((seat.seat for seat in named if seat.kind == "open"), None)
    return [
        msgspec.structs.replace(seat, kind="human", account=account.id) if seat.seat == mine else seat for seat in named
    ]


def _names(seats: Sequence[SeatInfo], longest: int) -> list[str]:
    """What the players are called: nobody is called like another."""
    names: list[str] = []
    for seat in seats:
        base = (seat.name or seat.bot or f"seat {seat.seat}")[:longest]
        names.append(_unique(base, set(names), longest))
    return names


def _unique(name: str, taken: set[str], longest: int = 40) -> str:
    candidate, number = name[:longest], 1
    while candidate in taken:
        number += 1
        ending = f" {number}"
        candidate = name[: longest - len(ending)] + ending
    return candidate


__all__ = ["Lobby", "checked"]
