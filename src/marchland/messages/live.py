"""What travels over a match's WebSocket, as JSON objects whose ``type`` says which.

A client opens ``/api/v1/matches/{id}/live`` as a spectator or with a seat, is greeted, and gets `News` at every turn.
"""

from typing import Annotated, Any

import msgspec

from marchland.messages.matches import ActResult, ClientKey, MatchState, Receipt, TurnNumber
from marchland.messages.results import Outcome, Result
from marchland.messages.scene import Frame, Legend

Raw = msgspec.Raw
"""JSON that is encoded once and shared by everybody who gets it."""


class Hello(msgspec.Struct, frozen=True, tag_field="type", tag="hello"):
    """The first message: what everything after it is about."""

    match: str
    game: str
    seat: int | None
    state: MatchState
    now: float
    legend: Annotated[Raw, msgspec.Meta(extra={"holds": Legend | None})]
    """None before the match starts."""


class News(msgspec.Struct, frozen=True, tag_field="type", tag="news", omit_defaults=True):
    """How the match stands: after `Hello`, after every turn and after every immediate action.

    ``frame`` is a `Frame`, ``view`` what the seat may know, ``results`` what became of its orders in the turn that is
    over. Which of them come, the client chose when it opened the socket.
    """

    turn: int
    seq: int
    state: MatchState
    now: float
    closes: float | None = None
    frame: Annotated[Raw, msgspec.Meta(extra={"holds": Frame})] | None = None
    view: Raw | None = None
    results: Annotated[Raw, msgspec.Meta(extra={"holds": list[Result]})] | None = None
    late: bool = False
    """The turn that is over had to go without this seat's orders."""
    outcome: Outcome | None = None


class Skipped(msgspec.Struct, frozen=True, tag_field="type", tag="skipped"):
    """The client read too slowly: so many news were left out. The next ones start from a key frame."""

    count: int


class Answer(msgspec.Struct, frozen=True, tag_field="type", tag="answer", omit_defaults=True):
    """What became of the client's message with this key: a receipt, what an action did, or why it was refused."""

    key: str
    receipt: Receipt | None = None
    acted: ActResult | None = None
    error: str = ""
    sentence: str = ""


ServerMessage = Hello | News | Skipped | Answer


class SendOrders(msgspec.Struct, frozen=True, tag_field="type", tag="orders"):
    """Orders for a turn, or for the open one."""

    orders: list[Any]
    key: ClientKey
    turn: TurnNumber | None = None
    ready: bool = True


class SendAct(msgspec.Struct, frozen=True, tag_field="type", tag="act"):
    """One immediate action."""

    order: Any
    key: ClientKey


class See(msgspec.Struct, frozen=True, tag_field="type", tag="see"):
    """From now on only these chunks of the board are wanted; None wants all.

    News with all cells of those that were not wanted before follow at once, as a frame that is added to what is known;
    after None, and after a frame was left out, it is a key frame.
    """

    chunks: Annotated[list[int], msgspec.Meta(max_length=4096)] | None


ClientMessage = SendOrders | SendAct | See
