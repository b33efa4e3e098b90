"""Every number of Colorfight. Seed = the rule document; rulings are listed on the game's page."""

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from marchland.core.config import Config
from marchland.errors import ConfigError

MOST_COST = 30_000

Side = Annotated[int, Meta(ge=8, le=2048)]
Count = Annotated[int, Meta(ge=0, le=1_000_000_000)]
FieldStep = Annotated[int, Meta(ge=0, le=1000)]
ByLevel = tuple[Count, Count, Count]


class ColorfightConfig(Config, frozen=True):
    """Settings of a match; the defaults are the seed's, ``rules="upstream"`` the public server's."""

    game: ClassVar[str] = "colorfight"

    rules: Literal["seed", "upstream"] = "seed"

    # Map (ruling 17)
    width: Side = 30
    height: Side = 30
    natural_most: Annotated[int, Meta(ge=1, le=100)] = 10  # natural gold and energy are 1 to this
    cost_factor: Annotated[int, Meta(ge=1, le=50)] = 10
    cost_spread: tuple[Count, Count] = (600, 1500)  # thousandths
    cost_clip: tuple[Count, Count] = (1, 300)
    blur_passes: Annotated[int, Meta(ge=0, le=20)] = 3
    blur_percent: Annotated[int, Meta(ge=0, le=25)] = 5
    home_spacing: Count = 6  # homes of a symmetric map are at least size / this apart; 0 for no minimum

    # Start and end
    max_turn: Annotated[int, Meta(ge=2, le=1_000_000)] = 500
    start_energy: Count = 1000
    start_gold: Count = 0
    late_join: bool = True
    name_length: Annotated[int, Meta(ge=1, le=1000)] = 14
    early_end: bool = True  # ruling 15
    rank_by: Literal["gold, cells, energy", "gold"] = "gold, cells, energy"

    # Force field
    field_most: Annotated[int, Meta(ge=0, le=10_000)] = 1000
    field_per_excess: Count = 2
    fortress_field: FieldStep = 4  # a level, on the fortress's own cell
    ally_field: FieldStep = 2
    ally_fortress_field: FieldStep = 2  # more a level
    enemy_field: FieldStep = 6
    enemy_fortress_base: FieldStep = 6
    enemy_fortress_field: FieldStep = 10  # more a level

    # Buildings
    home_defence: Count = 1000
    home_income: Count = 10  # energy and gold, a level
    home_gold: Count = 1000
    well_gold: Count = 200
    mine_gold: Count = 200
    fortress_gold: Count = 200
    home_upgrade_energy: tuple[Count, Count] = (1000, 2000)
    home_upgrade_gold: tuple[Count, Count] = (1000, 2000)
    upgrade_gold: tuple[Count, Count] = (400, 600)
    refund: ByLevel = (100, 300, 600)
    well_capture_field: ByLevel = (100, 300, 600)
    mine_capture_gold: ByLevel = (100, 300, 600)
    steal_divisor: Annotated[int, Meta(ge=1, le=1000)] = 3

    # Tax
    tax_bracket: Annotated[int, Meta(ge=1, le=1_000_000)] = 75

    # Where the public server differs
    separate_attacks: bool = False  # ruling 2: each attack command is its own entry
    list_order: bool = False  # ruling 5: commands run strictly in list order
    own_attack_replaces: bool = False  # ruling 7: the field is replaced, even if lower
    debts_count: bool = False  # ruling 8: negative balances count as they are
    indebted_builds: bool = False  # ruling 12: builds do not look at the energy
    running_money: bool = False  # rulings 10, 11: captures in scan order, money moves as it goes
    ruins_refunded: bool = True  # ruling 10: half price for the buildings that fall with a Home
    ruins_after_income: bool = False  # ruling 12: they still count in that turn's income and tax

    presets: ClassVar[dict[str, dict[str, Any]]] = {
        "seed": {},
        "upstream": {
            "separate_attacks": True,
            "list_order": True,
            "own_attack_replaces": True,
            "debts_count": True,
            "indebted_builds": True,
            "running_money": True,
            "ruins_refunded": False,
            "ruins_after_income": True,
            "enemy_field": 5,
            "early_end": False,
            "rank_by": "gold",
            "cost_factor": 20,
            "cost_clip": (0, 30_000),
            "home_spacing": 0,
        },
    }

    def check(self) -> None:
        """Ranges run upward, and a natural cost fits its array."""
        for name, (least, most) in {"cost_spread": self.cost_spread, "cost_clip": self.cost_clip}.items():
            if least > most:
                raise ConfigError(
                    f"colorfight's {name} runs from {least} down to {most}; the smaller number comes first."
                )
        if self.cost_clip[1] > MOST_COST:
            raise ConfigError(f"colorfight's cost_clip ends at {MOST_COST} or below, not at {self.cost_clip[1]}.")
