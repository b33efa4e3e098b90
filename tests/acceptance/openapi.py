"""10,000 cases of schemathesis against a populated server: all limits of all values, random ones, and sequences."""

from pathlib import Path

from tests.support.schema_cases import Effort, try_operations
from tests.support.server import ADMIN, Person, Served


def test_ten_thousand_cases_find_no_server_error_and_no_undocumented_status(tmp_path: Path) -> None:
    server = Served(tmp_path)
    try:
        outcome = try_operations(server, Effort(examples=80, sequences=400, is_covering=True))
        with Person(server, ADMIN) as admin:
            assert admin.must("GET", "/me")["role"] == "admin"
    finally:
        server.stop()
    print(f"{outcome.cases} cases, {outcome.cases_in_sequences} of them in sequences, {len(outcome.failures)} failures")
    assert not outcome.failures, "\n\n".join(outcome.failures[:10])
    assert outcome.cases >= 10_000
