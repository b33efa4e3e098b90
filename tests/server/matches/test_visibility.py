"""What a running match hides: its dice from all, a fogged board from accounts that do not see it."""

import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

import marchland
from tests.support.in_process import InProcessServer
from tests.support.server import Person, Served, person, problem
from tests.support.small_matches import LASTING

GAMES = marchland.games()
FOGGED = [game for game in GAMES if marchland.find(game).fogged]
SEED = 8_765_432_109_876_543


@pytest.fixture(scope="module")
def served(server: InProcessServer) -> InProcessServer:
    return server


def played(organiser: Person, *players: Person, game: str, turns: int = 3, **more: Any) -> str:
    """A match with a seed that we know, some turns old."""
    seats = ["open"] * len(players) + ["empty"] * (2 - len(players))
    match = organiser.match(game, *seats, seed=SEED, **more)
    for player in players:
        player.join(match)
    go_on(*players, match=match, turns=turns)
    return match


def go_on(*players: Person, match: str, turns: int) -> None:
    """Some more turns without orders."""
    with players[0].watch(match, seat=0, want="none") as socket:
        first = socket.next("news")["turn"]
        for turn in range(first, first + turns):
            for player in players:
                player.order(match, turn=turn).raise_for_status()
            socket.news_of(turn + 1)


def local(person: Person, match: str, game: str, turns: int = 3) -> Any:
    """The same match in this process."""
    copy = marchland.new(game, [seat.name for seat in person.info(match).seats], seed=SEED, **LASTING.get(game, {}))
    for _ in range(turns):
        copy.step({})
    return copy


def everything(person: Person, match: str) -> dict[str, str]:
    """Whatever the server tells about a match, by the question."""
    paths = ["", "/legend", *(f"/{what}{seat}" for what in ("view", "frames", "log") for seat in ("", "?seat=0"))]
    response = {path: person.get(f"/matches/{match}{path}").text for path in [*paths, "/replay"]}
    response["list"] = person.get("/matches").text
    for query in ({}, {"seat": 0}):
        with person.watch(match, want="frames,views,results", **query) as socket, suppress(ConnectionClosed):
            response[f"live {query}"] = f"{socket.next()} {socket.next()}"
    return response


@pytest.mark.parametrize("game", GAMES)
def test_the_dice_of_a_running_match_are_in_no_answer(
    organiser: Person, anna: Person, bert: Person, anonymous: Person, game: str
) -> None:
    match = played(organiser, anna, bert, game=game)
    copy = local(anna, match, game)
    secrets = [str(SEED), copy.position()["key"], copy.digest()]
    for client in (anna, bert, anonymous):
        for question, answer in everything(client, match).items():
            assert not [secret for secret in secrets if secret in answer], question


@pytest.mark.parametrize("game", GAMES)
def test_a_seat_is_shown_its_own_view_and_nothing_else(
    organiser: Person, anna: Person, bert: Person, game: str
) -> None:
    match = played(organiser, anna, bert, game=game)
    copy = local(anna, match, game)
    for seat, client in enumerate((anna, bert)):
        view = msgspec.json.decode(msgspec.json.encode(copy.view(seat)))
        assert client.must("GET", f"/matches/{match}/view?seat={seat}") == view
        with client.watch(match, seat=seat, want="views,frames") as socket:
            news = socket.next("news")
        assert news["view"] == view
        assert news["frame"] == msgspec.json.decode(msgspec.json.encode(copy.scene(seat if copy.fogged else None)))


@pytest.mark.parametrize("game", FOGGED)
@pytest.mark.parametrize("what", ["view", "frames", "log"])
def test_the_view_of_another_seat_is_hidden_in_the_fog(
    organiser: Person, anna: Person, bert: Person, anonymous: Person, game: str, what: str
) -> None:
    match = played(organiser, anna, bert, game=game)
    assert problem(anna.get(f"/matches/{match}/{what}?seat=1"), 403).error == "not_your_seat"
    assert problem(organiser.get(f"/matches/{match}/{what}?seat=1"), 403).error == "not_your_seat"
    assert anonymous.get(f"/matches/{match}/{what}?seat=1").status_code in (401, 403)


