"""Hive's orders. A unit is named by its id or by the cell where it stands when the order is carried out (ruling 7)."""

from typing import Annotated, ClassVar, Final, Literal

from msgspec import Meta

from marchland.messages import Harm, Order, Pick, Whole

# A tuple of fixed length beside a bounded number in one union corrupts memory in msgspec 0.22.
Pair = Annotated[tuple[int, ...], Meta(min_length=2, max_length=2)]
Unit = Annotated[Whole | Pair, Pick("piece")]
Direction = Annotated[Literal["E", "SE", "SW", "W", "NW", "NE"], Pick("direction")]


class Move(Order, frozen=True, tag="move"):
    """Let a bee go one step."""

    key: ClassVar[str] = "m"

    unit: Unit
    dir: Direction


class Attack(Order, frozen=True, tag="attack"):
    """Let a bee attack whatever stands beside it, friend or foe."""

    key: ClassVar[str] = "a"
    harms: ClassVar[Harm] = "target"

    unit: Unit
    dir: Direction


class BuildWall(Order, frozen=True, tag="build_wall"):
    """Let a bee build a wax wall beside it."""

    key: ClassVar[str] = "w"

    unit: Unit
    dir: Direction


class Spawn(Order, frozen=True, tag="spawn"):
    """Let a hive create a bee beside it."""

    key: ClassVar[str] = "s"

    unit: Unit
    dir: Direction


class BuildHive(Order, frozen=True, tag="build_hive"):
    """Turn a bee into a hive where it stands."""

    key: ClassVar[str] = "h"

    unit: Unit


class Forage(Order, frozen=True, tag="forage"):
    """Let a bee gather a flower from the field it is in."""

    key: ClassVar[str] = "f"

    unit: Unit


MOVE, ATTACK, BUILD_WALL, SPAWN, BUILD_HIVE, FORAGE = 1, 2, 3, 4, 5, 6
VERBS: tuple[type[Order], ...] = (Move, Attack, BuildWall, Spawn, BuildHive, Forage)
DIRECTED: Final = SPAWN
"""The verbs up to this one take a direction."""
DIRECTIONS: Final = ("E", "SE", "SW", "W", "NW", "NE")
