"""The app's files, and frames for viewers of a part of a large board."""

from collections.abc import Iterator

import httpx
import pytest

from marchland.server.http import static
from tests.support import http_clients as http
from tests.support.server import Person, Served

LARGE = {"width": 96, "height": 64, "max_turn": 60}  # three chunks by two


@pytest.fixture
def browser(served: Served) -> Iterator[httpx.Client]:
    with http.open_client(base_url=served.url, headers={"Accept": "text/html"}, timeout=30) as client:
        yield client


@pytest.fixture
def match(anna: Person) -> str:
    made = anna.match("colorfight", "open", "idle", config=LARGE)
    anna.join(made)
    return made


@pytest.mark.parametrize("path", ["/", "/match/any", "/play/any", "/replay", "/docs", "/docs/games/hive", "/organise"])
def test_every_page_of_the_app_is_the_app(browser: httpx.Client, path: str) -> None:
    answer = browser.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert "Marchland" in answer.text


def test_an_unknown_page_is_shown_by_the_app_to_browsers_only(browser: httpx.Client) -> None:
    assert browser.get("/nowhere").headers["content-type"].startswith("text/html")
    assert browser.get("/nowhere").status_code == 404
    assert browser.get("/nowhere", headers={"Accept": "*/*"}).json()["error"] == "not_found"
    assert browser.get("/api/v1/nowhere").json()["error"] == "not_found"


@pytest.mark.skipif(not static.FOLDER.is_dir(), reason="the app was not built: make web")
def test_assets_are_cached_without_limit_and_the_page_is_not(browser: httpx.Client) -> None:
    part = next(one for one in (static.FOLDER / "assets").iterdir() if one.suffix == ".js")
    answer = browser.get(f"/assets/{part.name}")
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.content == part.read_bytes()
    assert browser.get("/").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("path", ["/assets/none.js", "/assets/..%2Findex.html", "/assets/%2e%2e/index.html"])
def test_only_parts_of_the_app_are_given_away(browser: httpx.Client, path: str) -> None:
    assert browser.get(path).status_code == 404


def test_a_reader_gets_the_chunks_it_looks_at_and_each_only_once(anna: Person, match: str) -> None:
    with anna.watch(match, chunks="") as socket:
        assert socket.next("news")["frame"]["patches"] == []
        for seen, new in (([0, 1], {0, 1}), ([1, 2], {2}), ([1], set()), ([0, 1], {0})):
            socket.send(type="see", chunks=seen)
            frame = socket.next("news")["frame"]
            assert {patch[0] for patch in frame["patches"]} == new
            assert "key" not in frame
        socket.send(type="see", chunks=None)
        whole = socket.next("news")["frame"]
        assert whole["key"]
        assert {patch[0] for patch in whole["patches"]} == set(range(6))


def test_frames_can_be_had_of_some_chunks(anna: Person, match: str) -> None:
    (frame,) = anna.must("GET", f"/matches/{match}/frames", params={"chunks": "3,5"})
    assert {patch[0] for patch in frame["patches"]} == {3, 5}
    assert anna.get(f"/matches/{match}/frames", params={"chunks": "three"}).status_code == 400
