"""The audit log: who did what, with which token."""

from functools import partial
from typing import Annotated, Any

from litestar import Router
from litestar.params import Parameter
from litestar.types import Scope
from sqlalchemy import Connection

from marchland.messages import AuditEntry
from marchland.server import audit_queries
from marchland.server.http.auth import Caller, caller_of, require
from marchland.server.http.routing import get
from marchland.store import Store


def note(connection: Connection, caller: Caller, what: str, about: str, details: Any = None) -> None:
    """Write down a deed, in the transaction in which it is done."""
    audit_queries.note(connection, caller.id, caller.account.name, caller.token, what, about, details)


@get("/admin/audit")
async def list_audit(
    scope: Scope,
    store: Store,
    before: Annotated[int | None, Parameter(ge=0, le=2**53 - 1, description="The number of the last one seen.")] = None,
    limit: Annotated[int, Parameter(ge=1, le=500)] = 100,
) -> list[AuditEntry]:
    """What organisers and admins did, the latest first; for admins."""
    require(caller_of(scope), "admin")
    return await store.read(partial(audit_queries.listed, before=before, limit=limit))


router = Router("/", route_handlers=[list_audit], tags=["admin"])
