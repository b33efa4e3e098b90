"""Names that must differ: refused if they are equal or look alike."""

from collections.abc import Iterable

from marchland.errors import Refused
from marchland.messages.names import skeleton


def check_distinct(name: str, others: Iterable[str], kind: str) -> None:
    """Refuse a name that is, or looks like, one of the others."""
    wanted = skeleton(name)
    for other in others:
        if skeleton(other) == wanted:
            code = "name_taken" if other == name else "name_looks_taken"
            raise Refused("name_taken", code, kind=kind, other=other, name=name)
