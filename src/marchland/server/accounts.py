"""Accounts and tokens."""

from functools import partial
from typing import Annotated

from litestar import Router
from litestar.params import Parameter
from litestar.types import Scope
from sqlalchemy import Connection

from marchland.match import Refused
from marchland.messages import (
    AccountInfo,
    NewAccount,
    NewRole,
    NewToken,
    TokenInfo,
    TokenTold,
    Welcome,
)
from marchland.messages.hosting import LINE
from marchland.server.access import Doorkeeper, caller_of, require, somebody
from marchland.server.admin import note
from marchland.server.routing import delete, get, patch, post
from marchland.server.settings import Settings
from marchland.store import Store
from marchland.store import accounts as stored

_MOST_TOKENS = 50  # of one account; each has a rate of its own
After = Annotated[str, Parameter(max_length=40, pattern=LINE, description="The last name that was seen.")]


@post("/accounts")
async def create_account(data: NewAccount, scope: Scope, store: Store, settings: Settings) -> Welcome:
    """Make an account. Its token is told this once."""
    if not settings.registration:
        caller = somebody(scope)
        if caller is None or not caller.may("admin"):
            raise Refused("not_allowed", "On this server only admins make accounts.")
    name = " ".join(data.name.split())
    if not name.isprintable() or not name:
        raise Refused("bad_request", "A name has letters that can be shown.")
    token = stored.new_token()

    def work(connection: Connection) -> AccountInfo:
        account = stored.create(connection, name)
        stored.add_token(connection, account.id, "first", token)
        return account

    return Welcome(await store.write(work), token)


@get("/accounts")
async def list_accounts(scope: Scope, store: Store, after: After = "") -> list[AccountInfo]:
    """Accounts by name, a hundred at a time; for organisers."""
    require(caller_of(scope), "organiser")
    return await store.read(partial(stored.listed, after=after))


@patch("/accounts/{account:str}")
async def change_role(account: str, data: NewRole, scope: Scope, store: Store, doorkeeper: Doorkeeper) -> AccountInfo:
    """Say what an account may do; for admins."""
    caller = caller_of(scope)
    require(caller, "admin")

    def work(connection: Connection) -> AccountInfo:
        found = stored.find(connection, account)
        if found is None:
            raise Refused("not_found", f"There is no account {account!r}.")
        note(connection, caller, "change role", found.name, data)
        stored.set_role(connection, found.id, data.role)
        return AccountInfo(found.id, found.name, data.role, found.created)

    changed: AccountInfo = await store.write(work)
    doorkeeper.forget()
    return changed


@get("/me")
async def me(scope: Scope) -> AccountInfo:
    """Whose token this is."""
    return caller_of(scope).account


@get("/tokens")
async def list_tokens(scope: Scope, store: Store) -> list[TokenInfo]:
    """One's own tokens, without what they are."""
    caller = caller_of(scope)
    return await store.read(partial(stored.tokens_of, account=caller.id))


@post("/tokens")
async def create_token(data: NewToken, scope: Scope, store: Store) -> TokenTold:
    """A further token for one's own account, told this once."""
    caller, token = caller_of(scope), stored.new_token()

    def work(connection: Connection) -> TokenInfo:
        if len(stored.tokens_of(connection, caller.id)) >= _MOST_TOKENS:
            raise Refused("too_many_tokens", f"You have {_MOST_TOKENS} tokens; revoke some first.")
        return stored.add_token(connection, caller.id, data.label, token)

    info: TokenInfo = await store.write(work)
    return TokenTold(info.id, token)


@delete("/tokens/{token_id:str}")
async def revoke_token(token_id: str, scope: Scope, store: Store, doorkeeper: Doorkeeper) -> None:
    """Take back one of one's own tokens, by its id."""
    caller = caller_of(scope)
    if not await store.write(lambda connection: stored.revoke(connection, caller.id, token_id)):
        raise Refused("not_found", f"You have no token {token_id!r}.")
    doorkeeper.revoke(token_id)


router = Router(
    "/",
    route_handlers=[create_account, list_accounts, change_role, me, list_tokens, create_token, revoke_token],
    tags=["accounts"],
)
