"""Versions: the first two entrants against each of the others in turn, both on the same seeds. For comparing them."""

from collections.abc import Sequence

from marchland.arena.fixtures import Field, Meeting, Pairing
from marchland.arena.pairing.groups import next_round
from marchland.errors import MarchlandError

__all__ = ["check", "plan"]


def check(field: Field) -> None:
    """Two versions and an opponent are needed, and matches of two."""
    if field.players != 2:
        raise MarchlandError("Two versions are compared in matches of two bots.")
    if len(field.entrants) < 3:
        raise MarchlandError("The two versions need a bot to play against.")


def plan(field: Field, meetings: Sequence[Meeting]) -> list[Pairing]:
    """Both versions against the next opponent, on a new seed; there is always another round."""
    number = next_round(meetings)
    new, old, *others = field.entrants
    opponent = others[number % len(others)]
    return [
        Pairing((version, opponent), number, f"versions: {new} and {old} meet {opponent} on the same seed")
        for version in (new, old)
    ]
