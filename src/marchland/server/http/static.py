"""Static files of the web app. Without a built app the server still serves its API."""

import functools
import gzip
import mimetypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

from litestar import MediaType, Request, Response, Router, get
from litestar.exceptions import HTTPException, NotFoundException

from marchland.server.http.auth import IGNORES_TOKEN
from marchland.server.http.errors import ErrorResponses
from marchland.server.http.security_headers import CSP, page_policy
from marchland.server.settings import Settings

FOLDER = Path(__file__).parents[2] / "web"
_PAGES = ("/match", "/play", "/replay", "/organise", "/account", "/docs")
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


@get(["/", *(f"{page}/{{rest:path}}" for page in _PAGES), *_PAGES], include_in_schema=False)
async def page(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The app's index, at each of its pages."""
    return _index(request, 200, page_policy())


@get("/embed/{rest:path}", include_in_schema=False)
async def embedded_page(request: Request[Any, Any, Any], settings: Settings) -> Response[bytes]:
    """The app's index, for frames on the sites that the organiser allows."""
    return _index(request, 200, page_policy(settings.embed_sites))


@get("/assets/{name:str}", include_in_schema=False)
async def asset(request: Request[Any, Any, Any], name: str) -> Response[bytes]:
    """A file of the app; its name contains its hash, so it is immutable."""
    return _file(request, FOLDER / "assets" / Path(name).name, {"Cache-Control": _IMMUTABLE})


@get("/icon.svg", include_in_schema=False)
async def icon(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The icon of the browser tab."""
    return _file(request, FOLDER / "icon.svg", {"Cache-Control": "public, max-age=86400"})


def handle_not_found(errors: ErrorResponses) -> Callable[[Request[Any, Any, Any], HTTPException], Response[bytes]]:
    """The handler of unknown paths: browsers get the app with status 404, programs an error response."""

    def handle(request: Request[Any, Any, Any], problem: HTTPException) -> Response[bytes]:
        path = request.url.path
        is_browser = request.method == "GET" and "text/html" in request.headers.get("accept", "")
        if is_browser and not path.startswith(("/api/", "/assets/")) and not errors.is_wire_path(path):
            return _index(request, 404, page_policy())
        return errors.http_error(request, problem)

    return handle


def _index(request: Request[Any, Any, Any], status: int, policy: str) -> Response[bytes]:
    path = FOLDER / "index.html"
    if path.is_file():
        return _file(request, path, {"Cache-Control": "no-cache", CSP: policy}, status)
    return Response(_NOT_BUILT, status_code=status, media_type=MediaType.HTML, headers={CSP: policy})


def _file(request: Request[Any, Any, Any], path: Path, headers: dict[str, str], status: int = 200) -> Response[bytes]:
    try:
        plain, small = _content(path, path.stat().st_mtime_ns)
    except (OSError, ValueError):  # ValueError: a name that no file can have, such as one with a null character
        raise NotFoundException("There is no such file.") from None
    headers = {**headers, "Vary": "Accept-Encoding"}
    if small is not None and "gzip" in request.headers.get("accept-encoding", ""):
        plain, headers["Content-Encoding"] = small, "gzip"
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return Response(plain, status_code=status, media_type=kind, headers=headers)


@functools.lru_cache(maxsize=64)
def _content(path: Path, changed: int) -> tuple[bytes, bytes | None]:
    """A file and, if its type compresses well, its gzip form; ``changed`` is part of the cache key."""
    plain = path.read_bytes()
    return plain, gzip.compress(plain, mtime=0) if path.suffix in _COMPRESSED else None


router = Router("/", route_handlers=[page, embedded_page, asset, icon], opt={IGNORES_TOKEN: True})
