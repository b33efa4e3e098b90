"""When turns end."""

from typing import Annotated

import msgspec

Seconds = Annotated[float, msgspec.Meta(ge=0.05, le=86_400 * 31)]


class WhenReady(msgspec.Struct, frozen=True, tag_field="kind", tag="ready", omit_defaults=True):
    """A turn ends when all seats are ready; after ``max_seconds`` every seat counts as ready."""

    max_seconds: Seconds = 86_400.0 * 7


class Every(msgspec.Struct, frozen=True, tag_field="kind", tag="every"):
    """A turn ends so many seconds after the one before, or as soon as all seats are ready if ``early``."""

    seconds: Seconds
    early: bool = True
    first: Seconds | None = None
    """The length of the first turn, if it differs."""
    least: Annotated[float, msgspec.Meta(ge=0, le=86_400)] = 0.0
    """Seconds that a turn lasts at least if all seats are ready earlier."""


class AtTimes(msgspec.Struct, frozen=True, tag_field="kind", tag="times"):
    """A turn ends at these times of the day, written ``HH:MM`` in UTC."""

    times: Annotated[
        list[Annotated[str, msgspec.Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]],
        msgspec.Meta(min_length=1, max_length=96),
    ]


Clock = WhenReady | Every | AtTimes

DEFAULT_CLOCK = Every(2.0)
"""The clock of a match whose creator names none."""
DEFAULT_FORK_CLOCK = WhenReady()
"""The clock of a fork: a player studies the position first."""
