"""Hashes of passwords that people choose: salted scrypt, since such passwords can be guessed."""

import hashlib
import hmac
import secrets

_SALT = 16


def hash_password(password: str) -> bytes | None:
    """The salted hash of a password; None for an empty one."""
    if not password:
        return None
    salt = secrets.token_bytes(_SALT)
    return salt + _scrypt(password, salt)


def verify_password(password: str, stored: bytes | None) -> bool:
    """Whether a password matches its stored hash; any does where there is none."""
    if stored is None:
        return True
    return hmac.compare_digest(_scrypt(password, stored[:_SALT]), stored[_SALT:])


def _scrypt(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=2**14, r=8, p=1, dklen=32)
