"""Every number of Hive. Seed = the rule document; rulings are listed on the game's page."""

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from marchland.core.config import Config
from marchland.errors import ConfigError

Count = Annotated[int, Meta(ge=0, le=1_000_000)]
AtLeastOne = Annotated[int, Meta(ge=1, le=1_000_000)]
Radius = Annotated[int, Meta(ge=1, le=100)]


class HiveConfig(Config, frozen=True):
    """Settings of a match; the defaults are the seed's, ``edition="2025"`` the public competition's later rules."""

    game: ClassVar[str] = "hive"
    preset_field: ClassVar[str] = "edition"

    edition: Literal["seed", "2025"] = "seed"

    # "Hardcoded values"
    bee_cost: Count = 12
    hive_cost: Count = 24
    wall_cost: Count = 6
    bee_hp: Count = 2
    hive_hp: Count = 12
    wall_hp: Count = 6
    field_flowers: Count = 120
    start_flowers: Count = 0  # ruling 12

    # Sight and influence (rulings 1 and 2)
    bee_view: Radius = 4
    hive_view: Radius = 4
    influence: Literal["shared", "closest"] = "shared"

    # Commands
    orders_per_unit: Annotated[int, Meta(ge=1, le=64)] = 4  # ruling 12
    attack: Literal["damage", "chance"] = "damage"  # ruling 16: without hit points an attack succeeds by chance
    attack_damage: AtLeastOne = 1
    wall_falls_in: AtLeastOne = 6  # of so many attacks by chance one brings a wall down
    bee_stunned_in: AtLeastOne = 2  # and one stuns a bee
    forage_flowers: Annotated[int, Meta(ge=1, le=1000)] = 1
    carrying: bool = False  # ruling 16: a bee carries what it foraged to a hive

    # Victory and end
    last_standing: bool = True
    elimination: Literal["entities", "hives"] = "entities"  # ruling 4: what a player must own to be alive
    influence_wins: bool = True
    influence_percent: Annotated[int, Meta(ge=0, le=100)] = 50  # more than this share of the cells
    stalemate: Literal["either", "both", "gathering"] = "either"  # ruling 3
    stalemate_turns: AtLeastOne = 50
    end_without_flowers: bool = False  # ruling 16
    rank_by: Literal["influence, flowers, bees", "flowers"] = "influence, flowers, bees"
    max_turn: AtLeastOne = 2000  # ruling 14

    presets: ClassVar[dict[str, dict[str, Any]]] = {
        "seed": {},
        "2025": {
            "attack": "chance",
            "bee_hp": 0,
            "hive_hp": 0,
            "wall_hp": 0,
            "bee_cost": 6,
            "hive_cost": 12,
            "wall_cost": 1,
            "field_flowers": 8,
            "carrying": True,
            "influence_wins": False,
            "last_standing": False,
            "stalemate": "gathering",
            "end_without_flowers": True,
            "rank_by": "flowers",
        },
    }

    def check(self) -> None:
        """An attack that does damage needs something to damage."""
        if self.attack == "damage" and min(self.bee_hp, self.hive_hp, self.wall_hp) < 1:
            raise ConfigError('hive\'s settings: bee_hp, hive_hp and wall_hp must be at least 1 with attack="damage".')
