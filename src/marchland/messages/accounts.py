"""Accounts and tokens."""

from typing import Literal

import msgspec

from marchland.messages.text import Name, Title

Role = Literal["player", "organiser", "admin"]


class AccountInfo(msgspec.Struct, frozen=True):
    """An account."""

    id: str
    name: str
    role: Role
    created: float


class AccountCreate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An account to be created."""

    name: Name


class Welcome(msgspec.Struct, frozen=True):
    """A new account and its token, which is shown only once."""

    account: AccountInfo
    token: str


class RoleUpdate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The new role of an account."""

    role: Role


class TokenInfo(msgspec.Struct, frozen=True):
    """A token without its secret."""

    id: str
    label: str
    created: float


class TokenCreate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A token to be created."""

    label: Title = ""


class TokenCreated(msgspec.Struct, frozen=True):
    """A new token, which is shown only once."""

    id: str
    token: str
