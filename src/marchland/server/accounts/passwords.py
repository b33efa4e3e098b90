"""Passwords that people choose, for joining a match: salted and slow to guess."""

import hashlib
import hmac
import secrets

_SALT = 16


def kept(password: str) -> bytes | None:
    """What is kept of a password; None for none."""
    if not password:
        return None
    salt = secrets.token_bytes(_SALT)
    return salt + _stretched(password, salt)


def fits(password: str, kept_form: bytes | None) -> bool:
    """Whether it is the password that was kept."""
    if kept_form is None:
        return True
    return hmac.compare_digest(_stretched(password, kept_form[:_SALT]), kept_form[_SALT:])


def _stretched(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=2**14, r=8, p=1, dklen=32)