@pytest.mark.parametrize("game", FOGGED)
def test_spectators_of_a_fogged_match_see_nothing_until_it_is_over(
    organiser: Person, anna: Person, bert: Person, anonymous: Person, game: str
) -> None:
    match = played(organiser, anna, bert, game=game)
    for client in (anna, anonymous):
        assert problem(client.get(f"/matches/{match}/view"), 403).error == "hidden"
        assert problem(client.get(f"/matches/{match}/frames"), 403).error == "hidden"
        with client.watch(match, want="frames,views") as socket:
            assert not {"frame", "view"} & socket.next("news").keys()


@pytest.mark.parametrize("game", FOGGED)
@pytest.mark.parametrize("delay", [2, 5])
def test_spectators_see_a_fogged_match_as_late_as_its_creator_wants(
    organiser: Person, anna: Person, bert: Person, anonymous: Person, game: str, delay: int
) -> None:
    match = played(organiser, anna, bert, game=game, turns=4, spectator_delay=delay)
    answer = anonymous.get(f"/matches/{match}/view")
    with anonymous.watch(match, want="views") as socket:
        news = socket.next("news")
    if delay > 4:
        assert problem(answer, 403).error == "hidden"
        assert "view" not in news
        return
    late = msgspec.json.decode(msgspec.json.encode(local(anna, match, game, turns=4 - delay).view(None)))
    assert answer.raise_for_status().json() == news["view"] == late
    shown = anonymous.must("GET", f"/matches/{match}/frames")
    assert shown[-1]["turn"] == late["turn"]


def test_spectators_see_no_more_after_a_restart(tmp_path: Path) -> None:
    server = Served(tmp_path)
    try:
        with person(server, "organiser") as organiser, person(server) as anna, Person(server) as anonymous:
            match = played(organiser, anna, game="hive", spectator_delay=3)
            first = anonymous.must("GET", f"/matches/{match}/view")["turn"]
            server.kill()
            server.start()
            assert problem(anonymous.get(f"/matches/{match}/view"), 403).error == "hidden"
            go_on(anna, match=match, turns=3)
            assert anonymous.must("GET", f"/matches/{match}/view")["turn"] == first + 3
    finally:
        server.stop()


@pytest.mark.parametrize("game", GAMES)
def test_the_replay_of_a_running_match_is_for_an_organiser_without_a_seat(
    organiser: Person, anna: Person, bert: Person, anonymous: Person, game: str, tmp_path: Path
) -> None:
    match = played(organiser, anna, bert, game=game)
    for client in (anna, anonymous):
        assert problem(client.get(f"/matches/{match}/replay"), 403).error == "hidden"
    (tmp_path / "it.march").write_bytes(organiser.get(f"/matches/{match}/replay").raise_for_status().content)
    marchland.open_replay(tmp_path / "it.march").verify()


@pytest.mark.parametrize("game", FOGGED)
def test_a_running_fogged_match_is_forked_by_an_organiser_without_a_seat(
    organiser: Person, anna: Person, bert: Person, game: str
) -> None:
    match = played(organiser, anna, bert, game=game)
    turn = anna.info(match).turn
    assert problem(anna.post(f"/matches/{match}/fork", json={"turn": turn}), 403).error == "hidden"
    fork = organiser.must("POST", f"/matches/{match}/fork", json={"turn": turn})["id"]
    assert organiser.must("GET", f"/matches/{fork}/view?seat=0")["turn"] == turn


@pytest.mark.parametrize("game", FOGGED)
def test_a_fork_of_a_fogged_match_is_hidden_until_its_origin_is_over(
    organiser: Person, anna: Person, bert: Person, anonymous: Person, game: str
) -> None:
    match = played(organiser, anna, bert, game=game, config=short(game, turns=4))
    turn = anna.info(match).turn
    line = [match]
    for _ in range(2):  # a fork, and a fork of that
        body = {"turn": turn, "seats": [{}, {}]}
        fork = organiser.must("POST", f"/matches/{line[-1]}/fork", json=body)["id"]
        hidden_from(anna, anonymous, match=fork, turn=turn)
        organiser.must("POST", f"/matches/{fork}/end-turn")
        until_over(organiser, fork)
        hidden_from(anna, anonymous, match=fork, turn=turn)
        assert organiser.get(f"/matches/{fork}/replay").status_code == 200
        line.append(fork)
    organiser.must("DELETE", f"/matches/{line.pop(1)}")
    hidden_from(anna, anonymous, match=line[1], turn=turn)
    go_on(anna, bert, match=match, turns=1)
    assert anna.info(match).state == "over"
    for one in line:
        assert anonymous.must("GET", f"/matches/{one}/view?seat=1")["turn"] == turn + 1
        assert anonymous.get(f"/matches/{one}/replay").status_code == 200


