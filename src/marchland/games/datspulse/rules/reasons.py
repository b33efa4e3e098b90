"""Why a DatsPulse order failed (ruling 5). `wire.judge` says the same in the public server's words."""

from marchland.core.reasons import Reason


class DatspulseReason(Reason):
    """A code for the kernels, a sentence for the player."""

    NOT_FOUND = 16, "Ant {ant} not found: you have no such ant."
    DEAD_ANT = 17, "Ant {ant} is dead."
    TOO_FAR = 18, "Ant {ant} cannot move more tiles than its speed."
    NO_TILE = 19, "Ant {ant} cannot move there: a tile of the path was not found on the map."
    NOT_ADJACENT = 20, "Ant {ant} cannot move there: two tiles of the path are not adjacent."
    REPLACED = 21, "A later order for ant {ant} took this one's place."
