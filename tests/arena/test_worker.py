"""The worker process that plays built-in bots on replicas of matches."""

from typing import Any

import msgspec

import marchland
from marchland.arena.worker import BotHost, BotSeat, EncodeView, Forget, Play, Response
from marchland.core.game import Game
from marchland.match.log import Entry, packed_bytes


def new_game(seed: int = 1, players: int = 2) -> Game:
    return marchland.new("colorfight", players, seed=seed)


def question(number: int, game: Game, match: str = "m", bot: str = "greedy", **more: Any) -> Play:
    seats = [BotSeat(seat, bot) for seat in range(len(game.players))]
    values: dict[str, Any] = {"entries": [], "snapshot": game.snapshot(), **more}
    return Play(number, match, game.turn, seats, **values)


def play_out(host: BotHost) -> list[Response]:
    """The responses to everything that was asked, in the order in which they come."""
    responses = []
    while host.is_busy:
        response = host.play_next_seat()
        responses += [] if response is None else [response]
    return responses


def entry_of(game: Game, index: int, orders: Any) -> Entry:
    """Play a turn and return its entry."""
    report = game.step(orders)
    return Entry(index, "turn", report.turn, game.seq, packed_bytes(report.orders), game.digest(), 0.0)


def test_one_response_has_the_orders_of_all_seats() -> None:
    host = BotHost()
    game = new_game(players=3)
    assert host.receive(question(7, game)) is None
    (response,) = play_out(host)
    assert response.number == 7
    assert sorted(response.orders) == [0, 1, 2]
    assert all(response.orders.values())


def test_a_replica_follows_its_match_by_entries() -> None:
    host, game = BotHost(), new_game()
    host.receive(question(0, game))
    (first,) = play_out(host)
    entry = entry_of(game, 0, first.orders)
    host.receive(question(1, game, entries=[entry], snapshot=b""))
    (second,) = play_out(host)
    fresh = BotHost()
    fresh.receive(question(1, game))
    assert [second] == play_out(fresh)


def test_random_orders_depend_on_match_seat_and_turn_alone() -> None:
    game, restarted = new_game(), BotHost()
    host = BotHost()
    for number in range(3):
        host.receive(question(number, game, bot="random"))
        (continued,) = play_out(host)
    restarted.receive(question(2, game, bot="random"))
    assert play_out(restarted) == [continued]
    restarted.receive(question(2, game, match="another", bot="random"))
    assert play_out(restarted) != [continued]


def test_a_match_with_few_seats_is_answered_before_one_with_many() -> None:
    host = BotHost()
    host.receive(question(0, new_game(players=8), "large"))
    host.receive(question(1, new_game(players=2), "small"))
    assert [response.number for response in play_out(host)] == [1, 0]


def test_a_replica_of_a_match_that_is_over_is_dropped() -> None:
    host = BotHost()
    for match in ("a", "b"):
        host.receive(question(0, new_game(), match))
    host.receive(Forget("a"))
    assert len(host) == 1
    host.receive(Forget("unknown"))
    assert len(host) == 1


def test_a_request_without_a_replica_is_answered_with_the_problem() -> None:
    response = BotHost().receive(question(3, new_game(), snapshot=b""))
    assert response is not None and response.number == 3 and response.problem


def test_an_entry_that_leads_elsewhere_costs_the_replica() -> None:
    host, game = BotHost(), new_game()
    wrong = msgspec.structs.replace(entry_of(game.copy(), 0, {}), digest="0")
    response = host.receive(question(0, game, entries=[wrong]))
    assert response is not None and "ReplayError" in response.problem
    assert len(host) == 0 and not host.is_busy


def test_a_bot_that_fails_gives_no_orders_and_the_others_play() -> None:
    host, game = BotHost(), new_game()
    request = Play(0, "m", game.turn, [BotSeat(0, "no such bot"), BotSeat(1, "greedy")], [], game.snapshot())
    host.receive(request)
    (response,) = play_out(host)
    assert response.orders[0] == []
    assert response.orders[1]


def test_a_view_is_encoded_from_a_snapshot() -> None:
    game = marchland.new("hive", 2, seed=1)
    response = BotHost().receive(EncodeView(5, game.snapshot(), 1))
    assert response is not None and response.number == 5
    assert msgspec.json.decode(response.view) == msgspec.json.decode(game.encode_view(1))
