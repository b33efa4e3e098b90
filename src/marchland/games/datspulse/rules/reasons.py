"""Why a DatsPulse order failed (ruling 5). `wire.judge` says the same in the public server's words."""

from marchland.core.reasons import Reason


class DatspulseReason(Reason):
    """A code for the kernels; the game's words have its sentence."""

    NOT_FOUND = 16
    DEAD_ANT = 17
    TOO_FAR = 18
    NO_TILE = 19
    NOT_ADJACENT = 20
    REPLACED = 21
