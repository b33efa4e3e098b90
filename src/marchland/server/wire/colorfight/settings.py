"""Settings of a Colorfight room, with the public server's names, ranges and presets."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from marchland.errors import Refused, did_you_mean

Replays = bool | Literal["always", "end", "never"]
"""Whether a match has a replay after the next one opens; the public server saved replays always or at the end."""


class RoomSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A room's settings; those after ``room_description`` are for organisers only."""

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
    """Built-in bots in the first seats."""
    early: bool = False
    """Whether a round ends as soon as all players have sent commands."""

    @property
    def stores_replays(self) -> bool:
        """Whether a match that is over is stored for its replay."""
        return self.replay_enable not in (False, "never")


class _Public(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What players without the organiser role may set."""

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
DEFAULT_PRESET = "constant-run"


def read_settings(config: Any, *, organiser: bool) -> RoomSettings:
    """Settings from a client's config: a preset's name, or an object that may name a preset and change it."""
    if isinstance(config, str):
        config = {"preset": config}
    if config is None:
        config = {}
    if not isinstance(config, dict):
        raise Refused("bad_request", "The config has to be an object or the name of a preset")
    changes = dict(config)
    preset = changes.pop("preset", DEFAULT_PRESET)
    if preset not in PRESETS:
        raise Refused("bad_request", f"There is no preset {preset!r}; {did_you_mean(str(preset), PRESETS)}")
    try:
        if not organiser:
            msgspec.convert(changes, _Public)
        preset_values = msgspec.structs.asdict(PRESETS[preset])
        settings = msgspec.convert(preset_values | changes, RoomSettings)
    except msgspec.ValidationError as problem:
        raise Refused("bad_request", f"The config cannot be used: {problem}".replace("$.", "")) from None
    if len(settings.bots) > settings.max_player:
        raise Refused("bad_request", "There are more bots than players")
    return settings
