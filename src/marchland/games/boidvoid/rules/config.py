"""Every number of BoidVoid. Seed = the rule document; rulings are listed on the game's page.

Points of attack, defense, health and battery are whole here and in NFTs; the state has health and battery in
hundredths (ruling 17).
"""

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from marchland.core.config import Config
from marchland.errors import ConfigError

Turns = Annotated[int, Meta(ge=0, le=10_000)]
Points = Annotated[int, Meta(ge=0, le=1000)]
Percent = Annotated[int, Meta(ge=0, le=100)]
Value = Annotated[int, Meta(ge=-100_000, le=1_000_000)]
Bonus = Annotated[int, Meta(ge=-1000, le=1000)]

Sheet = tuple[
    Annotated[Value, Meta(title="attack")],
    Annotated[Value, Meta(title="defense")],
    Annotated[Value, Meta(title="health")],
    Annotated[Value, Meta(title="cost to move")],
    Annotated[Value, Meta(title="range")],
    Annotated[Value, Meta(title="respawn")],
    Annotated[Value, Meta(title="critical chance")],
    Annotated[Value, Meta(title="critical value")],
    Annotated[Value, Meta(title="swarm join turns")],
    Annotated[Value, Meta(title="build rate")],
    Annotated[Value, Meta(title="battery")],
    Annotated[Value, Meta(title="battery recovery")],
    Annotated[Value, Meta(title="action points")],
]
Bonuses = tuple[
    Annotated[Bonus, Meta(title="attack %")],
    Annotated[Bonus, Meta(title="defense %")],
    Annotated[Bonus, Meta(title="critical chance")],
    Annotated[Bonus, Meta(title="critical value")],
    Annotated[Bonus, Meta(title="range")],
    Annotated[Bonus, Meta(title="movement")],
    Annotated[Bonus, Meta(title="capture")],
    Annotated[Bonus, Meta(title="action points")],
]


class BoidVoidRules(Config, frozen=True):
    """The settings that turns read, each one number."""

    game: ClassVar[str] = "boidvoid"

    rules: Literal["bots", "season"] = "bots"

    # Teams and turns
    teams: Annotated[int, Meta(ge=2, le=64)] = 2
    turn_length: Annotated[int, Meta(ge=1, le=86_400 * 7)] = 3600  # seconds, for the clock of a server
    lock: Percent = 5  # the last part of a turn in which actions are refused
    turn_limit: Annotated[int, Meta(ge=0, le=1_000_000)] = 200  # 0 for none
    end_on_domination: bool = True
    orders_limit: Annotated[int, Meta(ge=1, le=1000)] = 32  # a player and turn, queued
    name_length: Annotated[int, Meta(ge=1, le=24)] = 24  # of a swarm, in bytes
    late_join: bool = True

    # Moving
    base_move_cost: Points = 3
    min_move_cost: Annotated[int, Meta(ge=1, le=1000)] = 1
    action_points: Points = 9  # recharged each turn
    action_points_max: Points = 18

    # Capturing, building, spawning
    capture_turns: Turns = 2
    foreign_factor: Annotated[int, Meta(ge=1, le=100)] = 2
    build_turns: Annotated[int, Meta(ge=-1000, le=1000)] = 0  # added to the NFT's build rate
    respawn_ship: Turns = 2
    respawn_mothership: Turns = 4
    level_limit: Annotated[int, Meta(ge=1, le=100)] = 3  # of a superstructure
    boost_limit: Annotated[int, Meta(ge=1, le=1000)] = 3  # at a time on one unit

    # Battery
    battery_per_stake: Annotated[int, Meta(ge=0, le=1000)] = 1
    battery_recharge: Annotated[int, Meta(ge=0, le=1_000_000)] = 15  # a turn
    battery_ratio: Percent = 50  # the attack part at the start
    start_stake: Annotated[int, Meta(ge=0, le=2_000_000)] = 100

    # Combat
    critical_limit: Percent = 50
    counterattack: bool = True
    deplete_on_defense: bool = False
    damage_distribution: Literal["strong", "weak", "random", "spread"] = "strong"
    range_bonus: bool = False
    factor_limit: Annotated[int, Meta(ge=100, le=1000)] = 1000  # percent, of each factor of step 11 and 12

    npc_sight: Annotated[int, Meta(ge=0, le=100)] = 5


class BoidVoidConfig(BoidVoidRules, frozen=True):
    """Settings of a game; ``rules="season"`` for games that end with their season."""

    game: ClassVar[str] = "boidvoid"

    # Units
    ship: Sheet = (5, 10, 40, 0, 2, 0, 10, 50, 0, 0, 0, 0, 0)
    mothership: Sheet = (0, 25, 150, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    npc: Sheet = (20, 30, 150, 0, 2, 0, 10, 50, 0, 0, 0, 0, 0)

    # Tiles
    clear: Bonuses = (0, 0, 0, 0, 0, 0, 0, 0)
    asteroid_field: Bonuses = (0, 20, 0, 0, 0, 2, 1, 0)
    nebula: Bonuses = (-10, 10, -5, 0, 0, 1, 0, 0)
    conduit: Bonuses = (0, 0, 0, 0, 0, -1, 0, 1)
    planet: Bonuses = (10, 20, 0, 0, 0, 1, 2, 2)
    point: Bonuses = (20, 20, 5, 25, 0, 0, 1, 2)  # what a point of importance gives where the map does not say

    # What every player owns at the start, besides what a ledger gives
    start_structures: Annotated[int, Meta(ge=0, le=100)] = 1
    start_boosts: Annotated[int, Meta(ge=0, le=100)] = 1
    start_hulls: Annotated[int, Meta(ge=0, le=100)] = 0
    structure: Sheet = (30, 20, 80, 0, 2, 0, 0, 0, 0, 3, 0, 0, 0)
    structure_bonus: Bonuses = (10, 25, 0, 0, 0, -1, 0, 1)
    hull: Sheet = (10, 5, 20, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0)  # added to the ship's own
    boost: Sheet = (10, 0, 0, -1, 0, 0, 10, 0, 0, 0, 0, 5, 2)
    boost_turns: Annotated[int, Meta(ge=1, le=10_000)] = 5

    presets: ClassVar[dict[str, dict[str, Any]]] = {
        "bots": {},
        "season": {
            "end_on_domination": False,
            "turn_limit": 0,
            "start_stake": 0,
            "start_structures": 0,
            "start_boosts": 0,
        },
    }

    def check(self) -> None:
        """A unit without health would be dead on arrival."""
        for name in ("ship", "mothership", "npc", "structure"):
            if getattr(self, name)[2] < 1:
                raise ConfigError(f"boidvoid's setting {name} needs a health of at least 1, its third number.")
