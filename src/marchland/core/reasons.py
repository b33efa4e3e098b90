"""Why an order did what it did. Each game adds its own reasons; the sentence is written here once, for every reader."""

import enum
from typing import Any, Self


class Reason(enum.IntEnum):
    """A code for kernels with a sentence for people.

    A sentence may name the order's own fields, ``{at}``, and the settings, ``{rules.max_turn}``.
    """

    sentence: str

    def __new__(cls, code: int, sentence: str) -> Self:  # noqa: D102 - the class explains it
        member = int.__new__(cls, code)
        member._value_ = code
        member.sentence = sentence
        return member

    def explain(self, order: dict[str, Any] | None, rules: Any) -> str:
        """The sentence for one order."""
        return self.sentence.format_map({"rules": rules, **(order or {})})


class CommonReason(Reason):
    """The reasons that every game has; a game's own count from 16."""

    OK = 0, "Done."
    MALFORMED = 1, "The order was not understood."
    NO_SUCH_PLAYER = 2, "There is no such player in this match."
    GAME_OVER = 3, "The match is over."
    NOT_IMMEDIATE = 4, "This game has no immediate actions; orders wait for the turn."
    DEAD = 5, "You are out of the game."
