"""Why a Hive order failed (ruling 8)."""

from marchland.core.reasons import Reason


class HiveReason(Reason):
    """A code for the kernels, a sentence for the player."""

    INVALID_UNIT = 16, "{unit} is no unit of yours that can do this."
    UNIT_ALREADY_ACTED = 17, "{unit} has acted this turn already; a unit acts once a turn, whether it succeeds or not."
    BLOCKED = 18, "The cell {dir} of {unit} is blocked by stone or by an entity."
    INVALID_TARGET = 19, "There is no target {dir} of {unit}: an attack needs an entity there, the rest a cell."
    CANNOT_FORAGE = 20, "{unit} is not in a field with flowers left, nor loaded and next to a hive of yours."
    NOT_ENOUGH_RESOURCES = 21, "You do not have enough flowers left."
    TOO_MANY_ORDERS = (
        22,
        "At most {rules.orders_per_unit} orders are read for each bee and hive that you own at the turn's start.",
    )
    UNIT_STUNNED = 23, "{unit} was stunned this turn."
