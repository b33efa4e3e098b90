"""Why an Enova order failed."""

from marchland.core.reasons import Reason


class EnovaReason(Reason):
    """A code for the kernels; the game's words have its sentence."""

    OFF_THE_BOARD = 16
    NOT_YOURS = 17
    NO_UNITS = 18
    NO_TARGET = 19
    NOT_ADJACENT = 20
    IMPASSABLE = 21
    BAD_UNITS = 22
    NOT_ENOUGH_UNITS = 23
    REPLACED = 24
