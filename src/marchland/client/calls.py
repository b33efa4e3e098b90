"""What can be asked of a server over HTTP."""

import uuid
from types import NoneType
from typing import Any
from urllib.parse import quote

from marchland.client.call import Call
from marchland.client.errors import ClientError
from marchland.messages import (
    AccountInfo,
    Acted,
    ActPost,
    ForkWish,
    Frame,
    GameInfo,
    Joined,
    Joining,
    Legend,
    MatchInfo,
    NewAccount,
    NewMatch,
    OrdersPost,
    Receipt,
    TurnLog,
    Welcome,
)


def fresh_key() -> str:
    """A key that no other post has."""
    return uuid.uuid4().hex


def register(name: str) -> Call[Welcome]:
    """Make an account."""
    return Call(Welcome, "/accounts", NewAccount(name), method="POST", repeatable=False)


def me() -> Call[AccountInfo]:
    """Whose token this is."""
    return Call(AccountInfo, "/me")


def games() -> Call[list[str]]:
    """Which games there are."""
    return Call(list[str], "/games")


def game(name: str) -> Call[GameInfo]:
    """One game."""
    return Call(GameInfo, f"/games/{quote(name, safe='')}")


def matches(state: str | None = None, game: str | None = None, room: str | None = None) -> Call[list[MatchInfo]]:
    """Which matches there are."""
    return Call(list[MatchInfo], "/matches", params={"state": state, "game": game, "room": room})


def match(id: str) -> Call[MatchInfo]:
    """One match."""
    return Call(MatchInfo, _match(id))


def create(wish: NewMatch) -> Call[MatchInfo]:
    """Make a match."""
    return Call(MatchInfo, "/matches", wish, method="POST", repeatable=False)


def join(id: str, joining: Joining) -> Call[Joined]:
    """Take a seat."""
    return Call(Joined, _match(id, "/join"), joining, method="POST")


def leave(id: str) -> Call[None]:
    """Give the seat up."""
    return Call(NoneType, _match(id, "/leave"), method="POST", repeatable=False)


def start(id: str) -> Call[MatchInfo]:
    """Begin a match."""
    return Call(MatchInfo, _match(id, "/start"), method="POST", repeatable=False)


def end_turn(id: str) -> Call[None]:
    """End the open turn."""
    return Call(NoneType, _match(id, "/end-turn"), method="POST", repeatable=False)


def orders(id: str, post: OrdersPost) -> Call[Receipt]:
    """Give orders."""
    return Call(Receipt, _match(id, "/orders"), post, method="POST")


def act(id: str, post: ActPost) -> Call[Acted]:
    """Do something at once."""
    return Call(Acted, _match(id, "/act"), post, method="POST")


def fork(id: str, wish: ForkWish) -> Call[MatchInfo]:
    """Make a match from a turn of another one."""
    return Call(MatchInfo, _match(id, "/fork"), wish, method="POST", repeatable=False)


def again(id: str) -> Call[MatchInfo]:
    """Make a match like one that is over."""
    return Call(MatchInfo, _match(id, "/again"), method="POST", repeatable=False)


def view(id: str, seat: int | None) -> Call[dict[str, Any]]:
    """What a seat may know, or a spectator."""
    return Call(dict[str, Any], _match(id, "/view"), params={"seat": seat})


def legend(id: str) -> Call[Legend]:
    """What a viewer must know once."""
    return Call(Legend, _match(id, "/legend"))


def frames(id: str, since: int, count: int | None, seat: int | None) -> Call[list[Frame]]:
    """A key frame, and the frames of the turns after it."""
    return Call(list[Frame], _match(id, "/frames"), params={"from": since, "count": count, "seat": seat})


def legal(id: str, seat: int | None, partial: dict[str, Any]) -> Call[Any]:
    """The menu of orders, as plain data."""
    return Call(object, _match(id, "/legal"), partial, params={"seat": seat}, method="POST")


def log(id: str, since: int | None, seat: int | None) -> Call[list[TurnLog]]:
    """What became of a seat's orders."""
    return Call(list[TurnLog], _match(id, "/log"), params={"from": since, "seat": seat})


def replay(id: str) -> Call[bytes]:
    """The match as a ``.march`` file."""
    return Call(bytes, _match(id, "/replay"))


def unfinished(room: str, matches: list[MatchInfo]) -> MatchInfo:
    """The newest match of a room that is not over."""
    found = next((one for one in matches if one.state in ("lobby", "running")), None)
    if found is None:
        raise ClientError(f"There is no match in the room {room!r} now.")
    return found


def _match(id: str, rest: str = "") -> str:
    return f"/matches/{quote(id, safe='')}{rest}"
