"""Names that must differ: refused if they are equal or look alike."""

from collections.abc import Iterable

from marchland.errors import Refused
from marchland.messages.names import skeleton


def check_distinct(name: str, others: Iterable[str], kind: str) -> None:
    """Refuse a name that is, or looks like, one of the others."""
    wanted = skeleton(name)
    for other in others:
        if skeleton(other) == wanted:
            also = "" if other == name else f"; {name!r} looks the same"
            raise Refused("name_taken", f"There is a {kind} {other!r} already{also}.")
