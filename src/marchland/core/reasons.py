"""Why an order was refused. Each game adds its own reasons; their sentences are in the game's words."""

import enum


class Reason(enum.IntEnum):
    """A code for kernels; its name is the key of a sentence in `Words.results`."""


class CommonReason(Reason):
    """The reasons that every game has; a game's own count from 16."""

    OK = 0
    MALFORMED = 1
    NO_SUCH_PLAYER = 2
    GAME_OVER = 3
    NOT_IMMEDIATE = 4
    DEAD = 5
