"""The description that the server gives of itself is true: schemathesis tries every operation of it."""

from pathlib import Path

from tests.support.schema_cases import Effort, try_operations
from tests.support.server import ADMIN, Person, Served


def test_every_operation_does_what_its_description_says(tmp_path: Path) -> None:
    server = Served(tmp_path)  # of its own, since rooms and rounds of all kinds will run on it
    try:
        outcome = try_operations(server, Effort(examples=3, sequences=20, is_covering=False))
        with Person(server, ADMIN) as admin:
            assert admin.must("GET", "/me")["role"] == "admin"  # has not demoted itself
    finally:
        server.stop()
    assert not outcome.failures, "\n\n".join(outcome.failures[:10])
    assert outcome.cases >= 300 and outcome.cases_in_sequences >= 20
