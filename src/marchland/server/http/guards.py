"""Guards of routes: the role that a caller needs, checked before the body of the request is read."""

from dataclasses import dataclass
from typing import Any

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from marchland.messages import Role
from marchland.server.http.auth import check_role, require_caller


@dataclass(frozen=True)
class RoleGuard:
    """Refuses callers without a role."""

    role: Role

    def __call__(self, connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
        """Refuse with 401 without a token, with 403 without the role."""
        check_role(require_caller(connection.scope), self.role)


def require_role(role: Role) -> RoleGuard:
    """The guard of a route for a role or a higher one; every account is a player."""
    return RoleGuard(role)
