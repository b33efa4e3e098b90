"""Security headers of every response. Strict-Transport-Security is left to the proxy, which knows about TLS."""

import re
from collections.abc import Sequence

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
DEFAULT_HEADERS = (
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"referrer-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
)
"""Of every response; a page has a Content-Security-Policy of its own."""


def page_policy(sites: Sequence[str] | None = None) -> str:
    """The policy of a page of the app: no inline code, framed by these sites and our own, or by none."""
    ancestors = "'none'" if sites is None else " ".join(("'self'", *sites))
    return "; ".join((*_PAGE, f"frame-ancestors {ancestors}"))


def check_sites(sites: Sequence[str], option: str) -> None:
    """Refuse an option's value that is no origin: it ends up in a header as it is, or is never equal to one."""
    for site in sites:
        if not _SITE.fullmatch(site):
            raise MarchlandError(f"{site!r} is no site for {option}; write https://example.org, without a path.")
