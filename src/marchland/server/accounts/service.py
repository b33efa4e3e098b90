"""Accounts: registration, recovery, roles and tokens. Secrets are returned once and stored as hashes."""

import time
from functools import partial

import msgspec
from sqlalchemy import Connection

from marchland.errors import Refused
from marchland.messages import (
    AccountCreate,
    AccountInfo,
    RecoveryCode,
    RecoveryRequest,
    Role,
    RoleUpdate,
    TokenCreate,
    TokenCreated,
    TokenInfo,
    Welcome,
)
from marchland.server.accounts import queries
from marchland.server.audit import insert_entry, record
from marchland.server.http.auth import Authenticator, Caller
from marchland.server.settings import Settings
from marchland.store import Database
from marchland.store.ids import new_recovery_code, new_token
from marchland.store.writer import Lock

_MAX_TOKENS = 50  # of one account; each has its own rate limit
_ROLES_LOCK = Lock("roles", exclusive=True)
"""Without it two nodes could each demote the other's last admin."""
_RECOVERY_LOCK = Lock("recovery", exclusive=True)
"""Without it two nodes could accept the same code."""


class AccountService:
    """Creates and changes accounts and their tokens; what is revoked ends at the authenticator too."""

    def __init__(self, store: Database, settings: Settings, authenticator: Authenticator) -> None:
        self._store = store
        self._registration = settings.registration
        self._authenticator = authenticator

    # ---------------------------------------------------------------- accounts

    async def list_accounts(self, *, after: str, part: str) -> list[AccountInfo]:
        """A page of accounts by name, or of those whose name contains a text."""
        return await self._store.read(partial(queries.list_accounts, after=after, part=part))

    async def find(self, account: str) -> AccountInfo:
        """One account, by id or name; refused if there is none."""
        return await self._store.read(partial(_require_account, account=account))

    def check_registration(self, caller: Caller | None) -> bool:
        """Refuse those who may not create accounts here; whether an admin creates one, without a limit."""
        by_admin = caller is not None and caller.may("admin")
        if not self._registration and not by_admin:
            raise Refused("not_allowed", "accounts_by_admins")
        return by_admin

    async def create(self, caller: Caller | None, request: AccountCreate) -> Welcome:
        """Create an account with a token and a recovery code."""
        token, code = new_token(), new_recovery_code()

        def write(connection: Connection) -> AccountInfo:
            account = queries.create(connection, request.name)
            queries.add_token(connection, account.id, "first", token)
            queries.set_recovery_code(connection, account.id, code)
            if caller is not None and caller.may("admin"):
                record(connection, caller, "create account", request.name)
            return account

        return Welcome(await self._store.write(write), token, code)

    async def recover(self, request: RecoveryRequest) -> Welcome:
        """A new token for an account whose tokens are lost, and its next recovery code."""
        token, code = new_token(), new_recovery_code()

        def write(connection: Connection) -> tuple[AccountInfo, list[str]]:
            account = queries.find_by_recovery_code(connection, request.name, request.code)
            if account is None:
                raise Refused("wrong_password", "wrong_recovery_code")
            revoked = _make_room_for_token(connection, account)
            queries.add_token(connection, account.id, "recovered", token)
            queries.set_recovery_code(connection, account.id, code)
            insert_entry(connection, account.id, account.name, None, "recover account", account.name, None)
            return account, revoked

        account, revoked = await self._store.write(write, _RECOVERY_LOCK)
        for old in revoked:
            self._authenticator.revoke(old)
        return Welcome(account, token, code)

    async def create_recovery_code(self, caller: Caller) -> RecoveryCode:
        """Replace the recovery code of the caller's account."""
        code = new_recovery_code()

        def write(connection: Connection) -> None:
            queries.set_recovery_code(connection, caller.id, code)
            record(connection, caller, "create recovery code", caller.account.name)

        await self._store.write(write)
        return RecoveryCode(code)

    async def change_role(self, caller: Caller, account: str, change: RoleUpdate) -> AccountInfo:
        """Change the role of an account; one admin must stay, and none demotes itself."""

        def write(connection: Connection) -> AccountInfo:
            target = _require_account(connection, account)
            _check_role_change(connection, caller, target, change.role)
            record(connection, caller, "change role", target.name, change)
            queries.set_role(connection, target.id, change.role)
            return AccountInfo(target.id, target.name, change.role, target.created)

        changed: AccountInfo = await self._store.write(write, _ROLES_LOCK)
        self._authenticator.invalidate()
        return changed

    # ---------------------------------------------------------------- tokens

    async def list_own_tokens(self, caller: Caller) -> list[TokenInfo]:
        """The caller's tokens; the one that the request has is marked."""
        found = await self._store.read(partial(queries.list_tokens, account=caller.id))
        return [msgspec.structs.replace(token, current=token.id == caller.token) for token in found]

    async def list_tokens(self, account: str) -> list[TokenInfo]:
        """The tokens of any account."""
        return await self._store.read(
            lambda connection: queries.list_tokens(connection, _require_account(connection, account).id)
        )

    async def create_token(self, caller: Caller, account: str, request: TokenCreate) -> TokenCreated:
        """Create a token for an account."""
        token = new_token()

        def write(connection: Connection) -> TokenInfo:
            return _issue_token(connection, caller, _require_account(connection, account), request, token)

        info: TokenInfo = await self._store.write(write)
        return TokenCreated(info.id, token)

    async def revoke_token(self, caller: Caller, account: str, token: str) -> None:
        """Revoke a token of an account, by its id, and end its streams."""

        def write(connection: Connection) -> None:
            _revoke_token(connection, caller, _require_account(connection, account), token)

        await self._store.write(write)
        self._authenticator.revoke(token)


