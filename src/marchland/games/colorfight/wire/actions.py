"""Seed, "Communication": messages from a client. A message is a JSON object, a command is a line of text."""

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec

from marchland.errors import MarchlandError
from marchland.messages.names import BadNameError, clean_name
from marchland.messages.orders import LARGEST

LONGEST_NAME: Final = 14
"""Ruling 18; the public server's text speaks of 15."""
BUILDING_LETTERS: Final = {"h": "home", "e": "energy_well", "g": "gold_mine", "f": "fortress"}

_PARTS: Final = {"a": 4, "b": 4, "u": 3}
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,40}")
ACTIONS: Final = {"register": ("username", "password"), "command": ("cmd_list",), "chat": ("msg",)}
"""Each action with its arguments."""


class BadActionError(MarchlandError):
    """A message that is no action; its text is the answer."""


class WrongTypeError(BadActionError):
    """A command whose list is none. On the public server a game that does not run is the first objection."""


class Register(NamedTuple):
    """A user registers, or continues to play."""

    username: str
    password: str
    join_key: str


class Command(NamedTuple):
    """The orders of a player for this turn; a line that is no command stands among them as it came."""

    uid: int
    orders: list[Any]


class Chat(NamedTuple):
    """A line of the room's chat."""

    uid: int
    msg: str


Action = Register | Command | Chat


def parse_action(uid: int | None, msg: str | bytes, max_commands: int | None = None) -> Action:
    """What a message wants; `BadActionError` with the server's answer where it is no action.

    ``uid`` is the user that the sender has registered as, or None. More commands than ``max_commands`` are refused
    before any of them is parsed.
    """
    try:
        message = msgspec.json.decode(msg)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise BadActionError("This is not a valid json") from None
    if not isinstance(message, dict) or "action" not in message:
        raise BadActionError("You have to specify an action")
    action = message["action"]
    if not isinstance(action, str) or action not in ACTIONS:
        raise BadActionError("Not a valid action")
    if uid is None and action != "register":
        raise BadActionError("You need to join the game first")
    for argument in ACTIONS[action]:
        if argument not in message:
            raise BadActionError(f"{argument} is missing")
    if action == "register":
        return _register(message)
    assert uid is not None
    if action == "chat":
        if not isinstance(message["msg"], str):
            raise BadActionError("Wrong type")
        return Chat(uid, message["msg"])
    if not isinstance(message["cmd_list"], list):
        raise WrongTypeError("Wrong type")
    count = len(message["cmd_list"])
    if max_commands is not None and count > max_commands:
        raise BadActionError("too_many_orders", orders=count, most=max_commands)
    return Command(uid, [order_of(command) for command in message["cmd_list"]])


def _register(message: dict[str, Any]) -> Register:
    username, password, join_key = message["username"], message["password"], message.get("join_key", "")
    if not isinstance(username, str) or not isinstance(password, str):
        raise BadActionError("Username and Password needs to be strings")
    if len(username) > LONGEST_NAME:
        raise BadActionError("Username can't exceed 15 characters.")
    if not username:
        raise BadActionError("Username has to be at least 1 characters")
    if not username.isprintable():
        raise BadActionError("Username has characters that cannot be shown")
    try:
        clean_name(username)
    except BadNameError as problem:
        raise BadActionError(str(problem)) from None
    return Register(username, password, join_key if isinstance(join_key, str) else "")


def order_of(command: Any) -> Any:
    """The order that a command line means; a line that means none stays as it is, and is refused in the turn."""
    if objection(command) is not None:
        return command
    verb, *rest = command.split()  # words beyond the command's own are ignored (ruling 29)
    at = [int(rest[0]), int(rest[1])]
    if verb == "a":
        return {"do": "attack", "at": at, "energy": int(rest[2])}
    if verb == "b":
        return {"do": "build", "at": at, "building": BUILDING_LETTERS[rest[2]]}
    return {"do": "upgrade", "at": at}


def objection(command: Any, is_on_map: Callable[[int, int], bool] | None = None) -> str | None:
    """What is wrong with a command before owners and buildings are looked at, in the public server's words.

    Without ``is_on_map`` only positions are off the map that no map has.
    """
    if not isinstance(command, str):
        return f"{_show(command)} is not a command"
    parts = command.split()
    if not parts:
        return f"{command} is not a command"
    verb = parts[0]
    if verb not in _PARTS:
        return f"{command} is a wrong command, cmd type {verb} is invalid"
    if len(parts) < _PARTS[verb]:
        return f"{command} is a wrong command, it has {len(parts)} parts and not {_PARTS[verb]}"
    for part in parts[1 : 4 if verb == "a" else 3]:
        if not _NUMBER.fullmatch(part):
            return f"{command} is a wrong command, {part} is not a number"
    return _beyond(command, verb, parts, is_on_map or _may_be_on_a_map)


def _show(command: Any) -> str:
    """A command that is no text: None and numbers as the public server wrote them, lists and objects as JSON."""
    plain = command is None or isinstance(command, int | float)
    return str(command) if plain else msgspec.json.encode(command).decode()


def _may_be_on_a_map(x: int, y: int) -> bool:
    return max(abs(x), abs(y)) <= LARGEST


def _beyond(command: str, verb: str, parts: list[str], is_on_map: Callable[[int, int], bool]) -> str | None:
    """The map is not that large, no building has that letter, no player has that much energy."""
    if not is_on_map(int(parts[1]), int(parts[2])):
        what = {"a": "Attack", "b": "Build", "u": "Upgrade"}[verb]
        return f"{command} failed, {what} position is not in the map."
    if verb == "b" and parts[3] not in BUILDING_LETTERS:
        return f"{command} failed, Not a correct building."
    if verb == "a" and abs(int(parts[3])) > LARGEST:
        why = "Energy has to be positive" if int(parts[3]) < 0 else "Do not have enough energy to attack"
        return f"{command} failed, {why}."
    return None
