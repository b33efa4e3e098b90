"""Why a BoidVoid order failed."""

from marchland.core.reasons import Reason


class BoidVoidReason(Reason):
    """A code for the kernels; the game's words have its sentence."""

    NO_SUCH_UNIT = 16
    NOT_YOUR_UNIT = 17
    LEADERS_ONLY = 18
    WRONG_KIND = 19
    NOT_ON_THE_MAP = 20
    IN_A_SWARM = 21
    NOT_IN_A_SWARM = 22
    BUSY = 23
    ACTED = 24
    LOCKED = 25
    OFF_THE_MAP = 26
    NO_WAY = 27
    BLOCKED = 28
    NOT_ADJACENT = 29
    TOO_FAR_TO_PAY = 30
    NO_TARGET = 31
    MOTHERSHIP_MISSING = 32
    OWN_TILE = 33
    NOT_OWN_TILE = 34
    HAS_STRUCTURE = 35
    NO_STRUCTURE = 36
    NOT_YOUR_NFT = 37
    NFT_IN_USE = 38
    WRONG_NFT = 39
    NOT_BURNABLE = 40
    ALREADY_SPAWNED = 41
    RESPAWNING = 42
    BAD_RATIO = 43
    OWN_TEAM = 44
    OUT_OF_RANGE = 45
    BAD_NAME = 46
    NAME_TAKEN = 47
    OTHER_TEAM = 48
    BAD_PERIODS = 49
    NOTHING_TO_CANCEL = 50
    LEVEL_LIMIT = 51
    TOO_MANY_ORDERS = 52
    NO_SUCH_NFT = 53
    BAD_VALUE = 54
    NO_SUCH_TEAM = 55
    NOT_WAITING = 56
    HOST_ONLY = 57
    BOOST_LIMIT = 58
    TARGET_NOT_ON_THE_MAP = 59
    TARGET_IN_A_SWARM = 60
