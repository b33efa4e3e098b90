"""Accounts and tokens."""

from typing import Annotated, Literal

import msgspec

from marchland.messages.text import LINE, Name, Title

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
    """A new or restored account with a token and a recovery code, which are shown only once."""

    account: AccountInfo
    token: str
    recovery_code: str = ""
    """Restores the account if its tokens are lost; it works once, and is replaced by another."""


class RecoveryRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name of an account and its recovery code."""

    name: Annotated[str, msgspec.Meta(max_length=40, pattern=LINE)]
    code: Annotated[str, msgspec.Meta(max_length=80, pattern=LINE)]


class RecoveryCode(msgspec.Struct, frozen=True):
    """A new recovery code, which is shown only once."""

    code: str


class RoleUpdate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The new role of an account."""

    role: Role


class TokenInfo(msgspec.Struct, frozen=True):
    """A token without its secret."""

    id: str
    label: str
    created: float
    expires: float | None = None
    """In seconds since 1970; None if it does not expire."""
    current: bool = False
    """Whether the request was sent with this token."""


class TokenCreate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A token to be created; ``expires`` is in seconds since 1970."""

    label: Title = ""
    expires: Annotated[float, msgspec.Meta(ge=0, le=1e11)] | None = None


class TokenCreated(msgspec.Struct, frozen=True):
    """A new token, which is shown only once."""

    id: str
    token: str
