"""The life of a match over HTTP, in every game."""

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

import marchland
from marchland.conformance.playing import pick_orders
from marchland.messages import ActResult, Frame, Legend, Receipt, TurnLog
from tests.support.api import until
from tests.support.in_process import InProcessServer
from tests.support.server import Person, problem
from tests.support.small_matches import LASTING

GAMES = marchland.games()


@pytest.fixture(scope="module")
def served(server: InProcessServer) -> InProcessServer:
    return server


def started(person: Person, game: str, **more: Any) -> str:
    """A match of one person against a bot that does what it likes."""
    match = person.match(game, "open", "random" if "random" in marchland.find(game).bots else "greedy", **more)
    person.join(match)
    return match


def turns(person: Person, match: str, count: int) -> None:
    """Play some turns without orders."""
    with person.watch(match, want="none") as socket:
        turn = socket.next("news")["turn"]
        for played in range(turn, turn + count):
            person.order(match, turn=played).raise_for_status()
            socket.news_of(played + 1)


@pytest.mark.parametrize("game", GAMES)
def test_a_match_starts_when_its_last_open_seat_is_taken(anna: Person, bert: Person, game: str) -> None:
    match = anna.match(game, "open", "open")
    assert anna.join(match) == 0
    assert anna.info(match).state == "lobby"
    assert bert.join(match) == 1
    assert anna.info(match).state == "running"


@pytest.mark.parametrize("game", GAMES)
def test_joining_again_gives_the_same_seat(anna: Person, game: str) -> None:
    match = anna.match(game, "open", "open")
    assert anna.join(match) == anna.join(match)


@pytest.mark.parametrize("game", GAMES)
def test_orders_get_a_receipt_and_the_same_key_gets_it_again(anna: Person, game: str) -> None:
    match = started(anna, game)
    first = anna.order(match, key="once", ready=False)
    receipt = msgspec.json.decode(first.content, type=Receipt)
    assert receipt.turn == anna.info(match).turn
    assert anna.order(match, {"do": "something else"}, key="once").json() == first.json()


@pytest.mark.parametrize("game", GAMES)
def test_a_turn_ends_as_soon_as_all_seats_are_ready(anna: Person, game: str) -> None:
    match = started(anna, game, clock={"kind": "every", "seconds": 3600})
    turn = anna.info(match).turn
    with anna.watch(match, want="none") as socket:
        anna.order(match).raise_for_status()
        assert socket.news_of(turn + 1)["turn"] == turn + 1


@pytest.mark.parametrize("game", GAMES)
def test_orders_for_a_closed_turn_are_too_late_and_for_a_coming_one_too_early(anna: Person, game: str) -> None:
    match = started(anna, game)
    turn = anna.info(match).turn
    turns(anna, match, 1)
    assert problem(anna.order(match, turn=turn), 409).error == "too_late"
    assert problem(anna.order(match, turn=turn + 9), 409).error == "too_early"


@pytest.mark.parametrize("game", GAMES)
def test_a_seat_sees_its_view_and_the_legend(anna: Person, game: str) -> None:
    match = started(anna, game)
    view = anna.must("GET", f"/matches/{match}/view?seat=0")
    assert view["turn"] == anna.info(match).turn
    legend = msgspec.convert(anna.must("GET", f"/matches/{match}/legend"), Legend)
    assert legend.game == game


@pytest.mark.parametrize("game", GAMES)
def test_the_menu_is_the_one_that_the_game_gives(organiser: Person, anna: Person, game: str) -> None:
    match = organiser.match(game, "open", "empty", seed=4)
    anna.join(match)
    names = [seat.name for seat in anna.info(match).seats]
    menu = marchland.new(game, names, seed=4, **LASTING.get(game, {})).legal(0)
    assert anna.must("POST", f"/matches/{match}/legal", json={}) == msgspec.json.decode(msgspec.json.encode(menu))


def test_a_player_learns_for_whom_the_turn_waits(anna: Person, bert: Person) -> None:
    match = anna.match("colorfight", "open", "open", "idle")
    seats = anna.join(match), bert.join(match)
    anna.order(match).raise_for_status()
    pending = anna.must("GET", f"/matches/{match}/orders")
    assert pending["ready"] and seats[1] in pending["awaited"] and seats[0] not in pending["awaited"]


def test_menus_come_with_those_that_follow_a_partial_order(anna: Person) -> None:
    match = started(anna, "enova")
    verbs = anna.must("POST", f"/matches/{match}/menus", json={})["verbs"]
    partial = {"do": "move", "from": verbs["move"]["cells"][0]}
    first, *rest = anna.must("POST", f"/matches/{match}/menus", json={"orders": [partial]})["following"]
    assert first == {"order": partial, "menu": anna.must("POST", f"/matches/{match}/legal", json=partial)}
    assert [entry["order"]["to"] for entry in rest] == first["menu"]["cells"]


