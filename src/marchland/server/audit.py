"""The audit log: who did what, with which token; written in the transaction of the action."""

import time
from functools import partial
from typing import Annotated, Any

import msgspec
from sqlalchemy import Connection, insert, select

from marchland.messages import AuditEntry
from marchland.server.http.auth import Caller
from marchland.server.http.routing import api_router, get
from marchland.store import Database
from marchland.store.schema import audit


def record(connection: Connection, caller: Caller, what: str, about: str, details: Any = None) -> None:
    """Insert an entry for an action of a caller."""
    insert_entry(connection, caller.id, caller.account.name, caller.token, what, about, details)


def insert_entry(
    connection: Connection, account: str | None, name: str, token: str | None, what: str, about: str, details: Any
) -> None:
    """Insert an entry."""
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


def list_entries(connection: Connection, *, before: int | None = None, limit: int = 100) -> list[AuditEntry]:
    """Entries, the latest first."""
    query = select(audit).order_by(audit.c.number.desc()).limit(limit)
    if before is not None:
        query = query.where(audit.c.number < before)
    return [
        AuditEntry(
            row.number, row.at, row.account, row.name, row.token, row.what, row.about, msgspec.json.decode(row.details)
        )
        for row in connection.execute(query)
    ]


@get("/admin/audit", role="admin")
async def list_audit(
    store: Database,
    before: Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1, description="The number of the last entry seen.")]
    | None = None,
    limit: Annotated[int, msgspec.Meta(ge=1, le=500)] = 100,
) -> list[AuditEntry]:
    """Actions of organisers and admins, the latest first; for admins."""
    return await store.read(partial(list_entries, before=before, limit=limit))


router = api_router(
    "admin",
    list_audit,
)
