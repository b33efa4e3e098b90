"""Who plays whom: pure functions from a field and what it has played to the next round, each pairing with its reason.

A round depends on complete rounds only, never on the order in which matches finish, so a tournament that was killed and
continued plays the same bundles.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from marchland.arena.fixtures import Field, Meeting, Pairing
from marchland.arena.pairing import bracket, gauntlet, ladder, round_robin, swiss, versions
from marchland.errors import UnknownNameError, did_you_mean

_BUNDLES_AHEAD: Final = 32

Plan = Callable[[Field, Sequence[Meeting]], list[Pairing]]


class Format(NamedTuple):
    """A kind of tournament."""

    name: str
    plan: Plan
    """The next round; empty when the tournament has ended."""
    check: Callable[[Field], None]
    """Refuses a field that the format cannot pair."""
    lag: int
    """How many of the last rounds a plan does without: the next round is planned while those are being played."""
    is_endless: bool
    """Whether only a stop rule ends it."""
    needs_results: bool = True
    """Whether results change its pairings."""

    def lag_of(self, field: Field) -> int:
        """The lag for a field. What needs no results is planned some bundles ahead, so that no worker waits."""
        ahead = 0 if self.needs_results else math.ceil(_BUNDLES_AHEAD * field.players / len(field.entrants))
        return max(self.lag, ahead)


FORMATS: Final[Mapping[str, Format]] = {
    known.name: known
    for known in (
        Format("round-robin", round_robin.plan, round_robin.check, 1, True, needs_results=False),
        Format("swiss", swiss.plan, swiss.check, 0, False),
        Format("bracket", bracket.plan, bracket.check, 0, False),
        Format("ladder", ladder.plan, ladder.check, 1, True),
        Format("gauntlet", gauntlet.plan, gauntlet.check, 1, True, needs_results=False),
    )
}

VERSIONS: Final = Format("versions", versions.plan, versions.check, 1, True, needs_results=False)
"""What `marchland.arena.compare` plays against a field."""


def find_format(name: str) -> Format:
    """The format of this name."""
    if name == VERSIONS.name:
        return VERSIONS
    if name not in FORMATS:
        raise UnknownNameError(f"There is no format {name!r}; {did_you_mean(name, list(FORMATS))}")
    return FORMATS[name]


__all__ = ["FORMATS", "VERSIONS", "Format", "find_format"]
