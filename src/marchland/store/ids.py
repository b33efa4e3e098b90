"""Ids and tokens. Of a token only its hash is stored: it is long and random, so a plain hash is enough."""

import base64
import hashlib
import secrets

_PREFIX = "ml_"


def new_id() -> str:
    """A short random id."""
    return secrets.token_hex(6)


def new_token() -> str:
    """A random bearer token."""
    return _PREFIX + secrets.token_urlsafe(32)


def new_recovery_code() -> str:
    """A random recovery code that people can copy: 120 bits in groups of four."""
    return normalise_recovery_code(base64.b32encode(secrets.token_bytes(15)).decode())


def normalise_recovery_code(text: str) -> str:
    """A recovery code as it was shown; people may type it in small letters and without its dashes."""
    letters = "".join(letter for letter in text.upper() if letter.isalnum())
    return "-".join(letters[start : start + 4] for start in range(0, len(letters), 4))


def hash_token(token: str) -> bytes:
    """The hash under which a token is stored."""
    return hashlib.sha256(token.encode()).digest()
