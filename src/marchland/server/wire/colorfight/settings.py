"""How a Colorfight room is set: the public server's names, ranges and presets."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from marchland.errors import Refused, did_you_mean

Replays = bool | Literal["always", "end", "never"]
"""Whether games can be watched again once the next has begun; the public server saved them always or at the end."""


class RoomSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A room's settings. What an organiser may set beyond the public server's comes last."""

    max_turn: Annotated[int, Meta(ge=2, le=1_000_000)] = 500
    max_player: Annotated[int, Meta(ge=1, le=64)] = 8
    round_time: Annotated[float, Meta(ge=0.05, le=86_400)] = 1.0
    first_round_time: Literal["full", "never"] | Annotated[float, Meta(ge=0, le=86_400)] = 10.0
    finish_time: Annotated[float, Meta(ge=0, le=86_400)] = 20.0
    allow_join_after_start: bool = True
    allow_manual_mode: bool = True
    replay_enable: Replays = True
    room_description: Annotated[str, Meta(max_length=1000)] = ""
    rank: bool = False
    width: Annotated[int, Meta(ge=8, le=200)] = 30
    height: Annotated[int, Meta(ge=8, le=200)] = 30
    bots: Annotated[list[str], Meta(max_length=64)] = []
    """Built-in bots that play along."""
    early: bool = False
    """Whether a round ends as soon as everybody has sent commands."""

    @property
    def keeps_replays(self) -> bool:
        """Whether anything is left of a game that is over."""
        return self.replay_enable not in (False, "never")


class _Public(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What anybody may set who may make a room."""

    max_turn: Annotated[int, Meta(ge=200, le=2000)] | None = None
    max_player: Literal[2, 4, 8] | None = None
    round_time: Annotated[float, Meta(ge=0.2, le=20)] | None = None
    first_round_time: Literal["full", "never"] | Annotated[float, Meta(ge=0, le=60)] | None = None
    finish_time: Annotated[float, Meta(ge=0, le=60)] | None = None
    allow_join_after_start: bool | None = None
    allow_manual_mode: bool | None = None
    replay_enable: Replays | None = None
    room_description: Annotated[str, Meta(max_length=1000)] | None = None


def _preset(
    turns: int,
    players: int,
    first: Literal["full", "never"] | float,
    finish: float,
    late: bool = False,
    rank: bool = False,
) -> RoomSettings:
    return RoomSettings(turns, players, 1.0, first, finish, allow_join_after_start=late, rank=rank)


PRESETS = {
    "official": _preset(500, 8, "never", 0),
    "rank_2": _preset(300, 2, "full", 30, rank=True),
    "rank_4": _preset(400, 4, "full", 30, rank=True),
    "rank_8": _preset(500, 8, "full", 30, rank=True),
    "duel": _preset(500, 2, "full", 30),
    "test-run": _preset(500, 8, "full", 20),
    "constant-run": _preset(500, 8, 10.0, 20, late=True),
}
USUAL = "constant-run"


def read_settings(given: Any, *, organiser: bool) -> RoomSettings:
    """Settings from what a client sends: a preset's name, or an object that may name one and change it."""
    if isinstance(given, str):
        given = {"preset": given}
    if given is None:
        given = {}
    if not isinstance(given, dict):
        raise Refused("bad_request", "The config has to be an object or the name of a preset")
    changes = dict(given)
    preset = changes.pop("preset", USUAL)
    if preset not in PRESETS:
        raise Refused("bad_request", f"There is no preset {preset!r}; {did_you_mean(str(preset), PRESETS)}")
    try:
        if not organiser:
            msgspec.convert(changes, _Public)
        usual = msgspec.structs.asdict(PRESETS[preset])
        settings = msgspec.convert(usual | changes, RoomSettings)
    except msgspec.ValidationError as problem:
        raise Refused("bad_request", f"The config cannot be used: {problem}".replace("$.", "")) from None
    if len(settings.bots) > settings.max_player:
        raise Refused("bad_request", "There are more bots than players")
    return settings
