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
    """An account to be made."""

    name: Name


class Welcome(msgspec.Struct, frozen=True):
    """A new account and its token, which is shown only here."""

    account: AccountInfo
    token: str


class RoleUpdate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an account may do from now on."""

    role: Role


class TokenInfo(msgspec.Struct, frozen=True):
    """A token as its owner sees it afterwards."""

    id: str
    label: str
    created: float


class TokenCreate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A further token for one's own account."""

    label: Title = ""


class TokenCreated(msgspec.Struct, frozen=True):
    """A new token, shown only here."""

    id: str
    token: str
