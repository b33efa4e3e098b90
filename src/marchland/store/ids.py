"""Ids and tokens. Of a token only its hash is stored: it is long and random, so a plain hash is enough."""

import hashlib
import secrets

_PREFIX = "ml_"


def new_id() -> str:
    """A short random id."""
    return secrets.token_hex(6)


def new_token() -> str:
    """A random bearer token."""
    return _PREFIX + secrets.token_urlsafe(32)


def hash_token(token: str) -> bytes:
    """The hash under which a token is stored."""
    return hashlib.sha256(token.encode()).digest()
