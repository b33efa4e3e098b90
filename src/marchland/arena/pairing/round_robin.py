"""Round robin: everyone meets everyone, again and again on new seeds.

Two in a match: the circle method, in which each round has every entrant once. More in a match: groups of entrants that
have met each other least, which balances all pairs without listing every combination.
"""

from collections.abc import Sequence

from marchland.arena.fixtures import Field, Meeting, Pairing
from marchland.arena.pairing.groups import check_size as check
from marchland.arena.pairing.groups import count_bundles, count_pairs, least_met_group, next_round

__all__ = ["check", "plan"]


def plan(field: Field, meetings: Sequence[Meeting]) -> list[Pairing]:
    """The next round; there is always one."""
    number = next_round(meetings)
    return _circle_round(field, number) if field.players == 2 else _balanced_round(field, meetings, number)


def _circle_round(field: Field, number: int) -> list[Pairing]:
    """The first entrant stays, the others move on by one place a round; all rounds of a cycle share a seed."""
    circle: list[str | None] = [*field.entrants, *([None] if len(field.entrants) % 2 else [])]
    rounds = len(circle) - 1
    cycle, turn = divmod(number, rounds)
    moved = circle[1:][-turn:] + circle[1:][:-turn] if turn else circle[1:]
    line = [circle[0], *moved]
    pairings = []
    for one, other in zip(line[: len(line) // 2], reversed(line[len(line) // 2 :]), strict=True):
        if one is not None and other is not None:
            why = f"round robin: round {turn + 1} of {rounds}, all pairs for the {_ordinal(cycle + 1)} time"
            pairings.append(Pairing((one, other), cycle, why))
    return pairings


def _balanced_round(field: Field, meetings: Sequence[Meeting], number: int) -> list[Pairing]:
    """As many groups as there are without an entrant twice; those who wait have fewest bundles next time."""
    bundles, met = count_bundles(field, meetings), count_pairs(meetings)
    waiting = sorted(field.entrants, key=lambda entrant: (bundles[entrant], field.entrants.index(entrant)))
    pairings = []
    while len(waiting) >= field.players:
        first = waiting[0]
        least = bundles[waiting[field.players - 1]]
        pool = [entrant for entrant in waiting if bundles[entrant] <= least]
        group = least_met_group(field, first, pool, met)
        waiting = [entrant for entrant in waiting if entrant not in group]
        why = f"round robin: {first} has {bundles[first]} bundles, the fewest; the others have met the group least"
        pairings.append(Pairing(group, number, why))
    return pairings


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
