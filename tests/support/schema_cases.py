"""schemathesis on a populated server: tries what the server's description of itself allows, and what it does not."""

import time
from typing import Any, NamedTuple

import schemathesis
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import from_schema
from schemathesis.engine.events import NonFatalError, ScenarioFinished

from tests.support.server import ADMIN, Person, Served, person

REFUSING = [
    "POST /api/v1/accounts",  # which letters can be shown, Unicode knows
    "POST /api/v1/maps",  # what a map of a game is, the game knows
    "PUT /api/v1/maps/{map_id}",
    "POST /api/v1/ledger/pictures",
    "POST /api/v1/maps/check",
    "POST /api/v1/maps/draw",
    "POST /api/v1/matches",  # which games there are, which settings and maps fit them, the games know
    "POST /api/v1/matches/{match_id}/fork",  # how many seats there are, the match knows
    "POST /api/v1/matches/{match_id}/legal",  # which verbs there are, the game knows
    "POST /api/v1/matches/{match_id}/menus",
    "POST /api/v1/ledger/collections",
    "POST /api/v1/ledger/schemas",
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
CLOSED_NOT_DELETED = [
    "GET /api/v1/rounds/{round_id}",
    "PATCH /api/v1/rounds/{round_id}",
    "GET /api/v1/rounds/{round_id}/runs",
    "GET /api/v1/rounds/{round_id}/standings",
    "POST /api/v1/rounds/{round_id}/register",
]
"""What a DELETE closes and does not delete: results of a round stay, and it can be opened again."""


class Effort(NamedTuple):
    """How many cases are tried: of each operation, sequences of operations, and whether every value limit is tried."""

    examples: int
    sequences: int
    is_covering: bool


class Outcome(NamedTuple):
    """How many cases were tried, how many of them in sequences, and what was wrong."""

    cases: int
    cases_in_sequences: int
    failures: list[str]


def try_operations(server: Served, effort: Effort) -> Outcome:
    """Try every operation of a server, with the admin's token; half of the requests name something that exists."""
    failures, cases, in_sequences = [], 0, 0
    for event in from_schema(_schema(server, _populate(server), effort)).execute():
        assert not isinstance(event, NonFatalError), event.value
        if isinstance(event, ScenarioFinished):
            cases += len(event.recorder.cases)
            if event.phase.value == "stateful":
                in_sequences += len(event.recorder.cases)
            for checks in event.recorder.checks.values():
                for check in checks:
                    if (found := check.failure_info) is not None:
                        failures.append(f"{event.recorder.label}: {check.name}: {found.failure}\n{found.code_sample}")
    return Outcome(cases, in_sequences, failures)


def _populate(server: Served) -> dict[str, str]:
    """Create something of each kind; values for the parameters of paths."""
    with person(server) as client, Person(server, ADMIN) as admin:
        match = admin.match("colorfight", "open", "idle")
        admin.join(match)
        map_id = admin.must("POST", "/maps", json={"game": "enova", "name": "island", "data": "0..1\n"})["id"]
        template = {"game": "colorfight", "seats": [{"kind": "open"}, {"kind": "open"}]}
        room = admin.must("POST", "/rooms", json={"name": "den", "template": template})["name"]
        starts = time.time() + 86_400
        round_id = admin.must("POST", "/rounds", json={"name": "cup", "template": template, "starts": starts})["id"]
        season = admin.must("POST", "/seasons", json={"name": "s", "start": "2099-01-01", "end": "2099-02-01"})["id"]
        return {
            "match_id": match,
            "account": client.account,
            "game": "colorfight",
            "map_id": map_id,
            "room": room,
            "round_id": round_id,
            "season": season,
        }


def _schema(server: Served, ids: dict[str, str], effort: Effort) -> Any:
    config = SchemathesisConfig.from_dict(
        {
            "seed": 6,
            "continue-on-failure": True,
            "request-timeout": 30,
            "checks": {
                "negative_data_rejection": {"expected-statuses": ["4xx"]},
            },
            "operations": [
                {
                    "include-name": CLOSED_NOT_DELETED,
                    "checks": {"use_after_free": {"enabled": False}},
                },
                {
                    "include-name": REFUSING,
                    "checks": {
                        "positive_data_acceptance": {
                            "expected-statuses": ["2xx", "400", "401", "403", "404", "409", "413"]
                        }
                    },
                },
            ],
            "headers": {"Authorization": f"Bearer {ADMIN}"},
            "generation": {"no-shrink": True, "deterministic": True, "database": "none"},
            "phases": {
                "coverage": {"enabled": effort.is_covering},
                "fuzzing": {"generation": {"max-examples": effort.examples}},
                "stateful": {"generation": {"max-examples": effort.sequences}},
            },
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
