"""The built-in players, and the figures they are measured by."""

import json
from typing import Any

import pytest

import marchland
from marchland.core.game import Game
from marchland.core.state import TURN
from marchland.games.enova import bench
from tests.games.enova.builders import battles, defend, move, named, owned, position, support
from tests.support.duels import duel as fought
from tests.support.duels import mean_answer_milliseconds


def duel(seed: int, bots: tuple[str, str]) -> list[int]:
    game = marchland.new("enova", 2, seed=seed)
    players = [game.bots[kind](seed=seed) for kind in bots]
    while game.outcome is None:
        game.step({seat: player.play(game.observe(seat)) for seat, player in enumerate(players)})
    return game.outcome.winners


@pytest.mark.parametrize("loser", ["random", "idle"])
def test_greedy_beats_the_others_nearly_always(loser: str) -> None:
    won = sum(duel(seed, ("greedy", loser) if seed % 2 == 0 else (loser, "greedy")) == [seed % 2] for seed in range(20))
    assert won >= 19


@pytest.mark.parametrize("kind", ["idle", "random", "greedy"])
@pytest.mark.parametrize("settings", [{}, {"map": "torus"}, {"config": {"diagonals": True}}, {"map": "C.X\nX.C\n"}])
def test_a_bot_gives_the_same_possible_orders_from_arrays_and_from_a_view(kind: str, settings: dict[str, Any]) -> None:
    game = marchland.new("enova", 2, seed=2, **settings)
    for turn in range(25):
        if game.outcome:
            break
        orders: dict[int, Any] = {}
        for seat in range(2):
            arrays, view = (game.bots[kind](seed=turn) for _ in range(2))
            orders[seat] = arrays.play(game.observe(seat))
            assert orders[seat] == view.play(json.loads(json.dumps(game.view(seat))))
        report = game.step(orders)
        assert all(result.ok for results in report.results.values() for result in results)


def ask(game: Game) -> list[dict[str, Any]]:
    orders: list[dict[str, Any]] = game.bots["greedy"]().play(game.observe(0))
    return orders


@pytest.mark.parametrize("rival", ["enova_greedy", "enova_stack"])
def test_greedy_beats_its_predecessor_and_the_stack(rival: str) -> None:
    assert fought("enova", rival, range(8))["wins"] >= 13


def test_greedy_answers_within_two_milliseconds() -> None:
    assert mean_answer_milliseconds(marchland.new("enova", 4, seed=0), 100) <= 2


def test_greedy_sends_half_of_an_army_to_a_free_castle() -> None:
    game = position("..C....C", land={(0, 0): (0, 4), (7, 0): (1, 1)})
    assert ask(game) == [move((0, 0), (1, 0), 2)]


def test_greedy_attacks_with_all_that_it_needs_when_it_will_likely_win() -> None:
    land = {(0, 0): (0, 0), (1, 0): (0, 7), (2, 0): (1, 4), (3, 0): (0, 3)}
    assert ask(position("C...", land=land)) == [move((1, 0), (2, 0)), move((3, 0), (2, 0))]
    assert ask(position("C...", land={**land, (3, 0): (0, 2)})) == [defend(3, 0), defend(1, 0)]


def test_greedy_supports_an_attack_next_door_with_what_it_does_not_need() -> None:
    land = {(1, 0): (0, 12), (2, 0): (1, 4), (3, 0): (0, 3)}
    assert ask(position("C...", land=land)) == [move((1, 0), (2, 0)), support(3, 0)]


@pytest.mark.parametrize(("turn", "attacks"), [(299, True), (201, False)])
def test_greedy_dares_more_before_the_limit_if_it_would_not_win_but_never_below_what_dice_can_do(
    turn: int, attacks: bool
) -> None:
    land = {(0, 0): (0, 6), (1, 0): (1, 4), (3, 0): (1, 1)}
    game = position("C..C", land=land)
    game.head[TURN] = turn
    assert (move((0, 0), (1, 0)) in ask(game)) == attacks
    weaker = position("C..C", land={**land, (0, 0): (0, 5)})
    weaker.head[TURN] = turn
    assert ask(weaker) == [defend(0, 0)]


