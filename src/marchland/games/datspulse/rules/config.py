"""Every number of DatsPulse. Seed = the rule document; rulings are listed on the game's page.

Values by kind of ant are in the order worker, soldier, scout; by kind of food: apple, bread, nectar.
"""

from typing import Annotated, Any, ClassVar, Final, Literal, get_args

from msgspec import Meta

from marchland.core.config import Config
from marchland.errors import ConfigError

Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Some = Annotated[int, Meta(ge=1, le=100_000)]
Percent = Annotated[int, Meta(ge=0, le=100)]
Reach = Annotated[int, Meta(ge=0, le=10)]
Steps = Annotated[int, Meta(ge=1, le=20)]  # no more: a way of so many fills 61 bits
Cost = Annotated[int, Meta(ge=1, le=100)]
Load = Annotated[int, Meta(ge=0, le=1000)]
Generator = Literal["lattice", "jitter", "biomes"]

GENERATORS: Final[tuple[str, ...]] = get_args(Generator)
"""In the order in which final rounds use them."""


class DatspulseConfig(Config, frozen=True):
    """Settings of a round; the defaults are the seed's, ``rules="upstream"`` the public server's."""

    game: ClassVar[str] = "datspulse"

    rules: Literal["seed", "upstream"] = "seed"

    # Map (ruling 1)
    generator: Generator = "lattice"
    radius: Annotated[int, Meta(ge=0, le=1000)] = 0  # 0: by the number of teams
    hexes_per_team: Annotated[int, Meta(ge=50, le=10_000)] = 400
    least_radius: Annotated[int, Meta(ge=5, le=1000)] = 20
    nest_spacing: Annotated[int, Meta(ge=6, le=100)] = 20
    nest_error: Annotated[int, Meta(ge=0, le=20)] = 3  # how far a nest strays, but on a lattice
    dirt_percent: Annotated[int, Meta(ge=0, le=40)] = 9
    acid_percent: Annotated[int, Meta(ge=0, le=40)] = 10
    rock_percent: Annotated[int, Meta(ge=0, le=20)] = 7

    # Hexes (seed: table 4)
    dirt_cost: Cost = 2
    rock_cost: Cost = 30  # shown, never paid (ruling 2)
    acid_damage: Count = 20

    # Ants (seed: table 1)
    health: tuple[Some, Some, Some] = (130, 180, 80)
    attack: tuple[Count, Count, Count] = (30, 70, 20)
    capacity: tuple[Load, Load, Load] = (8, 2, 2)
    vision: tuple[Reach, Reach, Reach] = (1, 1, 4)
    speed: tuple[Steps, Steps, Steps] = (5, 4, 7)
    spawn: tuple[Percent, Percent, Percent] = (60, 30, 10)
    ant_limit: Annotated[int, Meta(ge=1, le=1000)] = 100

    # Bonuses (seed: table 2) and nests
    support_percent: Count = 50
    nest_percent: Count = 25
    nest_bonus_radius: Reach = 2
    nest_view: Reach = 2
    nest_damage: Count = 20
    nest_range: Reach = 2
    fire_from: Literal["nest", "spot"] = "nest"  # ruling 6

    # Food (seed: table 3; ruling 4)
    calories: tuple[Some, Some, Some] = (10, 20, 60)
    food_percent: Percent = 10
    pile_most: Load = 15
    growth_percent: Percent = 30
    piles_per_team: Count = 40

    # Rounds (rulings 18, 19). Their clock, lobby, break and scoring belong to the announcement of a round.
    max_turn: Annotated[int, Meta(ge=1, le=1_000_000)] = 300
    log_lines: Some = 1000

    presets: ClassVar[dict[str, dict[str, Any]]] = {
        "seed": {},
        "upstream": {"fire_from": "spot", "growth_percent": 0},
    }

    def check(self) -> None:
        """Chances must be chances of something, and most of the land must stay open."""
        if not sum(self.spawn):
            raise ConfigError("datspulse's settings: spawn must leave a chance to at least one kind of ant.")
        if self.dirt_percent + self.acid_percent + self.rock_percent > 80:
            raise ConfigError("datspulse's settings: dirt, acid and rock may cover 80 % of the map at most.")
        if self.pile_most < 1:
            raise ConfigError("datspulse's settings: pile_most must be at least 1.")
