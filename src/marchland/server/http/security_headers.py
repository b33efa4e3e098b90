"""Security headers of every response. Strict-Transport-Security is left to the proxy, which knows about TLS."""

import re
from collections.abc import Awaitable, Callable, Sequence

from litestar.types import Message, Scope

from marchland.errors import MarchlandError

CSP = "Content-Security-Policy"
_SITE = re.compile(r"https?://(\*\.)?[a-z0-9.-]+(:[0-9]{1,5})?", re.ASCII | re.IGNORECASE)
_PAGE = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
)
_DEFAULTS = (
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"referrer-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
)


def page_policy(sites: Sequence[str] | None = None) -> str:
    """The policy of a page of the app: no inline code, framed by these sites and our own, or by none."""
    ancestors = "'none'" if sites is None else " ".join(("'self'", *sites))
    return "; ".join((*_PAGE, f"frame-ancestors {ancestors}"))


def check_sites(sites: Sequence[str]) -> None:
    """Refuse a setting that is no origin; it would end up in a header as it is."""
    for site in sites:
        if not _SITE.fullmatch(site):
            raise MarchlandError(f"{site!r} is no site for --embed-site; write https://example.org, without a path.")


def add_security_headers() -> Callable[[Message, Scope], Awaitable[None]]:
    """A hook on every message that is sent; headers that a handler has set stay."""

    async def add(message: Message, scope: Scope) -> None:
        if message["type"] != "http.response.start":
            return
        headers = list(message["headers"])
        present = {name.lower() for name, _ in headers}
        message["headers"] = [*headers, *(header for header in _DEFAULTS if header[0] not in present)]

    return add
