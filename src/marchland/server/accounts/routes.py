"""Accounts and tokens."""

import time
from functools import partial
from typing import Annotated

import msgspec
from sqlalchemy import Connection
from starlette.types import Scope

from marchland.errors import Refused
from marchland.messages import (
    AccountCreate,
    AccountInfo,
    RecoveryCode,
    RecoveryRequest,
    RoleUpdate,
    TokenCreate,
    TokenCreated,
    TokenInfo,
    Welcome,
)
from marchland.messages.text import LINE
from marchland.server.accounts import queries
from marchland.server.audit import insert_entry, record
from marchland.server.http.auth import Authenticator, Caller
from marchland.server.http.routing import api_router, delete, get, patch, post
from marchland.server.settings import Settings
from marchland.store import Database
from marchland.store.ids import new_recovery_code, new_token
from marchland.store.writer import Lock

_MAX_TOKENS = 50  # of one account; each has its own rate limit
_ROLES_LOCK = Lock("roles", exclusive=True)
"""Without it two nodes could each demote the other's last admin."""
_RECOVERY_LOCK = Lock("recovery", exclusive=True)
"""Without it two nodes could accept the same code."""
Part = Annotated[str, msgspec.Meta(max_length=40, pattern=LINE, description="A part of the name, capitals or not.")]
After = Annotated[str, msgspec.Meta(max_length=40, pattern=LINE, description="The last name that was seen.")]


@post("/accounts")
async def create_account(
    data: AccountCreate,
    caller: Caller | None,
    scope: Scope,
    store: Database,
    settings: Settings,
    authenticator: Authenticator,
) -> Welcome:
    """Create an account. Its token and its recovery code are shown only once."""
    by_admin = caller is not None and caller.may("admin")
    if not settings.registration and not by_admin:
        raise Refused("not_allowed", "On this server only admins make accounts.")
    if not by_admin:
        authenticator.count_new_account(scope)
    token, code = new_token(), new_recovery_code()

    def work(connection: Connection) -> AccountInfo:
        account = queries.create(connection, data.name)
        queries.add_token(connection, account.id, "first", token)
        queries.set_recovery_code(connection, account.id, code)
        if caller is not None and by_admin:
            record(connection, caller, "create account", data.name)
        return account

    return Welcome(await store.write(work), token, code)


@post("/accounts/recover")
async def recover_account(data: RecoveryRequest, store: Database) -> Welcome:
    """A new token for an account whose tokens are lost. The recovery code works once; the response has the next."""
    token, code = new_token(), new_recovery_code()

    def work(connection: Connection) -> AccountInfo:
        account = queries.find_by_recovery_code(connection, data.name, data.code)
        if account is None:
            raise Refused("wrong_password", "This is not the recovery code of that account.")
        _check_token_count(connection, account)
        queries.add_token(connection, account.id, "recovered", token)
        queries.set_recovery_code(connection, account.id, code)
        insert_entry(connection, account.id, account.name, None, "recover account", account.name, None)
        return account

    return Welcome(await store.write(work, _RECOVERY_LOCK), token, code)


@post("/me/recovery-code", role="player")
async def create_recovery_code(caller: Caller, store: Database) -> RecoveryCode:
    """Replace the recovery code of the caller's account; the new one is shown only once."""
    code = new_recovery_code()

    def work(connection: Connection) -> None:
        queries.set_recovery_code(connection, caller.id, code)
        record(connection, caller, "create recovery code", caller.account.name)

    await store.write(work)
    return RecoveryCode(code)


@get("/accounts", role="organiser")
async def list_accounts(store: Database, after: After = "", find: Part = "") -> list[AccountInfo]:
    """Accounts by name, 100 per page, optionally those whose name contains a text; for organisers."""
    return await store.read(partial(queries.list_accounts, after=after, part=find))


@get("/accounts/{account}", role="organiser")
async def show_account(account: str, store: Database) -> AccountInfo:
    """One account, by id or name; for organisers."""
    return await store.read(partial(_require_account, account=account))


