"""Why a Colorfight order failed."""

from marchland.core.reasons import Reason


class ColorfightReason(Reason):
    """A code for the kernels, a sentence for the player."""

    OFF_THE_MAP = 16, "There is no cell {at} on this map."
    NOT_YOURS = 17, "The cell {at} is not yours."
    NO_ADJACENT_CELL = 18, "None of the four neighbours of {at} is yours."
    BAD_ENERGY = 19, "An attack takes at least 1 energy, not {energy}."
    NOT_ENOUGH_ENERGY = 20, "You do not have enough energy left."
    NOT_ENOUGH_GOLD = 21, "You do not have enough gold left."
    OCCUPIED = 22, "There is a building on {at} already."
    ONE_HOME = 23, "You have a home already; a player may have only one."
    HOME_FIRST = 24, "You need a home that stood when the turn began before you build anything else."
    NOTHING_TO_UPGRADE = 25, "There is no building on {at} to upgrade."
    TOP_LEVEL = 26, "The building on {at} has the highest level already."
    UPGRADE_HOME_FIRST = 27, "A building cannot outgrow your home: upgrade your home first, and this one next turn."
    NO_SUCH_BUILDING = 28, "There is no such building."
