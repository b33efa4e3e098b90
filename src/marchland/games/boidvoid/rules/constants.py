"""What the numbers in BoidVoid's state mean: kinds, statuses, modifiers, uses, and the head's slots."""

from typing import Final, get_args

from marchland.core.state import GAME
from marchland.games.boidvoid.rules.orders import NftKind, Trait

NO_UNIT: Final = -1  # these three are rows of the state's tables
NO_TEAM: Final = -1
NO_ITEM: Final = -1
NEIGHBOURS: Final = 6
MOST_PLAYERS: Final = 20_000
MOST_PERIODS: Final = 4
MOST_LETTERS: Final = 24
MOST_STEP_COST: Final = 4000  # a step costs at most this, so that distance fields fit into buckets
MOST_BATTERY: Final = 2_000_000
HUNDREDTHS: Final = 100

TERRAINS: Final = ("clear", "asteroid_field", "nebula", "conduit", "planet")
ROLES: Final = ("trooper", "vice", "leader")
TROOPER, VICE, LEADER = range(3)

# What a unit is.
SHIP, SWARM, MOTHERSHIP, SUPERSTRUCTURE, NPC = range(5)
KINDS: Final = ("ship", "swarm", "mothership", "superstructure", "npc")
FIRST_ID: Final = (0, 10_000_000, 1_000_000, 2_000_000, 3_000_000)
"""Where the ids of each kind begin; a swarm's say place and generation, so that none is used twice."""

# Where a unit is.
GONE, WAITING, ALONE, IN_SWARM = range(4)
STATUSES: Final = ("gone", "waiting", "alone", "in_swarm")

FRESH: Final = 2
"""`acted` of a unit that was destroyed this turn: its counter starts with the next turn end (ruling 10)."""

# The task that occupies a ship.
IDLE, CAPTURING, BUILDING, JOINING = range(4)
TASKS: Final = (None, "capture", "build", "join_swarm")

# Modifiers: a unit's own, then those a superstructure gives its tile, in the order of a tile's bonuses.
ATTACK, DEFENSE, HEALTH, STEP, RANGE, RESPAWN, CHANCE, VALUE, JOIN, BUILD, BATTERY, RECOVERY, POINTS = range(13)
OWN_STATS: Final = 13
STATS: Final = 21
STAT_NAMES: Final[tuple[str, ...]] = get_args(Trait)[:STATS]
TURNS_TRAIT, TEMPLATE_TRAIT, BURNABLE_TRAIT = range(STATS, STATS + 3)
B_ATTACK, B_DEFENSE, B_CHANCE, B_VALUE, B_RANGE, B_MOVE, B_CAPTURE, B_POINTS = range(8)
BONUSES: Final = 8
BONUS_NAMES: Final = tuple(name.removeprefix("tile_") for name in STAT_NAMES[OWN_STATS:])

# NFTs inside a game.
NFT_KINDS: Final[tuple[str, ...]] = get_args(NftKind)
N_SHIP, N_MOTHERSHIP, N_STRUCTURE, N_BOOST, N_AVATAR, N_COLLECTIBLE = range(6)
FREE, EQUIPPED, IN_BUILDING, BUILT, STACKED, BOOSTING, SPENT = range(7)
USES: Final = ("free", "equipped", "building", "built", "stacked", "boosting", "spent")
BY_BURNING, BY_STAKING, BURNED = range(3)  # the last once the ledger has confirmed it
MODES: Final = ("burn", "stake", "burned")

# Whether a target strikes back, and why not (steps 15 to 18).
STRIKES_BACK, OVERWHELMED, NOT_ALLOWED, TARGET_TOO_FAR, CANNOT = range(5)
COUNTERS: Final = ("strikes back", "overwhelmed", "not allowed", "out of range", "cannot strike")

# Choices among the settings, as kernels read them.
STRONG, WEAK, AT_RANDOM, SPREAD = range(4)

# The head's slots.
TEAMS: Final = GAME
NPCS: Final = GAME + 1
UNITS: Final = GAME + 2  # rows
SHEET_ROWS: Final = GAME + 3
ITEMS: Final = GAME + 4
TRAIT_ROWS: Final = GAME + 5
LOCKED: Final = GAME + 6
MINUTE: Final = GAME + 7  # of the day, -1 while the host has not said
SHIPS_AT: Final = GAME + 8  # where the regions of the unit table begin
SWARMS_AT: Final = GAME + 9
STRUCTURES_AT: Final = GAME + 10
UNIT_NUMBERS: Final = GAME + 11  # how many numbers the tables hold: rows times columns
ITEM_NUMBERS: Final = GAME + 12
