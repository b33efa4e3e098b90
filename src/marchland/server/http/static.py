"""Static files of the web app. Without a built app the server still serves its API."""

import functools
import gzip
import mimetypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

from litestar import MediaType, Request, Response, Router, get
from litestar.exceptions import HTTPException, NotFoundException

from marchland.server.http.errors import ErrorResponses

FOLDER = Path(__file__).parents[2] / "web"
_PAGES = ("/", "/match", "/play", "/replay", "/organise", "/docs")
_IMMUTABLE = "public, max-age=31536000, immutable"
_COMPRESSED = {".css", ".html", ".js", ".json", ".md", ".svg"}
_NOT_BUILT = b"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Marchland</title>
<style>body{background:#0d1117;color:#e8e3d8;font:16px/1.6 system-ui;max-width:34em;margin:12vh auto;padding:0 1em}
a{color:#f2b544}code{background:#1e2630;padding:.1em .4em;border-radius:4px}</style>
<h1>Marchland runs.</h1>
<p>The page was not built on this machine. In a clone, <code>make web</code> builds it; an installed package has it.</p>
<p>The API is there all the same: <a href="/api/v1/schema/openapi.json">its description</a>,
<a href="/api/v1/matches">the matches</a>.</p>
</html>
"""


@get(["/", *(f"{page}/{{rest:path}}" for page in _PAGES[1:]), *_PAGES[1:]], include_in_schema=False)
async def page(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The app's index, at each of its pages."""
    return _index(request, 200)


@get("/assets/{name:str}", include_in_schema=False)
async def asset(request: Request[Any, Any, Any], name: str) -> Response[bytes]:
    """A file of the app; its name contains its hash, so it is immutable."""
    return _file(request, FOLDER / "assets" / Path(name).name, _IMMUTABLE)


@get("/icon.svg", include_in_schema=False)
async def icon(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The icon of the browser tab."""
    return _file(request, FOLDER / "icon.svg", "public, max-age=86400")


def handle_not_found(errors: ErrorResponses) -> Callable[[Request[Any, Any, Any], HTTPException], Response[bytes]]:
    """The handler of unknown paths: browsers get the app with status 404, programs an error response."""

    def handle(request: Request[Any, Any, Any], problem: HTTPException) -> Response[bytes]:
        path = request.url.path
        is_browser = request.method == "GET" and "text/html" in request.headers.get("accept", "")
        if is_browser and not path.startswith(("/api/", "/assets/")) and not errors.is_wire_path(path):
            return _index(request, 404)
        return errors.http_error(request, problem)

    return handle


def _index(request: Request[Any, Any, Any], status: int) -> Response[bytes]:
    path = FOLDER / "index.html"
    if not path.is_file():
        return Response(_NOT_BUILT, status_code=status, media_type=MediaType.HTML)
    return _file(request, path, "no-cache", status)


def _file(request: Request[Any, Any, Any], path: Path, caching: str, status: int = 200) -> Response[bytes]:
    try:
        plain, small = _content(path, path.stat().st_mtime_ns)
    except OSError:
        raise NotFoundException(f"There is no {path.name}.") from None
    headers = {"Cache-Control": caching, "Vary": "Accept-Encoding", "X-Content-Type-Options": "nosniff"}
    if small is not None and "gzip" in request.headers.get("accept-encoding", ""):
        plain, headers["Content-Encoding"] = small, "gzip"
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return Response(plain, status_code=status, media_type=kind, headers=headers)


@functools.lru_cache(maxsize=64)
def _content(path: Path, changed: int) -> tuple[bytes, bytes | None]:
    """A file and, if its type compresses well, its gzip form; ``changed`` is part of the cache key."""
    plain = path.read_bytes()
    return plain, gzip.compress(plain, mtime=0) if path.suffix in _COMPRESSED else None


router = Router("/", route_handlers=[page, asset, icon])
