"""Why an Enova order failed."""

from marchland.core.reasons import Reason


class EnovaReason(Reason):
    """A code for the kernels, a sentence for the player."""

    OFF_THE_BOARD = 16, "There is no such tile on this board."
    NOT_YOURS = 17, "The tile is not yours."
    NO_UNITS = 18, "There are no units of yours on the tile."
    NO_TARGET = 19, "There is no tile {to} on this board to move to."
    NOT_ADJACENT = 20, "The tiles {from} and {to} are not neighbours."
    IMPASSABLE = 21, "The tile {to} is impassable."
    BAD_UNITS = 22, "A move takes at least 1 unit, not {units}."
    NOT_ENOUGH_UNITS = 23, "There are fewer than {units} units on {from}."
    REPLACED = 24, "A later order of yours for the same tile replaces this one."
