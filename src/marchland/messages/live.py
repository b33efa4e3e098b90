"""Messages of a match's WebSocket: JSON objects, tagged by ``type``.

A client opens ``/api/v1/matches/{id}/live`` as a spectator or with a seat, receives `Hello`, then `News` at every turn.
"""

from typing import Annotated, Any

import msgspec

from marchland.messages.matches import ActResult, ClientKey, MatchState, Receipt, TurnNumber
from marchland.messages.results import Outcome, Result, TurnReport
from marchland.messages.scene import Frame, Legend

Raw = msgspec.Raw
"""JSON that is encoded once and shared by all receivers."""


class Hello(msgspec.Struct, frozen=True, tag_field="type", tag="hello"):
    """The first message: match, game and viewpoint."""

    match: str
    game: str
    seat: int | None
    state: MatchState
    now: float
    legend: Annotated[Raw, msgspec.Meta(extra={"holds": Legend | None})]
    """None before the match starts."""


class News(msgspec.Struct, frozen=True, tag_field="type", tag="news", omit_defaults=True):
    """The state of the match: after `Hello`, after every turn and after every immediate action.

    ``frame`` is a `Frame`, ``view`` what the seat can see, ``results`` the results of its orders in the turn that is
    over, ``reports`` what else the game tells the seat about that turn, with the results. The client chooses which of
    them it receives when it opens the socket.
    """

    turn: int
    seq: int
    state: MatchState
    now: float
    closes: float | None = None
    frame: Annotated[Raw, msgspec.Meta(extra={"holds": Frame})] | None = None
    view: Raw | None = None
    results: Annotated[Raw, msgspec.Meta(extra={"holds": list[Result]})] | None = None
    reports: Annotated[Raw, msgspec.Meta(extra={"holds": list[TurnReport]})] | None = None
    late: bool = False
    """The turn that is over was played without this seat's orders."""
    outcome: Outcome | None = None


class Skipped(msgspec.Struct, frozen=True, tag_field="type", tag="skipped"):
    """The client read too slowly: so many news were dropped. The next ones start with a key frame."""

    count: int


class Answer(msgspec.Struct, frozen=True, tag_field="type", tag="answer", omit_defaults=True):
    """The reply to the client's message with this key: a receipt, the result of an action, or a refusal."""

    key: str
    receipt: Receipt | None = None
    acted: ActResult | None = None
    error: str = ""
    sentence: str = ""
    code: str = ""
    """With ``arguments`` the same as ``sentence``, for other languages; empty where there is only the sentence."""
    arguments: dict[str, Any] = {}


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
    """Subscribe to these chunks of the board only; None subscribes to all.

    News with all cells of newly subscribed chunks follow at once, as a frame to be merged into the current picture;
    after None, and after skipped news, it is a key frame.
    """

    chunks: Annotated[list[int], msgspec.Meta(max_length=4096)] | None


ClientMessage = SendOrders | SendAct | See
