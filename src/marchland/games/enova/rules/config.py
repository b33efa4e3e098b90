"""Every number of Enova Conquest. Seed = the rule document; rulings are listed on the game's page."""

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from marchland.core.config import Config
from marchland.errors import ConfigError

Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Percent = Annotated[int, Meta(ge=0, le=100)]


class EnovaConfig(Config, frozen=True):
    """Settings of a match; the defaults are the seed's and the rulings', ``rules="open"`` a world one may join."""

    game: ClassVar[str] = "enova"

    rules: Literal["seed", "open"] = "seed"

    # Board (ruling 1)
    castle_spacing: Annotated[int, Meta(ge=2, le=64)] = 4
    least_castles: Annotated[int, Meta(ge=2, le=1000)] = 2  # in a row, and rows of them
    diagonals: bool = False
    open_world: bool = False  # ruling 15

    # Start and production (ruling 2)
    start_units: Count = 2
    production: Count = 1

    # Battle (rulings 8 and 9)
    variance_percent: Percent = 25
    killed_percent: Percent = 50
    single_unit_dies: bool = False  # ruling 25

    # End (ruling 11)
    turn_limit: Annotated[int, Meta(ge=1, le=1_000_000)] = 300
    rank_eliminated: Literal["together", "by turn"] = "together"  # ruling 26

    presets: ClassVar[dict[str, dict[str, Any]]] = {"seed": {}, "open": {"open_world": True}}

    def check(self) -> None:
        """Castles and impassable tiles alternate, so the spacing is even."""
        if self.castle_spacing % 2:
            raise ConfigError(f"enova's settings: castle_spacing must be even, not {self.castle_spacing}.")