def test_greedy_defends_a_castle_against_more_than_it_can_beat() -> None:
    game = position("C..C", land={(0, 0): (0, 4), (1, 0): (1, 9), (3, 0): (1, 1)})
    assert ask(game) == [defend(0, 0)]


def test_greedy_joins_a_threatened_host() -> None:
    game = position("XX.X", "..CC", land={(2, 1): (0, 4), (1, 1): (1, 9), (2, 0): (0, 2), (3, 1): (0, 1)})
    assert ask(game) == [defend(2, 1), move((2, 0), (2, 1)), move((3, 1), (2, 1))]


def test_greedy_goes_round_an_army_that_it_cannot_beat_to_a_castle_that_is_hardly_held() -> None:
    land = {(0, 0): (0, 9), (1, 0): (1, 5), (3, 0): (1, 1)}
    assert ask(position("C..C", ".XX.", "....", land=land)) == [move((0, 0), (0, 1))]
    assert ask(position("C..C", ".XX.", "....", land={**land, (0, 0): (0, 20)})) == [move((0, 0), (1, 0))]


def test_greedy_gathers_in_its_largest_army() -> None:
    land = {(0, 0): (0, 3), (2, 0): (0, 1), (6, 0): (1, 5)}
    assert move((2, 0), (1, 0)) in ask(position("C.C...C", land=land))


def test_a_host_that_can_beat_any_army_marches_while_castles_keep_what_they_make() -> None:
    land = {(0, 0): (0, 3), (2, 0): (0, 20), (6, 0): (1, 5)}
    assert ask(position("C.C...C", land=land)) == [move((2, 0), (3, 0), 16), defend(0, 0)]


@pytest.mark.parametrize(("players", "games"), [(4, 10), (6, 3)])
def test_most_games_of_equals_come_to_an_end_before_the_limit(players: int, games: int) -> None:
    ended = 0
    for seed in range(games):
        game = marchland.new("enova", players, seed=seed)
        bots = [game.bots["greedy"](seed=seat) for seat in range(players)]
        while game.outcome is None:
            game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
        ended += len(game.outcome.winners) == 1 and game.turn < game.config.turn_limit
    assert ended >= 0.8 * games


def test_a_hundred_turns_of_greedy_players_see_every_kind_of_event() -> None:
    seen: set[str] = set()
    for seed in range(6):
        game = marchland.new("enova", 6, seed=seed)
        players = [game.bots[kind](seed=seed) for kind in ["greedy", "random"] * 3]
        while game.outcome is None and game.turn <= 100:
            report = game.step({seat: player.play(game.observe(seat)) for seat, player in enumerate(players)})
            seen |= {event["event"] for event in report.events}
            assert len(battles(report)) == len(named(report, "won"))
    assert seen == {kind.name for kind in game.event_kinds}
    assert owned(game)


def test_the_bench_measures_every_scenario(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SIZES", ((16, 3), (25, 3)))
    monkeypatch.setattr(bench, "BATCH", 4)
    monkeypatch.setattr(bench, "BOT_PLAYERS", 9)
    figures = list(bench.scenarios())
    assert [line["scenario"] for line in figures] == [
        "castles/16x16/16p",
        "batch/4x16x16/16p",
        "castles/20x20/25p",
        "greedy bots/9p",
        "armies/20x20/25p",
    ]
    assert all(line["us_per_turn"] > 0 for line in figures if "us_per_turn" in line)
    assert [line["most"] >= line["cpu_s_a_turn"] > 0 for line in figures if "most" in line] == [True]


@pytest.mark.parametrize("play", [bench.castle_play, bench.army_play])
def test_the_orders_of_the_bench_are_all_accepted(play: Any) -> None:
    game = marchland.new("enova", 25, seed=1, map="torus")
    for _ in range(5):
        report = game.step(play(game))
        assert len(report.orders) >= 25
        assert not report.orders.table[5].any()
