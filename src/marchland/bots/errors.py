"""Exceptions of bots, in one line with the place."""

import traceback
from pathlib import Path

from marchland.errors import BotError

_PACKAGE = Path(__file__).parent.parent
_OWN_FOLDERS = {_PACKAGE / "arena", _PACKAGE / "bots", _PACKAGE / "client"}
_MAX_LENGTH = 200


def describe_error(error: BaseException) -> str:
    """``ZeroDivisionError: division by zero (mybot.py, line 7)``."""
    if isinstance(error, BotError):
        return str(error)
    place = _place(error)
    return f"{_summary(error)} ({place})" if place else _summary(error)


def _summary(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return f"SyntaxError: {error.msg}"
    # An exception's own __str__ may raise; the traceback module survives that.
    line = traceback.format_exception_only(error)[0].strip().splitlines()[0]
    return line if len(line) <= _MAX_LENGTH else line[:_MAX_LENGTH] + "..."


def _place(error: BaseException) -> str:
    if isinstance(error, SyntaxError) and error.filename:
        return _line(error.filename, error.lineno)
    trace = traceback.extract_tb(error.__traceback__)
    frames = [frame for frame in trace if Path(frame.filename).parent not in _OWN_FOLDERS]
    if not frames:
        return ""
    # The bot's last line before it went into a library is the one its author can change.
    last = [frame for frame in frames if frame.filename == frames[0].filename][-1]
    return _line(last.filename, last.lineno)


def _line(file: str, number: int | None) -> str:
    return f"{Path(file).name}, line {number}" if number else Path(file).name
