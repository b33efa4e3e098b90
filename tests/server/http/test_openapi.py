"""The description that the server gives of itself is true: schemathesis tries every operation of it."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import from_schema
from schemathesis.engine.events import NonFatalError, ScenarioFinished

from tests.support.server import ADMIN, Person, Served, person

EXAMPLES = 10
REFUSING = [
    "POST /api/v1/accounts",  # which letters can be shown, Unicode knows
    "POST /api/v1/maps",  # what a map of a game is, the game knows
    "PUT /api/v1/maps/{map_id}",
    "POST /api/v1/maps/check",
    "POST /api/v1/maps/draw",
    "POST /api/v1/matches",  # which games there are, which settings and maps fit them, the games know
    "POST /api/v1/matches/{match_id}/fork",  # how many seats there are, the match knows
    "POST /api/v1/matches/{match_id}/legal",  # which verbs there are, the game knows
    "POST /api/v1/ledger/templates",
    "PATCH /api/v1/rooms/{room}",
    "PATCH /api/v1/rounds/{round_id}",
    "PATCH /api/v1/seasons/{season}",
    "PATCH /api/v1/season-games/{game}",
    "POST /api/v1/rooms",
    "POST /api/v1/rounds",
    "POST /api/v1/rounds/{round_id}/register",
    "POST /api/v1/seasons",  # which day comes first, the calendar knows
    "POST /api/v1/seasons/{season}/games",
    "POST /api/v1/tokens",  # when a token would have expired already, the clock knows
    "POST /api/v1/accounts/{account}/tokens",
    "PUT /api/v1/season-games/{game}/teams",  # which names are refused, `marchland.messages.names` knows
    "POST /api/v1/matches/{match_id}/join",
]
"""Where a request can be refused that the description allows."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server of its own, since rooms and rounds of all kinds will run on it."""
    server = Served(tmp_path_factory.mktemp("described"))
    yield server
    server.stop()


def described(server: Served, ids: dict[str, str]) -> Any:
    """The server's description; half of the questions are about things that are there."""
    config = SchemathesisConfig.from_dict(
        {
            "seed": 6,
            "continue-on-failure": True,
            "request-timeout": 30,
            "checks": {
                "negative_data_rejection": {"expected-statuses": ["4xx"]},
                "allow_header_conformance": {"enabled": False},  # Litestar's own answer to OPTIONS names some
            },
            "operations": [
                {
                    "include-name": REFUSING,
                    "checks": {
                        "positive_data_acceptance": {
                            "expected-statuses": ["2xx", "400", "401", "403", "404", "409", "413"]
                        }
                    },
                }
            ],
            "headers": {"Authorization": f"Bearer {ADMIN}"},
            "generation": {"max-examples": EXAMPLES, "no-shrink": True, "deterministic": True, "database": "none"},
        }
    )
    schema = schemathesis.openapi.from_url(f"{server.url}/api/v1/schema/openapi.json", config=config)

    @schema.hook
    def map_path_parameters(context: Any, path_parameters: dict[str, Any] | None) -> dict[str, Any] | None:
        named = dict(path_parameters or {})
        for name, value in named.items():
            if name in ids and context.operation.method != "delete" and len(str(value)) % 2:
                named[name] = ids[name]
        return named or path_parameters

    return schema


def test_every_operation_does_what_its_description_says(server: Served) -> None:
    with person(server) as client, Person(server, ADMIN) as admin:
        match = admin.match("colorfight", "open", "idle")
        admin.join(match)
        kept = admin.must("POST", "/maps", json={"game": "enova", "name": "island", "data": "0..1\n"})["id"]
        template = {"game": "colorfight", "seats": [{"kind": "open"}, {"kind": "open"}]}
        room = admin.must("POST", "/rooms", json={"name": "den", "template": template})["name"]
        starts = time.time() + 86_400
        cup = admin.must("POST", "/rounds", json={"name": "cup", "template": template, "starts": starts})["id"]
        season = admin.must("POST", "/seasons", json={"name": "s", "start": "2099-01-01", "end": "2099-02-01"})["id"]
        ids = {"match_id": match, "account": client.account, "game": "colorfight", "map_id": kept}
        ids |= {"room": room, "round_id": cup, "season": season}
    failures, tried = [], 0
    for event in from_schema(described(server, ids)).execute():
        assert not isinstance(event, NonFatalError), event.value
        if isinstance(event, ScenarioFinished):
            tried += len(event.recorder.cases)
            for checks in event.recorder.checks.values():
                for check in checks:
                    if check.failure_info is not None:
                        told = check.failure_info
                        failures.append(f"{event.recorder.label}: {check.name}: {told.failure}\n{told.code_sample}")
    assert not failures, "\n\n".join(failures[:10])
    assert tried > 1000
