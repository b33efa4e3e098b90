"""Orders as people and programs write them: a JSON object whose ``do`` is the verb.

A game declares each verb as a subclass of `Order`. The annotations of its fields say what a player picks for
them; parsing, packing, the menu of legal orders and the buttons in the browser all follow from that.
"""

from typing import Annotated, ClassVar, Literal

import msgspec

PickKind = Literal["piece", "cell", "direction", "path", "number", "choice", "text"]


Harm = Literal["", "own", "target"]


class Pick(msgspec.Struct, frozen=True):
    """What a player picks for a parameter."""

    kind: PickKind


LARGEST = 2**53 - 1
"""The largest integer that every JSON reader represents exactly."""

Whole = Annotated[int, msgspec.Meta(ge=-LARGEST, le=LARGEST)]

Cell = Annotated[tuple[int, int], Pick("cell")]
Number = Annotated[Whole, Pick("number")]
Piece = Annotated[Whole, Pick("piece")]
Text = Annotated[str, Pick("text")]
Path = Annotated[list[tuple[int, int]], Pick("path")]


class Order(msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """Base of every game's orders."""

    key: ClassVar[str] = ""
    """The key that chooses this verb in the browser."""
    when: ClassVar[Literal["turn", "now"]] = "turn"
    """Whether the order waits for the turn or takes effect at once."""
    role: ClassVar[str] = ""
    """The role that may give it, where a game has roles."""
    harms: ClassVar[Harm] = ""
    """What it damages or destroys: the player's own piece that it names, or whatever its target is."""
