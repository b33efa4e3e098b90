"""A seat posts so often in a turn and no more, over HTTP, the WebSocket and the games' own protocols."""

from collections.abc import Iterator

import httpx
import pytest

from tests.support import http_clients as http
from tests.support.server import Person, Served, person, problem

MOST = 4


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MARCHLAND_KERNELS", "python")
        server = Served(tmp_path_factory.mktemp("strict"), "--posts", str(MOST))
        yield server
        server.stop()


@pytest.fixture
def ann(strict: Served) -> Iterator[Person]:
    with person(strict) as player:
        yield player


def test_the_match_goes_on_and_receipts_are_still_given(strict: Served, ann: Person) -> None:
    with person(strict) as bob:
        match = ann.match("colorfight", "open", "open")
        ann.join(match)
        bob.join(match)
        receipts = [ann.order(match, key=f"k{number}", turn=1, ready=False).json() for number in range(MOST)]
        answer = ann.order(match, key="one more", ready=True)
        response = problem(answer, 429)
        assert response.error == "too_many_posts" and answer.headers["retry-after"] == "1"
        assert response.sentence.startswith("Seat 0 has posted 4 times for turn 1")
        for number, receipt in enumerate(receipts):
            assert ann.order(match, key=f"k{number}", turn=1, ready=False).json() == receipt
        for number in range(MOST):
            bob.order(match, key=f"b{number}").raise_for_status()
        assert ann.info(match).turn == 1, "a refused post makes no seat ready"
        ann.must("POST", f"/matches/{match}/leave")
        with bob.watch(match, want="none") as socket:
            assert socket.news_of(2)["turn"] == 2
        bob.order(match, turn=2).raise_for_status()


def test_the_socket_tells_it_and_stays_open(ann: Person) -> None:
    match = ann.match("colorfight", "open", "open", auto_start=False)
    ann.join(match)
    ann.must("POST", f"/matches/{match}/start")
    with ann.watch(match, seat=0, want="none") as socket:
        for number in range(MOST + 1):
            socket.send(type="orders", orders=[], key=f"k{number}", turn=1, ready=False)
        response = {one["key"]: one for one in (socket.next("answer") for _ in range(MOST + 1))}
        assert [key for key, one in response.items() if one.get("error")] == [f"k{MOST}"]
        assert response[f"k{MOST}"]["error"] == "too_many_posts"
        socket.send(type="orders", orders=[], key="k0", turn=1, ready=False)
        assert socket.next("answer")["receipt"] == response["k0"]["receipt"]


def test_hive_s_own_protocol_says_so_too(strict: Served) -> None:
    with http.open_client(base_url=f"{strict.url}/hive", timeout=30) as client:
        game = client.get("/newgame", params={"map": "tiny", "players": 2}).json()["id"]
        tokens = [client.get("/join", params={"id": game, "name": name}).json()["token"] for name in ("ann", "bob")]
        answers = [_ordered(client, game, tokens[0]) for _ in range(30 * MOST)]
        refused = [one for one in answers if one.status_code != 200]
        assert refused and {one.status_code for one in refused} == {429}
        assert "has posted 4 times" in refused[0].json() and int(refused[0].headers["retry-after"]) >= 1


def _ordered(client: httpx.Client, game: str, token: str) -> httpx.Response:
    return client.post("/orders", params={"id": game, "token": token}, content=b"[]")
