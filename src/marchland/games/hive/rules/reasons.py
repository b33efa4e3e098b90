"""Why a Hive order failed (ruling 8)."""

from marchland.core.reasons import Reason


class HiveReason(Reason):
    """A code for the kernels; the game's words have its sentence."""

    INVALID_UNIT = 16
    UNIT_ALREADY_ACTED = 17
    BLOCKED = 18
    INVALID_TARGET = 19
    CANNOT_FORAGE = 20
    NOT_ENOUGH_RESOURCES = 21
    TOO_MANY_ORDERS = 22
    UNIT_STUNNED = 23
