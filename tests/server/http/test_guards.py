"""Tokens and roles: refused before anything else of a request is looked at."""

from collections.abc import Iterator

import httpx
import pytest

from marchland.server.app import create_app
from marchland.server.http.application import Application
from marchland.server.http.routing import API
from marchland.server.settings import Settings
from marchland.store import Database
from tests.support.game_loading import loaded_games
from tests.support.server import Person, Served, problem

PUBLIC = {
    ("GET", "/games"),
    ("GET", "/games/{game}"),
    ("GET", "/loading"),
    ("GET", "/ledger/albums/{account}"),
    ("GET", "/ledger/items/{item}"),
    ("GET", "/ledger/pictures/{picture}"),
    ("GET", "/ledger/collections"),
    ("GET", "/ledger/schemas"),
    ("GET", "/ledger/templates"),
    ("GET", "/maps"),
    ("GET", "/maps/{map_id}"),
    ("GET", "/matches"),
    ("GET", "/matches/{match_id}"),
    ("GET", "/matches/{match_id}/frames"),
    ("GET", "/matches/{match_id}/legend"),
    ("GET", "/matches/{match_id}/readable-log"),
    ("GET", "/matches/{match_id}/replay"),
    ("GET", "/matches/{match_id}/view"),
    ("GET", "/rooms"),
    ("GET", "/rooms/{room}"),
    ("GET", "/rounds"),
    ("GET", "/rounds/{round_id}"),
    ("GET", "/rounds/{round_id}/runs"),
    ("GET", "/rounds/{round_id}/standings"),
    ("GET", "/season-games/{game}"),
    ("GET", "/seasons"),
    ("GET", "/seasons/{season}"),
    ("GET", "/seasons/{season}/games"),
    ("GET", "/standings"),
    ("POST", "/accounts"),
    ("POST", "/accounts/recover"),
}
"""Routes that need no token; every other one needs a role."""


@pytest.fixture(scope="module")
def routes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[tuple[str, str], str | None]]:
    """Every route of the API with the role that it needs."""
    folder = tmp_path_factory.mktemp("routes")
    settings = Settings(db=str(folder / "server.db"))
    with Database(settings.db) as store:
        yield dict(_roles(create_app(settings, store, loaded_games())))


def _roles(app: Application) -> Iterator[tuple[tuple[str, str], str | None]]:
    for path, endpoint in app.endpoints():
        inner = path.removeprefix(API).replace(":int}", "}")
        if path.startswith(f"{API}/") and not inner.startswith("/schema") and endpoint.method != "WEBSOCKET":
            yield (endpoint.method, inner), endpoint.role


def paths(routes: dict[tuple[str, str], str | None]) -> Iterator[tuple[str, str, str | None]]:
    """Routes with values for their parameters."""
    for (method, path), role in routes.items():
        filled = path.replace("{item}", "1").replace("{seat}", "0")
        while "{" in filled:
            filled = filled[: filled.index("{")] + "any" + filled[filled.index("}") + 1 :]
        yield method, filled, role


def test_only_listed_routes_need_no_token(routes: dict[tuple[str, str], str | None]) -> None:
    assert {route for route, role in routes.items() if role is None} == PUBLIC


def test_an_unknown_token_is_refused_at_every_route(served: Served, routes: dict[tuple[str, str], str | None]) -> None:
    with Person(served, "ml_unknown") as stranger:
        answers = {(method, path): stranger.request(method, path) for method, path, _ in paths(routes)}
    assert {route: problem(answer, 401).error for route, answer in answers.items()} == dict.fromkeys(
        answers, "bad_token"
    )


def test_a_revoked_token_is_refused_at_a_public_route(anna: Person) -> None:
    made = anna.must("POST", "/tokens", json={})
    with Person(anna.served, made["token"]) as other:
        assert other.get("/matches").status_code == 200
        anna.must("DELETE", f"/tokens/{made['id']}")
        assert problem(other.get("/matches"), 401).error == "bad_token"


def test_without_a_token_a_bad_body_is_not_looked_at(
    anonymous: Person, routes: dict[tuple[str, str], str | None]
) -> None:
    guarded = [(method, path) for method, path, role in paths(routes) if role and method in ("POST", "PUT", "PATCH")]
    found = {problem(anonymous.request(method, path, content=b"{"), 401).error for method, path in guarded}
    assert found == {"no_token"}


def test_without_the_role_a_bad_body_is_not_looked_at(anna: Person, routes: dict[tuple[str, str], str | None]) -> None:
    higher = [route for route in paths(routes) if route[2] in ("organiser", "admin")]
    assert len(higher) > 20
    found = {problem(anna.request(method, path, content=b"{"), 403).error for method, path, _ in higher}
    assert found == {"not_allowed"}


@pytest.mark.parametrize("path", ["/", "/icon.svg", "/healthz", "/readyz", "/metrics"])
def test_pages_and_operators_addresses_ignore_tokens_of_accounts(served: Served, path: str) -> None:
    headers = {"Authorization": "Bearer ml_unknown"}
    assert httpx.get(served.url + path, headers=headers).status_code in (200, 404)
