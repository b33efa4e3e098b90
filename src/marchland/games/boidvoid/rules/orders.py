"""BoidVoid's orders: the players', then those of the host, which bring in what happens outside the game."""

from typing import Annotated, ClassVar, Final, Literal

from msgspec import Meta

from marchland.messages import Cell, Harm, Number, Order, Path, Pick, Piece, Text

Nft = Annotated[int, Meta(ge=0, le=2**63 - 1), Pick("piece")]
"""An NFT's id: 64 bits, as ledgers count them."""
Mode = Literal["burn", "stake"]
Trait = Literal[
    "attack",
    "defense",
    "health",
    "cost_to_move",
    "range",
    "respawn",
    "critical_chance",
    "critical_value",
    "swarm_join_turns",
    "build_rate",
    "battery",
    "battery_recovery",
    "action_points",
    "tile_attack",
    "tile_defense",
    "tile_critical_chance",
    "tile_critical_value",
    "tile_range",
    "tile_movement",
    "tile_capture",
    "tile_action_points",
    "turns",
    "template",
    "burnable",
]
NftKind = Literal["spaceship", "mothership", "superstructure", "boost", "avatar", "collectible"]


class _ImmediateOrder(Order, frozen=True):
    """An order that takes effect at once where the game is played so."""

    when: ClassVar[Literal["turn", "now"]] = "now"


class _HostOrder(Order, frozen=True):
    """An order of the host's."""

    when: ClassVar[Literal["turn", "now"]] = "now"
    role: ClassVar[str] = "host"


class Move(_ImmediateOrder, frozen=True, tag="move"):
    """Move a ship, swarm or mothership to a tile by the cheapest way, or along a path of your own."""

    key: ClassVar[str] = "m"

    unit: Piece
    to: Cell | None = None
    path: Path | None = None


class Capture(_ImmediateOrder, frozen=True, tag="capture"):
    """Start to capture the tile your ship stands on."""

    key: ClassVar[str] = "c"

    unit: Piece


class Build(_ImmediateOrder, frozen=True, tag="build"):
    """Burn a superstructure NFT and start to build it on your team's tile under your ship."""

    key: ClassVar[str] = "b"

    unit: Piece
    nft: Nft


class Stack(_ImmediateOrder, frozen=True, tag="stack"):
    """Raise your team's superstructure on a tile by one level with another NFT of its template."""

    at: Cell
    nft: Nft
    mode: Mode


class Spawn(_ImmediateOrder, frozen=True, tag="spawn"):
    """Put your ship, or as leader or vice-leader the mothership, on a free tile of your team."""

    key: ClassVar[str] = "s"

    unit: Piece
    at: Cell


class Battery(_ImmediateOrder, frozen=True, tag="battery"):
    """Say how many percent of your battery go to attack; the rest goes to shields."""

    attack: Number


class Detonate(_ImmediateOrder, frozen=True, tag="detonate"):
    """Destroy your own ship; leaders may destroy a swarm or the mothership."""

    harms: ClassVar[Harm] = "own"

    unit: Piece


class Attack(_ImmediateOrder, frozen=True, tag="attack"):
    """Attack a unit in range."""

    key: ClassVar[str] = "a"
    harms: ClassVar[Harm] = "target"

    unit: Piece
    target: Piece


class CreateSwarm(_ImmediateOrder, frozen=True, tag="create_swarm"):
    """Found a swarm where your ship stands."""

    unit: Piece
    name: Text


class JoinSwarm(_ImmediateOrder, frozen=True, tag="join_swarm"):
    """Join a swarm of your team on an adjacent tile."""

    key: ClassVar[str] = "j"

    unit: Piece
    swarm: Piece


class LeaveSwarm(_ImmediateOrder, frozen=True, tag="leave_swarm"):
    """Leave the swarm for a free adjacent tile; this takes all action points."""

    key: ClassVar[str] = "l"

    unit: Piece
    to: Cell


class Automode(_ImmediateOrder, frozen=True, tag="automode"):
    """Let your ship find a swarm by itself: always, or in daily periods such as "22:00-06:00,12:00-13:00"."""

    on: bool
    periods: Text | None = None


class Boost(_ImmediateOrder, frozen=True, tag="boost"):
    """Burn or stake a boost NFT for a unit of your team."""

    target: Piece
    nft: Nft
    mode: Mode


class Equip(_ImmediateOrder, frozen=True, tag="equip"):
    """Give your ship, or as leader or vice-leader the mothership, an NFT that changes it; an avatar only adorns."""

    key: ClassVar[str] = "e"

    unit: Piece
    nft: Nft


class Cancel(_ImmediateOrder, frozen=True, tag="cancel"):
    """Stop capturing, building or waiting to join; what was done is lost."""

    unit: Piece


class Lock(_HostOrder, frozen=True, tag="lock"):
    """The last part of the turn begins: players' actions are refused until the next one."""


class Clock(_HostOrder, frozen=True, tag="clock"):
    """The minute of the UTC day, 0 to 1439, for daily automode periods."""

    minute: Number


class Give(_HostOrder, frozen=True, tag="nft"):
    """The ledger says that this player owns this NFT; without a player, no player of this game owns it."""

    nft: Nft
    player: Number
    kind: NftKind


class SetTrait(_HostOrder, frozen=True, tag="trait"):
    """The ledger says that this NFT has this modifier."""

    nft: Nft
    trait: Trait
    value: Number


class Stake(_HostOrder, frozen=True, tag="stake"):
    """The stake source says how much power a player has staked."""

    player: Number
    amount: Number


class Charge(_HostOrder, frozen=True, tag="charge"):
    """The match or the player has just begun: a ship that waits to spawn has a full battery."""

    player: Number


class Assign(_HostOrder, frozen=True, tag="assign"):
    """The admin puts a player into a team, with a role."""

    player: Number
    team: Number
    rank: Literal["trooper", "vice", "leader"]


class Burned(_HostOrder, frozen=True, tag="burned"):
    """The ledger has burned an NFT that an action used up."""

    nft: Nft


class EndSeason(_HostOrder, frozen=True, tag="end_season"):
    """The season is over, and the game ends with it."""


class Retire(_HostOrder, frozen=True, tag="retire"):
    """The player has left the game: the ship leaves the map."""

    player: Number


PLAYER_VERBS: Final = (
    *(Move, Capture, Build, Stack, Spawn, Battery, Detonate, Attack),
    *(CreateSwarm, JoinSwarm, LeaveSwarm, Automode, Boost, Equip, Cancel),
)
HOST_VERBS: Final = (Lock, Clock, Give, SetTrait, Stake, Assign, Burned, EndSeason, Charge, Retire)
VERBS: tuple[type[Order], ...] = (*PLAYER_VERBS, *HOST_VERBS)

MOVE, CAPTURE, BUILD, STACK, SPAWN, BATTERY, DETONATE, ATTACK = range(1, 9)
CREATE, JOIN, LEAVE, AUTOMODE, BOOST, EQUIP, CANCEL = range(9, 16)
LOCK, CLOCK, GIVE, TRAIT, STAKE, ASSIGN, BURNED, END_SEASON, CHARGE, RETIRE = range(16, 26)