@pytest.mark.parametrize("game", GAMES)
def test_orders_from_the_menu_are_done_and_others_are_logged_with_a_reason(
    organiser: Person, anna: Person, game: str
) -> None:
    match = organiser.match(game, "open", "empty", seed=4)
    anna.join(match)
    names = [seat.name for seat in anna.info(match).seats]
    local = marchland.new(game, names, seed=4, **LASTING.get(game, {}))
    good = pick_orders(local, 0, random.Random(3))
    turn = local.turn
    with anna.watch(match, seat=0, want="results") as socket:
        anna.order(match, *good, {"do": "nonsense"}).raise_for_status()
        news = socket.news_of(turn + 1)
    (response,) = (msgspec.convert(one, TurnLog) for one in anna.must("GET", f"/matches/{match}/log"))
    assert [result.reason for result in response.results][-1] == "MALFORMED"
    expected = local.step({0: [*good, {"do": "nonsense"}]}).results[0]
    assert (
        news["results"] == msgspec.to_builtins(response.results) == msgspec.json.decode(msgspec.json.encode(expected))
    )


def test_a_repelled_attack_has_no_effect_in_the_news_and_in_the_log(anna: Person) -> None:
    match = started(anna, "colorfight")
    target = anna.must("POST", f"/matches/{match}/legal", json={})["attack"]["cells"][0]
    turn = anna.info(match).turn
    with anna.watch(match, seat=0, want="results") as socket:
        anna.order(match, {"do": "attack", "at": target, "energy": 1}).raise_for_status()
        (news,) = socket.news_of(turn + 1)["results"]
    (logged,) = anna.must("GET", f"/matches/{match}/log?from={turn}")[0]["results"]
    assert news == logged
    assert (news["state"], news["code"], news["ok"], news["reason"]) == ("no_effect", "REPELLED", True, "OK")
    assert news["sentence"] == f"Repelled: 1 against {news['arguments']['needed']} needed."


@pytest.mark.parametrize("game", GAMES)
def test_the_frames_after_a_key_frame_lead_to_the_next_key_frame(anna: Person, game: str) -> None:
    match = started(anna, game)
    first = anna.info(match).turn
    turns(anna, match, 4)
    path = f"/matches/{match}/frames?seat=0"
    frames = [msgspec.convert(one, Frame, str_keys=True) for one in anna.must("GET", f"{path}&from={first}")]
    (last,) = (
        msgspec.convert(one, Frame, str_keys=True) for one in anna.must("GET", f"{path}&from={first + 4}&count=1")
    )
    assert frames[0].key
    assert frames[-1].turn == last.turn == first + 4
    assert _painted(frames) == _painted([last])


def _painted(frames: list[Frame]) -> tuple[dict[Any, int], dict[int, list[int]], list[list[int]]]:
    """Every cell, piece and player after a key frame and the frames that follow it."""
    cells: dict[Any, int] = {}
    pieces: dict[int, list[int]] = {}
    for frame in frames:
        for patch in frame.patches:
            for offset, value in zip(patch.offsets, patch.values, strict=True):
                cells[patch.chunk, patch.layer, offset] = value
        pieces |= {piece[0]: piece for piece in frame.pieces}
        for gone in frame.gone:
            del pieces[gone]
    return cells, pieces, frames[-1].players


@pytest.mark.parametrize("game", GAMES)
def test_the_replay_of_a_finished_match_verifies(anna: Person, game: str, tmp_path: Path) -> None:
    limit = "turn_limit" if game in ("boidvoid", "enova") else "max_turn"
    config = {**LASTING.get(game, {}).get("config", {}), limit: 3}
    match = started(anna, game, config=config)
    with anna.watch(match, want="none") as socket:
        while socket.next("news")["state"] == "running":
            anna.order(match)
    path = tmp_path / "match.march"
    path.write_bytes(anna.get(f"/matches/{match}/replay").raise_for_status().content)
    replay = marchland.open_replay(path)
    replay.verify()
    assert anna.info(match).outcome is not None


@pytest.mark.parametrize("game", GAMES)
def test_a_fork_goes_on_from_the_turn_it_names(anna: Person, game: str) -> None:
    match = started(anna, game, spectator_delay=0)
    first = anna.info(match).turn
    turns(anna, match, 2)
    answer = anna.post(f"/matches/{match}/fork", json={"turn": first + 1})
    if marchland.find(game).fogged:
        assert problem(answer, 403).error == "hidden"
        return
    fork = anna.info(answer.raise_for_status().json()["id"])
    assert (fork.forked_from, fork.turn, fork.state) == (match, first + 1, "running")
    turns(anna, fork.id, 1)


