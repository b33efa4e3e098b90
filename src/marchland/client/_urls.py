"""Addresses of a server."""

from urllib.parse import quote, urlencode, urlsplit

from marchland.client._errors import ClientError

API = "/api/v1"


def normalize(url: str) -> str:
    """Complete the address of a server as people write it: ``localhost:8000`` becomes ``http://localhost:8000``."""
    whole = url if "://" in url else f"http://{url}"
    try:
        parts = urlsplit(whole)
        is_valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_valid = False
    if not is_valid:
        raise ClientError(f"{url!r} is no address of a server; one looks like http://localhost:8000.")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/').removesuffix(API)}"


def live_url(base: str, match: str, seat: int) -> str:
    """The WebSocket on which a seat plays."""
    query = {"seat": seat, "want": "views,results"}
    return f"ws{base.removeprefix('http')}{API}/matches/{quote(match, safe='')}/live?{urlencode(query)}"
