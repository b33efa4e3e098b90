"""SQL of accounts and their tokens."""

import hmac
import time
from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from marchland.errors import Refused
from marchland.messages import AccountInfo, Role, TokenInfo
from marchland.messages.names import skeleton
from marchland.store.ids import hash_token, new_id, new_token, normalise_recovery_code
from marchland.store.schema import accounts, tokens

_GIVEN_AT_START, _FIRST_START = "given at the start", "first start"
"""Labels of the tokens that `ensure_admin` adds."""


def create(connection: Connection, name: str, role: Role = "player") -> AccountInfo:
    """Insert an account; refused if the name is taken."""
    account = AccountInfo(new_id(), name, role, time.time())
    try:
        with connection.begin_nested():
            connection.execute(insert(accounts).values(skeleton=skeleton(name), **_values(account)))
    except IntegrityError:
        raise Refused("name_taken", "account_name_taken", name=name) from None
    return account


def add_token(connection: Connection, account: str, label: str, token: str, expires: float | None = None) -> TokenInfo:
    """Insert a token of an account; a token that another account had is moved."""
    info = TokenInfo(new_id(), label, time.time(), expires)
    connection.execute(delete(tokens).where(tokens.c.hash == hash_token(token)))
    row = {"id": info.id, "label": label, "created": info.created, "expires": expires}
    connection.execute(insert(tokens).values(hash=hash_token(token), account=account, **row))
    return info


def delete_expired_tokens(connection: Connection, account: str) -> None:
    """Delete the tokens of an account that have expired."""
    connection.execute(delete(tokens).where(tokens.c.account == account, ~_is_valid()))


def _is_valid() -> ColumnElement[bool]:
    return or_(tokens.c.expires.is_(None), tokens.c.expires > time.time())


def find_by_token(connection: Connection, token: str) -> tuple[AccountInfo, str, float | None] | None:
    """The account of a token that has not expired, the token's id, and when it expires."""
    wanted = hash_token(token)
    row = connection.execute(
        select(accounts, tokens.c.hash, tokens.c.id.label("token"), tokens.c.expires)
        .join(tokens, tokens.c.account == accounts.c.id)
        .where(tokens.c.hash == wanted, _is_valid())
    ).first()
    if row is None or not hmac.compare_digest(row.hash, wanted):
        return None
    return AccountInfo(row.id, row.name, row.role, row.created), row.token, row.expires


def list_tokens(connection: Connection, account: str) -> list[TokenInfo]:
    """An account's tokens, the oldest first."""
    columns = (tokens.c.id, tokens.c.label, tokens.c.created, tokens.c.expires)
    query = select(*columns).where(tokens.c.account == account)
    return [TokenInfo(*row) for row in connection.execute(query.order_by(tokens.c.created))]


def existing_tokens(connection: Connection, ids: Collection[str]) -> set[str]:
    """Which of these token ids are neither revoked nor expired."""
    return set(connection.execute(select(tokens.c.id).where(tokens.c.id.in_(ids), _is_valid())).scalars())


def revoke(connection: Connection, account: str, token: str) -> None:
    """Delete a token of an account, by its id."""
    connection.execute(delete(tokens).where(tokens.c.account == account, tokens.c.id == token))


def set_recovery_code(connection: Connection, account: str, code: str) -> None:
    """Replace the recovery code of an account."""
    connection.execute(update(accounts).where(accounts.c.id == account).values(recovery=hash_token(code)))


def find_by_recovery_code(connection: Connection, name: str, code: str) -> AccountInfo | None:
    """The account of that name, if the code is its recovery code."""
    typed = normalise_recovery_code(code)
    row = connection.execute(select(accounts).where(accounts.c.name == name.strip())).first()
    if row is None or row.recovery is None or not hmac.compare_digest(row.recovery, hash_token(typed)):
        return None
    return AccountInfo(row.id, row.name, row.role, row.created)


def find(connection: Connection, account: str) -> AccountInfo | None:
    """An account by id or name; an id takes precedence over an equal name."""
    query = select(accounts).where((accounts.c.id == account) | (accounts.c.name == account))
    row = connection.execute(query.order_by((accounts.c.id == account).desc())).first()
    return None if row is None else AccountInfo(row.id, row.name, row.role, row.created)


def list_accounts(connection: Connection, *, after: str = "", part: str = "", limit: int = 100) -> list[AccountInfo]:
    """A page of accounts by name: all, or those whose name contains a text, case-insensitively."""
    query = select(accounts).where(accounts.c.name > after).order_by(accounts.c.name).limit(limit)
    if part:
        query = query.where(accounts.c.name.icontains(part, autoescape=True))
    return [AccountInfo(row.id, row.name, row.role, row.created) for row in connection.execute(query)]


def set_role(connection: Connection, account: str, role: Role) -> None:
    """Change the role of an account."""
    connection.execute(update(accounts).where(accounts.c.id == account).values(role=role))


def count_admins(connection: Connection) -> int:
    """The number of admins."""
    return int(connection.execute(select(func.count()).where(accounts.c.role == "admin")).scalar_one())


def ensure_admin(connection: Connection, token: str | None) -> str | None:
    """Create an admin if there is none; returns a newly generated token.

    If ``token`` is set, it becomes a token of the admin instead, and replaces the one of an earlier start.
    """
    if connection.dialect.name == "postgresql":  # two nodes may start at the same moment on a new database
        connection.exec_driver_sql("LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE")
    admins = select(accounts.c.id).where(accounts.c.role == "admin")
    row = connection.execute(admins.order_by(accounts.c.created).limit(1)).first()
    admin = row.id if row else create(connection, "admin", "admin").id
    if token is not None:
        earlier = tokens.c.label.in_((_GIVEN_AT_START, _FIRST_START))
        is_other = tokens.c.hash != hash_token(token)  # the streams of a token that stays go on
        connection.execute(delete(tokens).where(earlier, is_other, tokens.c.account.in_(admins)))
        found = find_by_token(connection, token)
        if found is None or found[0].id != admin:
            add_token(connection, admin, _GIVEN_AT_START, token)
        return None
    if row is not None:
        return None
    created = new_token()
    add_token(connection, admin, _FIRST_START, created)
    return created


def _values(account: AccountInfo) -> dict[str, Any]:
    return {"id": account.id, "name": account.name, "role": account.role, "created": account.created}
