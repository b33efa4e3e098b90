"""Static files of the web app. Without a built app the server still serves its API."""

import functools
import gzip
import mimetypes
from collections.abc import Callable
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Scope

from marchland.server.http.errors import ErrorResponses
from marchland.server.http.routing import Router, get
from marchland.server.http.security_headers import CSP, page_policy
from marchland.server.settings import Settings

FOLDER = Path(__file__).parents[2] / "web"
_PAGES = ("/match", "/play", "/bots", "/replay", "/replays", "/organise", "/account", "/docs")
_IMMUTABLE = "public, max-age=31536000, immutable"
_COMPRESSED = {".css", ".html", ".js", ".json", ".md", ".svg"}
_NOT_BUILT = b"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="dark light"><title>Marchland</title>
<h1>Marchland runs.</h1>
<p>The page was not built on this machine. In a clone, <code>make web</code> builds it; an installed package has it.</p>
<p>The API is there all the same: <a href="/api/v1/schema/openapi.json">its description</a>,
<a href="/api/v1/matches">the matches</a>.</p>
</html>
"""


async def page(scope: Scope) -> Response:
    """The app's index, at each of its pages."""
    return _index(scope, 200, page_policy())


@get("/embed/{rest:path}", ignores_token=True)
async def embedded_page(scope: Scope, settings: Settings) -> Response:
    """The app's index, for frames on the sites that the organiser allows."""
    return _index(scope, 200, page_policy(settings.embed_sites))


@get("/assets/{name}", ignores_token=True)
async def asset(scope: Scope, name: str) -> Response:
    """A file of the app; its name contains its hash, so it is immutable."""
    return _file(scope, FOLDER / "assets" / Path(name).name, {"Cache-Control": _IMMUTABLE})


@get("/icon.svg", ignores_token=True)
async def icon(scope: Scope) -> Response:
    """The icon of the browser tab."""
    return _file(scope, FOLDER / "icon.svg", {"Cache-Control": "public, max-age=86400"})


def handle_not_found(errors: ErrorResponses) -> Callable[[Scope], Response]:
    """The handler of unknown paths: browsers get the app with status 404, programs an error response."""

    def handle(scope: Scope) -> Response:
        path = scope["path"]
        is_browser = scope["method"] == "GET" and "text/html" in Headers(scope=scope).get("accept", "")
        if is_browser and not path.startswith(("/api/", "/assets/")) and not errors.is_wire_path(path):
            return _index(scope, 404, page_policy())
        return errors.respond(scope, HTTPException(404))

    return handle


def _index(scope: Scope, status: int, policy: str) -> Response:
    path = FOLDER / "index.html"
    if path.is_file():
        return _file(scope, path, {"Cache-Control": "no-cache", CSP: policy}, status)
    return Response(_NOT_BUILT, status, {CSP: policy}, "text/html")


def _file(scope: Scope, path: Path, headers: dict[str, str], status: int = 200) -> Response:
    try:
        plain, small = _content(path, path.stat().st_mtime_ns)
    except (OSError, ValueError):  # ValueError: a name that no file can have, such as one with a null character
        raise HTTPException(404, "There is no such file.") from None
    headers = {**headers, "Vary": "Accept-Encoding"}
    if small is not None and "gzip" in Headers(scope=scope).get("accept-encoding", ""):
        plain, headers["Content-Encoding"] = small, "gzip"
    return Response(plain, status, headers, mimetypes.guess_type(path.name)[0] or "application/octet-stream")


@functools.lru_cache(maxsize=64)
def _content(path: Path, changed: int) -> tuple[bytes, bytes | None]:
    """A file and, if its type compresses well, its gzip form; ``changed`` is part of the cache key."""
    plain = path.read_bytes()
    return plain, gzip.compress(plain, mtime=0) if path.suffix in _COMPRESSED else None


_PAGE_PATHS = ("/", *_PAGES, *(f"{path}/{{rest:path}}" for path in _PAGES))
router = Router("/", (*(get(path, ignores_token=True)(page) for path in _PAGE_PATHS), embedded_page, asset, icon))