@patch("/accounts/{account}", role="admin")
async def change_role(
    account: str, data: RoleUpdate, caller: Caller, store: Database, authenticator: Authenticator
) -> AccountInfo:
    """Change the role of an account; for admins."""

    def work(connection: Connection) -> AccountInfo:
        target = _require_account(connection, account)
        if target.role == "admin" and data.role != "admin" and queries.count_admins(connection) == 1:
            raise Refused("last_admin", f"{target.name} is the only admin: promote another account first.")
        record(connection, caller, "change role", target.name, data)
        queries.set_role(connection, target.id, data.role)
        return AccountInfo(target.id, target.name, data.role, target.created)

    changed: AccountInfo = await store.write(work, _ROLES_LOCK)
    authenticator.invalidate()
    return changed


@get("/me", role="player")
async def me(caller: Caller) -> AccountInfo:
    """The account of the token."""
    return caller.account


@get("/tokens", role="player")
async def list_tokens(caller: Caller, store: Database) -> list[TokenInfo]:
    """The caller's tokens, without their secrets."""
    return await store.read(partial(queries.list_tokens, account=caller.id))


@post("/tokens", role="player")
async def create_token(data: TokenCreate, caller: Caller, store: Database) -> TokenCreated:
    """Create another token for the caller's account; it is shown only once."""
    token = new_token()

    info: TokenInfo = await store.write(
        lambda connection: _issue_token(connection, caller, caller.account, data, token)
    )
    return TokenCreated(info.id, token)


@delete("/tokens/{token_id}", role="player")
async def revoke_token(token_id: str, caller: Caller, store: Database, authenticator: Authenticator) -> None:
    """Revoke a token of the caller, by its id."""
    await store.write(lambda connection: _revoke_token(connection, caller, caller.account, token_id))
    authenticator.revoke(token_id)


@get("/accounts/{account}/tokens", role="admin")
async def list_tokens_of(account: str, store: Database) -> list[TokenInfo]:
    """The tokens of any account, without their secrets; for admins."""
    return await store.read(
        lambda connection: queries.list_tokens(connection, _require_account(connection, account).id)
    )


@post("/accounts/{account}/tokens", role="admin")
async def create_token_for(account: str, data: TokenCreate, caller: Caller, store: Database) -> TokenCreated:
    """Create a token for an account that has lost its own; it is shown only once. For admins."""
    token = new_token()
    info: TokenInfo = await store.write(
        lambda connection: _issue_token(connection, caller, _require_account(connection, account), data, token)
    )
    return TokenCreated(info.id, token)


@delete("/accounts/{account}/tokens/{token_id}", role="admin")
async def revoke_token_of(
    account: str, token_id: str, caller: Caller, store: Database, authenticator: Authenticator
) -> None:
    """Revoke a token of any account, by its id; for admins."""
    await store.write(
        lambda connection: _revoke_token(connection, caller, _require_account(connection, account), token_id)
    )
    authenticator.revoke(token_id)


def _require_account(connection: Connection, account: str) -> AccountInfo:
    found = queries.find(connection, account)
    if found is None:
        raise Refused("not_found", f"There is no account {account!r}.")
    return found


def _issue_token(
    connection: Connection, caller: Caller, to: AccountInfo, request: TokenCreate, token: str
) -> TokenInfo:
    if request.expires is not None and request.expires <= time.time():
        raise Refused("bad_request", "A token expires in the future; say when in seconds since 1970.")
    _check_token_count(connection, to)
    record(connection, caller, "create token", to.name, request)
    return queries.add_token(connection, to.id, request.label, token, request.expires)


def _check_token_count(connection: Connection, account: AccountInfo) -> None:
    """Refuse another token for an account that has the most; expired ones are deleted first."""
    queries.delete_expired_tokens(connection, account.id)
    if len(queries.list_tokens(connection, account.id)) >= _MAX_TOKENS:
        raise Refused("too_many_tokens", f"{account.name} has {_MAX_TOKENS} tokens; revoke some first.")


def _revoke_token(connection: Connection, caller: Caller, of: AccountInfo, token: str) -> None:
    label = next((info.label for info in queries.list_tokens(connection, of.id) if info.id == token), None)
    if label is None:
        raise Refused("not_found", f"{of.name} has no token {token!r}.")
    record(connection, caller, "revoke token", of.name, {"id": token, "label": label})
    queries.revoke(connection, of.id, token)


router = api_router(
    "accounts",
    create_account,
    recover_account,
    create_recovery_code,
    list_accounts,
    show_account,
    change_role,
    me,
    list_tokens,
    create_token,
    revoke_token,
    list_tokens_of,
    create_token_for,
    revoke_token_of,
)
