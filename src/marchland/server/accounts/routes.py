"""HTTP routes of accounts and tokens."""

from typing import Annotated

import msgspec
from starlette.types import Scope

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
from marchland.server.accounts.service import AccountService
from marchland.server.http.auth import Authenticator, Caller
from marchland.server.http.routing import api_router, delete, get, patch, post

Part = Annotated[str, msgspec.Meta(max_length=40, pattern=LINE, description="A part of the name, capitals or not.")]
After = Annotated[str, msgspec.Meta(max_length=40, pattern=LINE, description="The last name that was seen.")]


@post("/accounts")
async def create_account(
    data: AccountCreate, caller: Caller | None, scope: Scope, accounts: AccountService, authenticator: Authenticator
) -> Welcome:
    """Create an account. Its token and its recovery code are shown only once."""
    if not accounts.check_registration(caller):
        authenticator.count_new_account(scope)
    return await accounts.create(caller, data)


@post("/accounts/recover")
async def recover_account(data: RecoveryRequest, accounts: AccountService) -> Welcome:
    """A new token for an account whose tokens are lost. The recovery code works once; the response has the next."""
    return await accounts.recover(data)


@post("/me/recovery-code", role="player")
async def create_recovery_code(caller: Caller, accounts: AccountService) -> RecoveryCode:
    """Replace the recovery code of the caller's account; the new one is shown only once."""
    return await accounts.create_recovery_code(caller)


@get("/accounts", role="organiser")
async def list_accounts(accounts: AccountService, after: After = "", find: Part = "") -> list[AccountInfo]:
    """Accounts by name, 100 per page, optionally those whose name contains a text; for organisers."""
    return await accounts.list_accounts(after=after, part=find)


@get("/accounts/{account}", role="organiser")
async def show_account(account: str, accounts: AccountService) -> AccountInfo:
    """One account, by id or name; for organisers."""
    return await accounts.find(account)


@patch("/accounts/{account}", role="admin")
async def change_role(account: str, data: RoleUpdate, caller: Caller, accounts: AccountService) -> AccountInfo:
    """Change the role of an account; for admins."""
    return await accounts.change_role(caller, account, data)


@get("/me", role="player")
async def me(caller: Caller) -> AccountInfo:
    """The account of the token."""
    return caller.account


@get("/tokens", role="player")
async def list_tokens(caller: Caller, accounts: AccountService) -> list[TokenInfo]:
    """The caller's tokens, without their secrets."""
    return await accounts.list_own_tokens(caller)


@post("/tokens", role="player")
async def create_token(data: TokenCreate, caller: Caller, accounts: AccountService) -> TokenCreated:
    """Create another token for the caller's account; it is shown only once."""
    return await accounts.create_token(caller, caller.id, data)


@delete("/tokens/{token_id}", role="player")
async def revoke_token(token_id: str, caller: Caller, accounts: AccountService) -> None:
    """Revoke a token of the caller, by its id."""
    await accounts.revoke_token(caller, caller.id, token_id)


@get("/accounts/{account}/tokens", role="admin")
async def list_tokens_of(account: str, accounts: AccountService) -> list[TokenInfo]:
    """The tokens of any account, without their secrets; for admins."""
    return await accounts.list_tokens(account)


@post("/accounts/{account}/tokens", role="admin")
async def create_token_for(account: str, data: TokenCreate, caller: Caller, accounts: AccountService) -> TokenCreated:
    """Create a token for an account that has lost its own; it is shown only once. For admins."""
    return await accounts.create_token(caller, account, data)


@delete("/accounts/{account}/tokens/{token_id}", role="admin")
async def revoke_token_of(account: str, token_id: str, caller: Caller, accounts: AccountService) -> None:
    """Revoke a token of any account, by its id; for admins."""
    await accounts.revoke_token(caller, account, token_id)


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
