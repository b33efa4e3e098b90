"""Colorfight in the words of its first server: messages, commands, errors and the state as it was sent."""

from marchland.games.colorfight.wire.actions import Action, BadActionError, Chat, Command, Register, parse_action
from marchland.games.colorfight.wire.errors import error_texts
from marchland.games.colorfight.wire.frame import Room, before_start, state_bytes
from marchland.games.colorfight.wire.info import get_game_info

__all__ = [
    "Action",
    "BadActionError",
    "Chat",
    "Command",
    "Register",
    "Room",
    "before_start",
    "error_texts",
    "get_game_info",
    "parse_action",
    "state_bytes",
]
