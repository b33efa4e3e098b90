"""Which route a path belongs to."""

from typing import Any

from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from marchland.server.http.application import PathTable


class _App:
    def __init__(self, path: str) -> None:
        self.path = path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        raise AssertionError("not called")


def table(*paths: str) -> PathTable:
    made = PathTable()
    for path in paths:
        assert made.add(Route(path, _App(path)))
    return made


def found(paths: PathTable, path: str) -> tuple[str, dict[str, Any]] | None:
    match = paths.find(path)
    if match is None:
        return None
    app, parameters = match
    assert isinstance(app, _App)
    return app.path, parameters


def test_a_path_has_the_parameters_of_its_route() -> None:
    paths = table("/matches", "/matches/{id}", "/matches/{id}/orders")
    assert found(paths, "/matches/ab/orders") == ("/matches/{id}/orders", {"id": "ab"})
    assert found(paths, "/matches") == ("/matches", {})


def test_of_two_routes_that_match_the_first_wins() -> None:
    assert found(table("/maps/check", "/maps/{id}"), "/maps/check") == ("/maps/check", {})
    assert found(table("/maps/{id}", "/maps/check"), "/maps/check") == ("/maps/{id}", {"id": "check"})


def test_a_parameter_of_a_number_takes_digits_only() -> None:
    paths = table("/items/{item:int}", "/items/{name}")
    assert found(paths, "/items/12") == ("/items/{item:int}", {"item": 12})
    assert found(paths, "/items/1x") == ("/items/{name}", {"name": "1x"})


def test_no_parameter_is_empty_or_spans_segments() -> None:
    paths = table("/matches/{id}")
    assert found(paths, "/matches/") is None
    assert found(paths, "/matches/a/b") is None


def test_a_route_with_an_open_end_is_not_for_the_table() -> None:
    assert not PathTable().add(Route("/docs/{rest:path}", _App("/docs")))
