"""Jobs of seasons."""

from typing import Annotated

import msgspec

from marchland.messages.text import Id


class JobRun(msgspec.Struct, frozen=True):
    """A job that was run for a match; each key runs exactly once."""

    match: str
    name: str
    key: str
    at: float
    node: str
    done: int
    """The number of its orders that the game accepted."""


class JobRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Run a job now, manually."""

    match: Id
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
