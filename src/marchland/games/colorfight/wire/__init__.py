"""Colorfight in the words of its first server: messages, commands, errors and the state as it was sent."""

from marchland.games.colorfight.wire.actions import (
    Action,
    BadActionError,
    Chat,
    Command,
    Register,
    WrongTypeError,
    parse_action,
)
from marchland.games.colorfight.wire.errors import errors_of
from marchland.games.colorfight.wire.frame import Room, before_start, state_bytes
from marchland.games.colorfight.wire.info import GameInfo, get_game_info

__all__ = [
    "Action",
    "BadActionError",
    "Chat",
    "Command",
    "GameInfo",
    "Register",
    "Room",
    "WrongTypeError",
    "before_start",
    "errors_of",
    "get_game_info",
    "parse_action",
    "state_bytes",
]
