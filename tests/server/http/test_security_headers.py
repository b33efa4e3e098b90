"""Security headers: on every page, file, answer of the API and error."""

import asyncio
import re
from pathlib import Path

import httpx
import pytest

from marchland.errors import MarchlandError
from marchland.server.app import create_app
from marchland.server.http import static
from marchland.server.http.security_headers import check_sites
from marchland.server.settings import Settings
from marchland.store import Database
from tests.support.asgi import running_app
from tests.support.game_loading import loaded_games
from tests.support.server import Served

PAGES = ["/", "/match/any", "/play/any", "/replay", "/organise", "/docs", "/docs/games/hive"]
OTHERS = ["/icon.svg", "/healthz", "/metrics", "/api/v1/matches", "/api/v1/nowhere", "/assets/none.js", "/colorfight/"]


def policy_of(answer: httpx.Response) -> dict[str, str]:
    """The directives of an answer's Content-Security-Policy."""
    directives = (one.strip().partition(" ") for one in answer.headers["content-security-policy"].split(";"))
    return {name: sources for name, _, sources in directives}


@pytest.fixture(params=[*PAGES, "/embed/match/any", "/nowhere"])
def page(request: pytest.FixtureRequest, served: Served) -> httpx.Response:
    return httpx.get(served.url + request.param, headers={"Accept": "text/html"})


def test_a_page_runs_no_inline_code(page: httpx.Response) -> None:
    policy = policy_of(page)
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert policy["base-uri"] == "'none'"


def test_a_page_contains_no_inline_code(page: httpx.Response) -> None:
    assert not re.search(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=|javascript:", page.text)


@pytest.mark.parametrize("path", [*PAGES, *OTHERS, "/embed/match/any"])
def test_every_answer_has_the_common_headers(served: Served, path: str) -> None:
    headers = httpx.get(served.url + path, headers={"Accept": "text/html"}).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]


@pytest.mark.parametrize("path", [*PAGES, *OTHERS, "/nowhere"])
def test_no_site_may_frame_what_is_not_meant_for_it(served: Served, path: str) -> None:
    answer = httpx.get(served.url + path, headers={"Accept": "text/html"})
    assert policy_of(answer)["frame-ancestors"] == "'none'"


def test_listed_sites_may_frame_the_embedded_page_and_no_other(tmp_path: Path) -> None:
    async def ancestors() -> tuple[str, str]:
        sites = ("https://league.example", "https://*.example.org:8443")
        async with running_app(tmp_path, loaded_games(), embed_sites=sites) as app:
            embedded, plain = await app.get("/embed/match/any"), await app.get("/match/any")
            return policy_of(embedded)["frame-ancestors"], policy_of(plain)["frame-ancestors"]

    assert asyncio.run(ancestors()) == ("'self' https://league.example https://*.example.org:8443", "'none'")


@pytest.mark.parametrize("site", ["example.org", "https://example.org/path", "https://a; script-src *", "*", ""])
def test_a_site_that_is_no_origin_is_refused(site: str) -> None:
    with pytest.raises(MarchlandError, match="is no site"):
        check_sites([site], "--embed-site")


def test_an_origin_that_no_browser_sends_is_refused_at_the_start(tmp_path: Path) -> None:
    settings = Settings(db=str(tmp_path / "server.db"), origins=("https://league.example", "example.org/path"))
    with (
        Database(settings.db) as store,
        pytest.raises(MarchlandError, match="is no site for --allow-origin"),
    ):
        create_app(settings, store, loaded_games())


@pytest.mark.parametrize("name", ["%00", "a%00b", "%C3%28", "%ff", "x" * 3_000, "..%00"])
def test_a_file_name_that_cannot_exist_is_not_found(served: Served, name: str) -> None:
    assert httpx.get(f"{served.url}/assets/{name}").status_code == 404


@pytest.mark.skipif(not static.FOLDER.is_dir(), reason="the app was not built: make web")
def test_documents_of_the_built_app_use_no_style_attributes() -> None:
    built = "".join(path.read_text() for path in (static.FOLDER / "assets").glob("*.js"))
    assert not re.search(r"<[a-z]+ [^<>]*style=\\?[\"']", built)
