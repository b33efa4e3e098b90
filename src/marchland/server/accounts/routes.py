"""Accounts and tokens."""

from functools import partial
from typing import Annotated

from litestar import Router
from litestar.params import Parameter
from litestar.types import Scope
from sqlalchemy import Connection

from marchland.errors import Refused
from marchland.messages import (
    AccountCreate,
    AccountInfo,
    RoleUpdate,
    TokenCreate,
    TokenCreated,
    TokenInfo,
    Welcome,
)
from marchland.messages.text import LINE
from marchland.server.accounts import queries
from marchland.server.audit import record
from marchland.server.http.auth import Authenticator, Caller, caller_or_none, require_caller, require_role
from marchland.server.http.routing import delete, get, patch, post
from marchland.server.settings import Settings
from marchland.store import Store
from marchland.store.ids import new_token
from marchland.store.writer import Lock

_MOST_TOKENS = 50  # of one account; each has a rate of its own
_ONE_AT_A_TIME = Lock("roles", alone=True)
"""Two nodes could otherwise each take the other's last admin away."""
Part = Annotated[str, Parameter(max_length=40, pattern=LINE, description="A part of the name, capitals or not.")]
After = Annotated[str, Parameter(max_length=40, pattern=LINE, description="The last name that was seen.")]


@post("/accounts")
async def create_account(data: AccountCreate, scope: Scope, store: Store, settings: Settings) -> Welcome:
    """Make an account. Its token is told this once."""
    caller = caller_or_none(scope)
    by_admin = caller is not None and caller.may("admin")
    if not settings.registration and not by_admin:
        raise Refused("not_allowed", "On this server only admins make accounts.")
    name = " ".join(data.name.split())
    if not name.isprintable() or not name:
        raise Refused("bad_request", "A name has letters that can be shown.")
    token = new_token()

    def work(connection: Connection) -> AccountInfo:
        account = queries.create(connection, name)
        queries.add_token(connection, account.id, "first", token)
        if caller is not None and by_admin:
            record(connection, caller, "create account", name)
        return account

    return Welcome(await store.write(work), token)


@get("/accounts")
async def list_accounts(scope: Scope, store: Store, after: After = "", find: Part = "") -> list[AccountInfo]:
    """Accounts by name, a hundred at a time, all or those whose name holds a text; for organisers."""
    require_role(require_caller(scope), "organiser")
    return await store.read(partial(queries.list_accounts, after=after, part=find))


@get("/accounts/{account:str}")
async def show_account(account: str, scope: Scope, store: Store) -> AccountInfo:
    """One account, by id or name; for organisers."""
    require_role(require_caller(scope), "organiser")
    return await store.read(partial(_found, account=account))


@patch("/accounts/{account:str}")
async def change_role(
    account: str, data: RoleUpdate, scope: Scope, store: Store, authenticator: Authenticator
) -> AccountInfo:
    """Say what an account may do; for admins."""
    caller = require_caller(scope)
    require_role(caller, "admin")

    def work(connection: Connection) -> AccountInfo:
        found = _found(connection, account)
        if found.role == "admin" and data.role != "admin" and queries.count_admins(connection) == 1:
            raise Refused("last_admin", f"{found.name} is the only admin: make somebody else one first.")
        record(connection, caller, "change role", found.name, data)
        queries.set_role(connection, found.id, data.role)
        return AccountInfo(found.id, found.name, data.role, found.created)

    changed: AccountInfo = await store.write(work, _ONE_AT_A_TIME)
    authenticator.invalidate()
    return changed


@get("/me")
async def me(scope: Scope) -> AccountInfo:
    """Whose token this is."""
    return require_caller(scope).account


@get("/tokens")
async def list_tokens(scope: Scope, store: Store) -> list[TokenInfo]:
    """One's own tokens, without what they are."""
    caller = require_caller(scope)
    return await store.read(partial(queries.list_tokens, account=caller.id))


@post("/tokens")
async def create_token(data: TokenCreate, scope: Scope, store: Store) -> TokenCreated:
    """A further token for one's own account, told this once."""
    caller, token = require_caller(scope), new_token()

    info: TokenInfo = await store.write(lambda connection: _given(connection, caller, caller.account, data, token))
    return TokenCreated(info.id, token)


@delete("/tokens/{token_id:str}")
async def revoke_token(token_id: str, scope: Scope, store: Store, authenticator: Authenticator) -> None:
    """Take back one of one's own tokens, by its id."""
    caller = require_caller(scope)
    await store.write(lambda connection: _taken_back(connection, caller, caller.account, token_id))
    authenticator.revoke(token_id)


@get("/accounts/{account:str}/tokens")
async def list_tokens_of(account: str, scope: Scope, store: Store) -> list[TokenInfo]:
    """The tokens of any account, without what they are; for admins."""
    require_role(require_caller(scope), "admin")
    return await store.read(lambda connection: queries.list_tokens(connection, _found(connection, account).id))


@post("/accounts/{account:str}/tokens")
async def create_token_for(account: str, data: TokenCreate, scope: Scope, store: Store) -> TokenCreated:
    """A new token for an account that has lost its own; shown once. For admins."""
    caller, token = require_caller(scope), new_token()
    require_role(caller, "admin")
    info: TokenInfo = await store.write(
        lambda connection: _given(connection, caller, _found(connection, account), data, token)
    )
    return TokenCreated(info.id, token)


@delete("/accounts/{account:str}/tokens/{token_id:str}")
async def revoke_token_of(
    account: str, token_id: str, scope: Scope, store: Store, authenticator: Authenticator
) -> None:
    """Take back a token of any account, by its id; for admins."""
    caller = require_caller(scope)
    require_role(caller, "admin")
    await store.write(lambda connection: _taken_back(connection, caller, _found(connection, account), token_id))
    authenticator.revoke(token_id)


def _found(connection: Connection, account: str) -> AccountInfo:
    found = queries.find(connection, account)
    if found is None:
        raise Refused("not_found", f"There is no account {account!r}.")
    return found


def _given(connection: Connection, caller: Caller, to: AccountInfo, wish: TokenCreate, token: str) -> TokenInfo:
    if len(queries.list_tokens(connection, to.id)) >= _MOST_TOKENS:
        raise Refused("too_many_tokens", f"{to.name} has {_MOST_TOKENS} tokens; revoke some first.")
    record(connection, caller, "create token", to.name, wish)
    return queries.add_token(connection, to.id, wish.label, token)


def _taken_back(connection: Connection, caller: Caller, of: AccountInfo, token: str) -> None:
    label = next((one.label for one in queries.list_tokens(connection, of.id) if one.id == token), None)
    if label is None:
        raise Refused("not_found", f"{of.name} has no token {token!r}.")
    record(connection, caller, "revoke token", of.name, {"id": token, "label": label})
    queries.revoke(connection, of.id, token)


router = Router(
    "/",
    route_handlers=[
        create_account,
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
    ],
    tags=["accounts"],
)