def _require_account(connection: Connection, account: str) -> AccountInfo:
    found = queries.find(connection, account)
    if found is None:
        raise Refused("not_found", "no_such_account", account=account)
    return found


def _check_role_change(connection: Connection, caller: Caller, target: AccountInfo, role: Role) -> None:
    if target.role == "admin" and role != "admin" and queries.count_admins(connection) == 1:
        raise Refused("last_admin", "last_admin", account=target.name)
    if target.id == caller.id and role != "admin":
        raise Refused("not_allowed", "own_admin_role")


def _issue_token(
    connection: Connection, caller: Caller, to: AccountInfo, request: TokenCreate, token: str
) -> TokenInfo:
    if request.expires is not None and request.expires <= time.time():
        raise Refused("bad_request", "expiry_past")
    _check_token_count(connection, to)
    record(connection, caller, "create token", to.name, request)
    return queries.add_token(connection, to.id, request.label, token, request.expires)


def _check_token_count(connection: Connection, account: AccountInfo) -> None:
    """Refuse another token for an account that has the most; expired ones are deleted first."""
    queries.delete_expired_tokens(connection, account.id)
    if len(queries.list_tokens(connection, account.id)) >= _MAX_TOKENS:
        raise Refused("too_many_tokens", "too_many_tokens", account=account.name, most=_MAX_TOKENS)


def _make_room_for_token(connection: Connection, account: AccountInfo) -> list[str]:
    """Revoke the oldest tokens of an account that has the most: its owner, who has lost them, cannot. Returns them."""
    queries.delete_expired_tokens(connection, account.id)
    oldest = queries.list_tokens(connection, account.id)[: -(_MAX_TOKENS - 1)]
    for token in oldest:
        queries.revoke(connection, account.id, token.id)
    return [token.id for token in oldest]


def _revoke_token(connection: Connection, caller: Caller, of: AccountInfo, token: str) -> None:
    label = next((info.label for info in queries.list_tokens(connection, of.id) if info.id == token), None)
    if label is None:
        raise Refused("not_found", "no_such_token", account=of.name, token=token)
    record(connection, caller, "revoke token", of.name, {"id": token, "label": label})
    queries.revoke(connection, of.id, token)
