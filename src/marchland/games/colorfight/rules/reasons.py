"""Why a Colorfight order failed."""

from marchland.core.reasons import Reason


class ColorfightReason(Reason):
    """A code for the kernels; the game's words have its sentence."""

    OFF_THE_MAP = 16
    NOT_YOURS = 17
    NO_ADJACENT_CELL = 18
    BAD_ENERGY = 19
    NOT_ENOUGH_ENERGY = 20
    NOT_ENOUGH_GOLD = 21
    OCCUPIED = 22
    ONE_HOME = 23
    HOME_FIRST = 24
    NOTHING_TO_UPGRADE = 25
    TOP_LEVEL = 26
    UPGRADE_HOME_FIRST = 27
    NO_SUCH_BUILDING = 28
