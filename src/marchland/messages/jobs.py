"""Jobs of seasons."""

from typing import Annotated

import msgspec

from marchland.messages.text import Id


class JobRun(msgspec.Struct, frozen=True):
    """A job that was done for a match, once and for good."""

    match: str
    name: str
    key: str
    at: float
    node: str
    done: int
    """How many of its orders the game accepted."""


class JobRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Do a job now, by hand."""

    match: Id
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
