"""Hashes of passwords that people choose: salted scrypt, since such passwords can be guessed."""

import asyncio
import hashlib
import hmac
import secrets
from concurrent.futures import ThreadPoolExecutor

_SALT = 16
_threads = ThreadPoolExecutor(1, "passwords")
"""One: each hash takes 30 ms of a core, and guesses must not take all of them."""


async def hash_in_thread(password: str) -> bytes | None:
    """`hash_password` without blocking the event loop."""
    return await asyncio.get_running_loop().run_in_executor(_threads, hash_password, password)


async def verify_in_thread(password: str, stored: bytes | None) -> bool:
    """`verify_password` without blocking the event loop."""
    return await asyncio.get_running_loop().run_in_executor(_threads, verify_password, password, stored)


def hash_password(password: str) -> bytes | None:
    """The salted hash of a password; None for an empty one."""
    if not password:
        return None
    salt = secrets.token_bytes(_SALT)
    return salt + _scrypt(password, salt)


def verify_password(password: str, stored: bytes | None) -> bool:
    """Whether a password matches its stored hash; any does where there is none."""
    if stored is None or not password:
        return stored is None
    return hmac.compare_digest(_scrypt(password, stored[:_SALT]), stored[_SALT:])


def _scrypt(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=2**14, r=8, p=1, dklen=32)