def short(game: str, turns: int) -> dict[str, Any]:
    """The settings of a small match that soon ends."""
    usual = LASTING[game]["config"]
    return {name: turns if name in ("max_turn", "turn_limit") else value for name, value in usual.items()}


def until_over(client: Person, match: str) -> None:
    """Wait for the end of a match that has had its last turn."""
    with client.watch(match, seat=0, want="none") as socket:
        while socket.next("news")["state"] != "over":
            pass


def hidden_from(*people: Person, match: str, turn: int) -> None:
    """Check that none of them can read anything of a match."""
    for client in people:
        for what in ("view", "view?seat=0", "frames", "frames?seat=1", "replay"):
            assert problem(client.get(f"/matches/{match}/{what}"), 403).error == "hidden", what
        with (
            client.watch(match, want="frames,views") as socket,
            pytest.raises(ConnectionClosed, match="forked from"),
        ):
            socket.next("news")
    assert problem(people[0].post(f"/matches/{match}/fork", json={"turn": turn}), 403).error == "hidden"
    assert people[0].post(f"/matches/{match}/join", json={}).json()["error"] in ("hidden", "over")


@pytest.mark.parametrize("game", GAMES)
def test_a_fork_has_other_dice(organiser: Person, anna: Person, bert: Person, game: str, tmp_path: Path) -> None:
    match = played(organiser, anna, bert, game=game)
    turn = anna.info(match).turn
    body = {"turn": turn, "seats": [{"kind": "empty"}, {"kind": "empty"}]}
    fork = organiser.must("POST", f"/matches/{match}/fork", json=body)["id"]
    keys = []
    for number, one in enumerate((match, fork)):
        path = tmp_path / f"{number}.march"
        path.write_bytes(organiser.get(f"/matches/{one}/replay").raise_for_status().content)
        keys.append(marchland.open_replay(path).at(turn).position()["key"])
    assert keys[0] != keys[1]


def test_only_an_organiser_without_a_seat_may_set_the_seed(organiser: Person, anna: Person) -> None:
    body = {"game": "colorfight", "seats": [{}], "seed": 4}
    assert problem(anna.post("/matches", json=body), 403).error == "not_allowed"
    match = organiser.match("colorfight", "open", "open", seed=4)
    assert problem(organiser.post(f"/matches/{match}/join", json={}), 403).error == "not_allowed"


def test_the_seeds_of_rooms_rounds_and_seasons_are_shown_to_organisers_only(
    organiser: Person, anna: Person, anonymous: Person
) -> None:
    template = {"game": "hive", "seats": [{}, {}], "seed": SEED}
    far = {"starts": time.time() + 10_000, "lobby": 10}
    paths = {
        "/rooms": organiser.must("POST", "/rooms", json={"name": "dice", "template": template})["name"],
        "/rounds": organiser.must("POST", "/rounds", json={"name": "dice", "template": template, **far})["id"],
    }
    season = organiser.must("POST", "/seasons", json={"name": "dice", "start": "2990-01-01", "end": "2990-01-02"})["id"]
    games = f"/seasons/{season}/games"
    game = organiser.must("POST", games, json={"name": "dice", "template": {"game": "boidvoid", "seed": SEED}})["id"]
    asked = [*paths, *(f"{path}/{one}" for path, one in paths.items()), games, f"/season-games/{game}"]
    for path in asked:
        assert str(SEED) in organiser.get(path).text, path
        for client in (anna, anonymous):
            assert str(SEED) not in client.get(path).text, path
    for path in (f"/rooms/{paths['/rooms']}", f"/rounds/{paths['/rounds']}", f"/season-games/{game}"):
        organiser.must("DELETE", path)


def test_what_an_organiser_learns_of_a_running_match_is_written_down(
    organiser: Person, anna: Person, bert: Person, admin_person: Person
) -> None:
    match = played(organiser, anna, bert, game=FOGGED[0])
    organiser.get(f"/matches/{match}/replay").raise_for_status()
    organiser.must("POST", f"/matches/{match}/fork", json={"turn": anna.info(match).turn})
    deeds = [one["what"] for one in admin_person.must("GET", "/admin/audit?limit=500") if one["about"] == match]
    assert deeds == ["fork match", "fetch replay"]
