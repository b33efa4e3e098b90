"""Gauntlet: the first entrant against all others, who do not meet without it. For testing one new bot."""

from collections.abc import Sequence

from marchland.arena.fixtures import Field, Meeting, Pairing
from marchland.arena.pairing.groups import check_size as check
from marchland.arena.pairing.groups import count_bundles, count_pairs, least_met_group, next_round

__all__ = ["check", "plan"]


def plan(field: Field, meetings: Sequence[Meeting]) -> list[Pairing]:
    """The challenger against every other entrant, as often as each was met; there is always another round."""
    number = next_round(meetings)
    challenger, *others = field.entrants
    bundles, met = count_bundles(field, meetings), count_pairs(meetings)
    pairings = []
    waiting = list(others)
    while waiting:
        waiting.sort(key=lambda entrant: (bundles[entrant], field.entrants.index(entrant)))
        pool = [challenger, waiting[0], *waiting[1:], *(entrant for entrant in others if entrant not in waiting)]
        group = least_met_group(field._replace(players=field.players - 1), waiting[0], pool[1:], met)
        pairings.append(Pairing((challenger, *group), number, f"gauntlet: {challenger} meets {' and '.join(group)}"))
        waiting = [entrant for entrant in waiting if entrant not in group]
        bundles.update(group)
    return pairings
