"""The audit log."""

from typing import Any

import msgspec


class AuditEntry(msgspec.Struct, frozen=True):
    """Who did what when; ``token`` is the id of the token that was used."""

    number: int
    at: float
    account: str | None
    name: str
    token: str | None
    what: str
    about: str
    details: Any
