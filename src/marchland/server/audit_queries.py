"""Who did what: written in the transaction of the deed itself, so that neither is without the other."""

import time
from typing import Any

import msgspec
from sqlalchemy import Connection, insert, select

from marchland.messages import AuditEntry
from marchland.store.schema import audit


def note(
    connection: Connection, account: str | None, name: str, token: str | None, what: str, about: str, details: Any
) -> None:
    """Write down a deed."""
    connection.execute(
        insert(audit).values(
            at=time.time(),
            account=account,
            name=name,
            token=token,
            what=what,
            about=about[:80],
            details=msgspec.json.encode(details),
        )
    )


def listed(connection: Connection, *, before: int | None = None, limit: int = 100) -> list[AuditEntry]:
    """Deeds, the latest first."""
    query = select(audit).order_by(audit.c.number.desc()).limit(limit)
    if before is not None:
        query = query.where(audit.c.number < before)
    return [
        AuditEntry(
            row.number, row.at, row.account, row.name, row.token, row.what, row.about, msgspec.json.decode(row.details)
        )
        for row in connection.execute(query)
    ]