def test_colorfight_accepts_late_joiners(anna: Person, bert: Person) -> None:
    match = started(anna, "colorfight")
    anna.must("PATCH", f"/matches/{match}", json={"late_joiners": True})
    assert bert.join(match) == 2
    turn = anna.info(match).turn
    with bert.watch(match, want="none") as socket:
        for player in (anna, bert):
            player.order(match).raise_for_status()
        assert socket.news_of(turn + 1)["turn"] == turn + 1


def test_a_game_without_late_joiners_refuses_them(anna: Person, bert: Person) -> None:
    match = started(anna, "hive")
    anna.must("PATCH", f"/matches/{match}", json={"late_joiners": True})
    assert problem(bert.post(f"/matches/{match}/join", json={}), 409).error == "no_seat"


def test_a_turn_does_not_wait_for_a_seat_whose_player_has_left(anna: Person, bert: Person) -> None:
    match = anna.match("colorfight", "open", "open")
    anna.join(match)
    bert.join(match)
    bert.must("POST", f"/matches/{match}/leave")
    assert anna.info(match).seats[1].kind == "empty"
    turns(anna, match, 2)


def test_the_players_of_a_finished_match_stay_known(anna: Person) -> None:
    match = started(anna, "enova", config={"turn_limit": 1})
    with anna.watch(match, want="none") as socket:
        while socket.next("news")["state"] == "running":
            anna.order(match)
    assert problem(anna.post(f"/matches/{match}/leave"), 409).error == "over"
    assert anna.info(match).seats[0].account == anna.account


@pytest.mark.parametrize(
    ("game", "first", "second", "held"),
    [
        ("hive", ["a", "b"], ["c"], ["c"]),
        ("enova", [[0, 0], [0, 1]], [[0, 0]], [[0, 1], [0, 0]]),
        ("boidvoid", ["a", "b"], ["c"], ["a", "b", "c"]),
    ],
)
def test_a_seat_can_ask_what_its_posts_of_the_open_turn_come_to(
    organiser: Person, anna: Person, game: str, first: list[Any], second: list[Any], held: list[Any]
) -> None:
    match = organiser.match(game, "open", "empty")
    anna.join(match)
    turn = anna.info(match).turn
    assert anna.must("GET", f"/matches/{match}/orders") == {"turn": turn, "orders": [], "ready": False, "awaited": [0]}
    for number, names in enumerate((first, second, second)):
        orders = [{"do": "defend", "at": name} for name in names]
        anna.order(match, *orders, key=f"post {min(number, 1)}", ready=False).raise_for_status()
    response = anna.must("GET", f"/matches/{match}/orders")
    assert [order["at"] for order in response["orders"]] == held
    anna.order(match).raise_for_status()

    def read_next_turn() -> Any:
        after = anna.must("GET", f"/matches/{match}/orders?seat=0")
        assert after["turn"] > turn or after["ready"]
        return after if after["turn"] > turn else None

    after = until(read_next_turn)
    assert after == {"turn": turn + 1, "orders": [], "ready": False, "awaited": [0]}


def test_only_its_own_account_may_read_a_seats_orders(anna: Person, bert: Person) -> None:
    match = started(anna, "hive")
    assert problem(bert.get(f"/matches/{match}/orders"), 409).error == "no_seat"
    assert problem(bert.get(f"/matches/{match}/orders?seat=0"), 403).error == "not_your_seat"


def test_an_immediate_action_with_the_same_key_is_done_once(organiser: Person, anna: Person) -> None:
    match = organiser.match("boidvoid", "open", "empty")
    anna.join(match)
    unit = anna.must("POST", f"/matches/{match}/legal", json={})["spawn"]["pieces"][0]
    spawn = {"do": "spawn", "unit": unit}
    cell = anna.must("POST", f"/matches/{match}/legal", json=spawn)["cells"][0]
    post = {"order": {**spawn, "at": cell}, "key": "once"}
    first = anna.must("POST", f"/matches/{match}/act", json=post)
    assert first["result"]["ok"]
    assert anna.must("POST", f"/matches/{match}/act", json=post) == first
    second = msgspec.convert(anna.must("POST", f"/matches/{match}/act", json={**post, "key": "twice"}), ActResult)
    assert not second.result.ok


def test_games_without_immediate_actions_refuse_them(anna: Person) -> None:
    match = started(anna, "hive")
    acted = anna.must("POST", f"/matches/{match}/act", json={"order": {"do": "x"}, "key": "a"})
    assert acted["result"]["reason"] == "NOT_IMMEDIATE"
