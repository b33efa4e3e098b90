"""Tokens, passwords, roles and rate limits."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from tests.support.in_process import InProcessServer
from tests.support.server import ADMIN, Person, Served, person, problem


@pytest.fixture(scope="module")
def served(server: InProcessServer) -> InProcessServer:
    return server


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a low rate limit."""
    server = Served(tmp_path_factory.mktemp("strict"), "--rate", "2", "--rate-address", "20")
    yield server
    server.stop()


def test_neither_tokens_nor_passwords_are_in_the_database(served: InProcessServer, anna: Person) -> None:
    further = anna.must("POST", "/tokens", json={"label": "a label that can be found"})["token"]
    anna.match("colorfight", "open", "open", password="open sesame, please")
    files = [served.database, Path(f"{served.database}-wal")]
    stored = b"".join(file.read_bytes() for file in files if file.exists())
    assert b"a label that can be found" in stored
    for secret in (anna.token, further, ADMIN, "open sesame, please"):
        assert secret is not None and secret.encode() not in stored


def test_a_token_is_shown_once(anna: Person) -> None:
    reply = anna.must("POST", "/tokens", json={"label": "further"})
    listed = anna.get("/tokens").text
    assert reply["id"] in listed
    assert reply["token"] not in listed


def test_an_account_has_only_so_many_tokens(anna: Person) -> None:
    for _ in range(49):
        anna.must("POST", "/tokens", json={})
    assert problem(anna.post("/tokens", json={}), 409).error == "too_many_tokens"


def test_the_password_of_a_match_is_required_and_never_shown(anna: Person, bert: Person) -> None:
    match = anna.match("colorfight", "open", "open", password="open sesame, please")
    assert bert.info(match).password is True
    assert "sesame" not in bert.get(f"/matches/{match}").text
    for wrong in ("", "open sesame"):
        answer = bert.post(f"/matches/{match}/join", json={"password": wrong})
        assert problem(answer, 403).error == "wrong_password"
    assert bert.join(match, password="open sesame, please") == 0


@pytest.mark.parametrize("token", ["admin", "password", "ml_", "Bearer"])
def test_there_is_no_default_token(served: InProcessServer, token: str) -> None:
    with Person(served) as stranger:
        assert stranger.get("/me", headers={"Authorization": f"Bearer {token}"}).status_code == 401


def test_other_sites_may_not_call_by_default(anonymous: Person) -> None:
    origin = {"Origin": "https://elsewhere.example"}
    asked = anonymous.options("/games", headers={**origin, "Access-Control-Request-Method": "GET"})
    for answer in (asked, anonymous.get("/games", headers=origin)):
        assert not [name for name in answer.headers if name.startswith("access-control")]


def answered(client: Person, path: str, most: int = 100) -> Any:
    """The first refusal, and how many answers came before it."""
    for count in range(most):
        answer = client.get(path)
        if not answer.is_success:
            return count, answer
    raise AssertionError(f"{most} requests were answered")


def test_a_token_over_its_rate_limit_gets_retry_after(strict: Served) -> None:
    with person(strict) as client:
        count, answer = answered(client, "/me")
        assert problem(answer, 429).error == "too_many"
        assert int(answer.headers["retry-after"]) >= 1
        assert count <= 8


def test_maps_have_a_lower_rate_limit_also_without_a_token(strict: Served) -> None:
    with Person(strict) as anonymous, person(strict) as client:
        shown = anonymous.must("GET", "/maps")[0]["id"]
        count, answer = answered(anonymous, f"/maps/{shown}")
        assert problem(answer, 429).error == "too_many" and int(answer.headers["retry-after"]) >= 1
        assert 2 <= count <= 8
        assert client.get(f"/maps/{shown}").status_code == 200


def test_an_address_over_its_rate_limit_gets_retry_after(strict: Served) -> None:
    with Person(strict) as anonymous:
        _, answer = answered(anonymous, "/games")
        assert problem(answer, 429).error == "too_many"
        assert int(answer.headers["retry-after"]) >= 1
        with pytest.raises(InvalidStatus) as refused:
            while True:
                with anonymous.watch("none"):
                    pass
        assert refused.value.response.status_code == 429
        assert refused.value.response.headers["retry-after"]


ORGANISERS = [
    ("GET", "/accounts", None),
    ("GET", "/jobs", None),
    ("POST", "/rooms", {"name": "a room", "template": {"game": "colorfight", "seats": [{}]}}),
    ("POST", "/rounds", {"name": "a round", "template": {"game": "colorfight", "seats": [{}]}, "starts": 2e9}),
    ("POST", "/seasons", {"name": "a season", "start": "2030-01-01", "end": "2030-02-01"}),
    ("DELETE", "/rooms/none", None),
    ("DELETE", "/rounds/none", None),
    ("DELETE", "/seasons/none", None),
]
ADMINS = [
    ("GET", "/admin/audit", None),
    ("PATCH", "/accounts/none", {"role": "admin"}),
]


@pytest.mark.parametrize(("method", "path", "body"), [*ORGANISERS, *ADMINS])
def test_a_player_may_not_do_what_organisers_do(
    anna: Person, anonymous: Person, method: str, path: str, body: object
) -> None:
    assert problem(anna.request(method, path, json=body), 403).error == "not_allowed"
    assert problem(anonymous.request(method, path, json=body), 401).error == "no_token"


@pytest.mark.parametrize(("method", "path", "body"), ADMINS)
def test_an_organiser_may_not_do_what_admins_do(organiser: Person, method: str, path: str, body: object) -> None:
    assert problem(organiser.request(method, path, json=body), 403).error == "not_allowed"


def test_a_new_role_counts_at_once(admin_person: Person, anna: Person) -> None:
    assert problem(anna.get("/accounts"), 403).error == "not_allowed"
    admin_person.must("PATCH", f"/accounts/{anna.account}", json={"role": "organiser"})
    anna.must("GET", "/accounts")
    admin_person.must("PATCH", f"/accounts/{anna.account}", json={"role": "player"})
    assert problem(anna.get("/accounts"), 403).error == "not_allowed"


def test_an_account_named_like_the_id_of_another_does_not_get_its_role(admin_person: Person, anna: Person) -> None:
    with Person(anna.served) as anonymous:
        thief = anonymous.must("POST", "/accounts", json={"name": anna.account})
    changed = admin_person.must("PATCH", f"/accounts/{anna.account}", json={"role": "organiser"})
    assert changed["id"] == anna.account
    with Person(anna.served, thief["token"]) as session:
        assert session.must("GET", "/me")["role"] == "player"


def test_a_player_may_manage_only_its_own_matches(anna: Person, bert: Person) -> None:
    match = anna.match("colorfight", "open", "open")
    for path in ("start", "end-turn"):
        assert problem(bert.post(f"/matches/{match}/{path}"), 403).error == "not_allowed"
    assert problem(bert.delete(f"/matches/{match}"), 403).error == "not_allowed"
    anna.must("DELETE", f"/matches/{match}")
    assert problem(anna.get(f"/matches/{match}"), 404).error == "not_found"


def test_a_player_may_start_only_so_many_matches_and_forks(anna: Person) -> None:
    made = [anna.match("enova", "open", "idle") for _ in range(20)]
    body = {"game": "enova", "seats": [{}, {}]}
    assert problem(anna.post("/matches", json=body), 409).error == "too_many_matches"
    anna.join(made[0])
    turn = anna.info(made[0]).turn
    assert problem(anna.post(f"/matches/{made[0]}/fork", json={"turn": turn}), 409).error == "too_many_matches"
