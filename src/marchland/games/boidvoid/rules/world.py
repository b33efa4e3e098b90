"""Everything that an action may read or change, and how each rule opens what it needs of it. Compiled."""

from typing import Any, Final, NamedTuple

from marchland.board.cells import open_tables
from marchland.core.dice import make_dice
from marchland.core.reasons import CommonReason
from marchland.core.state import KEY0, KEY1, TURN, head_of
from marchland.games.boidvoid.rules.state import (
    buckets_of,
    cells_of,
    fields_of,
    items_of,
    land_of,
    letters_of,
    lineup_of,
    periods_of,
    players_of,
    ready_of,
    rules_of,
    search_of,
    sheets_of,
    teams_of,
    traits_of,
    units_of,
)
from marchland.kernels import kernel

OK: Final = int(CommonReason.OK)

# What a draw is for.
SHUFFLE, CRITICAL, COUNTER_CRITICAL, DISTRIBUTION, NPC_STEP, COUNTER_DISTRIBUTION = range(6)


class World(NamedTuple):
    """The arrays that a kernel is given. Each function opens what it needs of them: a tuple of all views would be
    unpacked and packed again at every call, which took minutes to compile."""

    state: Any
    work: Any
    at: Any
    tables: Any
    events: Any
    settings: Any


@kernel
def open_world(state, work, at, board, events, rules):
    return World(state, work, at, board, events, rules)


@kernel
def head_in(world):
    return head_of(world.state, world.at)


@kernel
def cells_in(world):
    return cells_of(world.state, world.at)


@kernel
def land_in(world):
    return land_of(world.state, world.at)


@kernel
def players_in(world):
    return players_of(world.state, world.at)


@kernel
def periods_in(world):
    return periods_of(world.state, world.at).minute


@kernel
def teams_in(world):
    return teams_of(world.state, world.at)


@kernel
def letters_in(world):
    return letters_of(world.state, world.at).byte


@kernel
def units_in(world):
    return units_of(world.state, world.at)


@kernel
def sheets_in(world):
    return sheets_of(world.state, world.at).stat


@kernel
def items_in(world):
    return items_of(world.state, world.at)


@kernel
def traits_in(world):
    return traits_of(world.state, world.at).value


@kernel
def search_in(world):
    return search_of(world.work, world.at)


@kernel
def fields_in(world):
    return fields_of(world.work, world.at).cost


@kernel
def ready_in(world):
    return ready_of(world.work, world.at).flag


@kernel
def buckets_in(world):
    return buckets_of(world.work, world.at).first


@kernel
def lineup_in(world):
    return lineup_of(world.work, world.at)


@kernel
def board_in(world):
    return open_tables(world.tables)


@kernel
def rules_in(world):
    return rules_of(world.settings)


@kernel
def dice_in(world):
    """Dice that do not depend on earlier actions: those of others elsewhere change nothing here (ruling 44)."""
    head = head_in(world)
    return make_dice(head[KEY0], head[KEY1], head[TURN], 0)
