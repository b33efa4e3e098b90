"""Errors that cross a boundary: bad input, refused requests, lost storage."""

import difflib
from collections.abc import Iterable
from typing import Any

from marchland.refusals import SENTENCES


class MarchlandError(ValueError):
    """Base of every error that a user's input can cause.

    ``message`` is a code of `marchland.refusals`, whose sentence is filled with the arguments, or the sentence itself.
    """

    def __init__(self, message: str = "", /, **arguments: Any) -> None:
        template = SENTENCES.get(message)
        super().__init__(message if template is None else template.format_map(arguments))
        self.code = "" if template is None else message
        """Empty for an error that has only a sentence."""
        self.arguments = arguments


class ConfigError(MarchlandError):
    """A setting that does not exist or a value it cannot have."""


class MapError(MarchlandError):
    """A map that the game cannot be played on."""


class PositionError(MarchlandError):
    """A position that is not one of the game."""


class SnapshotError(MarchlandError):
    """Bytes that are no snapshot, or one of another version."""


class ReplayError(MarchlandError):
    """A replay file that is damaged, or cannot do what is asked of it."""


class TooLargeError(MarchlandError):
    """Compressed bytes whose content exceeds a limit."""


class JoinRefusedError(MarchlandError):
    """A late joiner that the rules refuse."""


class UnknownNameError(MarchlandError):
    """A game, bot or map that does not exist."""


class GameImportError(MarchlandError):
    """A game from outside this package that cannot be imported, or whose class is no game."""


class RegistrationError(MarchlandError):
    """A game that cannot be registered: a bad name, or one that is taken."""


class BotError(MarchlandError):
    """A bot in a process of its own that does not answer as it should."""


class Refused(MarchlandError):  # noqa: N818 - the name of the answer that it becomes
    """A request that is turned down: a code for programs, a message for people. Nothing has changed."""

    retry: int | None = None
    """Seconds after which the same request may succeed, where only its time was wrong."""

    def __init__(self, error: str, message: str, /, **arguments: Any) -> None:
        super().__init__(message, **arguments)
        self.error = error

    @classmethod
    def of(cls, error: str, problem: MarchlandError) -> "Refused":
        """The refusal of a request because of another error."""
        return cls(error, problem.code or str(problem), **problem.arguments)


class OwnershipLost(Exception):  # noqa: N818 - an event, not a mistake
    """Another node owns the match now: this one must stop using and showing it."""


class StorageUnavailable(Exception):  # noqa: N818 - an event, not a mistake
    """A write did not become durable. Nothing was acknowledged; the request may be repeated."""


class OwnerTimeout(StorageUnavailable):
    """The node that owns a match did not answer in time."""


def choices(names: Iterable[str]) -> str:
    """``a, b and c``, for the end of a sentence."""
    listed = list(names)
    return " and ".join([", ".join(listed[:-1]), listed[-1]]) if len(listed) > 1 else "".join(listed)


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """A hint at the nearest of ``names``, or all of them where none is near."""
    listed = list(names)
    near = difflib.get_close_matches(word, listed, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"there are {choices(listed)}." if len(listed) > 1 else f"there is {choices(listed) or 'none'}."
