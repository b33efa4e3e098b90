"""Rulings 8 and 13: battle variance, scores, draws. Counted over many battles at fixed seeds."""

import numpy as np
import pytest

import marchland
from marchland.core.game import Game
from tests.games.enova.builders import Land, Order, battles, defend, move, named, owned, position, support

COLUMNS, LINES = 50, 20

Orders = dict[int, list[Order]]
Row = dict[int, tuple[int, int]]


def thousandfold(tiles: str, land: Row, orders: Orders) -> tuple[Game, Orders]:
    """A board with a thousand copies of one row of tiles between walls, and every player's orders in each."""
    width = len(tiles) + 1
    rows = [row for _ in range(LINES) for row in ((tiles + "X") * COLUMNS, "X" * width * COLUMNS)]
    places = [(width * column, 2 * line) for column in range(COLUMNS) for line in range(LINES)]
    everywhere = {(x + at, y): what for x, y in places for at, what in land.items()}
    game = position(*rows, land=everywhere, players=1 + max(owner for owner, _ in land.values()))
    return game, {
        player: [shifted(order, x, y) for x, y in places for order in given] for player, given in orders.items()
    }


def shifted(order: Order, x: int, y: int) -> Order:
    return {name: [value[0] + x, value[1] + y] if name != "do" else value for name, value in order.items()}


def wins(game: Game, orders: Orders, throws: int) -> list[int]:
    """How many battles each player wins, over so many throws of all dice."""
    won = next(number for number, kind in enumerate(game.event_kinds) if kind.name == "won")
    counts = np.zeros(len(game.players), np.int64)
    for seed in range(throws):
        rows = game.fork(seed=seed).step(orders).event_rows
        counts += np.bincount(rows[rows[:, 0] == won][:, 2], minlength=len(counts))
    return [int(count) for count in counts]


def test_ten_against_ten_is_won_by_each_side_half_of_the_time() -> None:
    land = {0: (0, 10), 1: (1, 4), 2: (1, 2)}
    orders = {0: [move((0, 0), (1, 0))], 1: [defend(1, 0), support(2, 0)]}
    attacker, defender = wins(*thousandfold("...", land, orders), throws=20)
    assert attacker + defender == 20_000
    assert abs(attacker - 10_000) <= 400


def test_three_equal_parties_win_a_third_each() -> None:
    land = {0: (0, 4), 1: (1, 4), 2: (2, 4)}
    counts = wins(*thousandfold("...", land, {0: [move((0, 0), (1, 0))], 2: [move((2, 0), (1, 0))]}), throws=10)
    assert sum(counts) == 10_000
    assert all(abs(count - 3_333) <= 200 for count in counts)


def test_the_score_is_strength_plus_one_to_variance() -> None:
    # 12 against 9: V = 5, so the weaker side needs 4 more than the other: (5, 1), and the tie (4, 1), (5, 2) again.
    land = {0: (0, 12), 1: (1, 9)}
    attacker, defender = wins(*thousandfold("..", land, {0: [move((0, 0), (1, 0))]}), throws=10)
    assert abs(defender - 10_000 / 23) <= 80
    assert attacker + defender == 10_000


@pytest.mark.parametrize("dice", range(20))
def test_the_highest_score_wins_the_battle(dice: int) -> None:
    land = {(0, 0): (0, 12), (1, 0): (1, 10), (2, 0): (2, 11)}
    game = position("...", land=land, players=3).fork(seed=dice)
    (battle,) = battles(game.step({0: [move((0, 0), (1, 0))], 2: [move((2, 0), (1, 0))]}))
    scores = {player: party["score"] for player, party in battle["parties"].items()}
    winner = battle["winner"]
    assert all(scores[winner] > score for player, score in scores.items() if player != winner)
    assert owned(game)[1, 0] == (winner, land[winner, 0][1])


def test_every_number_of_the_die_is_as_likely() -> None:
    game, orders = thousandfold("..", {0: (0, 10), 1: (1, 10)}, {0: [move((0, 0), (1, 0))]})
    roll = next(number for number, kind in enumerate(game.event_kinds) if kind.name == "roll")
    rows = np.concatenate([game.fork(seed=seed).step(orders).event_rows for seed in range(5)])
    first = rows[(rows[:, 0] == roll) & (rows[:, 3] == 0)]
    counts = np.bincount(first[:, 4], minlength=6)
    assert counts[0] == 0
    assert all(abs(count - 2000) <= 180 for count in counts[1:])


@pytest.mark.parametrize("units", [1, 2, 3])
def test_with_a_variance_of_one_and_equal_strength_the_owner_always_holds(units: int) -> None:
    game, orders = thousandfold("..", {0: (0, units), 1: (1, units)}, {0: [move((0, 0), (1, 0))]})
    assert wins(game, orders, throws=5) == [0, 5_000]


def test_with_a_variance_of_one_more_strength_always_wins() -> None:
    game, orders = thousandfold("..", {0: (0, 3), 1: (1, 2)}, {0: [move((0, 0), (1, 0))]})
    assert wins(game, orders, throws=5) == [5_000, 0]


@pytest.mark.parametrize(
    ("tiles", "land", "orders"),
    [
        ("...", {0: (0, 2), 2: (1, 2)}, {0: [move((0, 0), (1, 0))], 1: [move((2, 0), (1, 0))]}),
        ("..", {0: (0, 2), 1: (1, 2)}, {0: [move((0, 0), (1, 0))], 1: [move((1, 0), (0, 0))]}),
        ("...X.", {0: (0, 2), 1: (2, 0), 2: (1, 2), 4: (2, 1)}, {0: [move((0, 0), (1, 0))], 1: [move((2, 0), (1, 0))]}),
    ],
    ids=["unowned tile", "edge", "tile of a third player"],
)
def test_with_no_chance_left_and_no_owner_among_the_tied_a_fair_draw_decides(
    tiles: str, land: Row, orders: Orders
) -> None:
    counts = wins(*thousandfold(tiles, land, orders), throws=5)
    assert sum(counts) == 5_000
    assert abs(counts[0] - 2_500) <= 150


@pytest.mark.parametrize(
    ("land", "orders", "among"),
    [
        ({(1, 0): (0, 2), (1, 2): (1, 2)}, {0: [move((1, 0), (1, 1))], 1: [move((1, 2), (1, 1))]}, 2),
        ({(1, 0): (0, 2), (1, 1): (1, 2)}, {0: [move((1, 0), (1, 1))], 1: [move((1, 1), (1, 0))]}, 2),
        (
            {(1, 0): (0, 2), (1, 2): (1, 2), (0, 1): (2, 2)},
            {0: [move((1, 0), (1, 1))], 1: [move((1, 2), (1, 1))], 2: [move((0, 1), (1, 1))]},
            3,
        ),
        (
            {(1, 0): (0, 2), (1, 2): (1, 2), (0, 1): (2, 1)},
            {0: [move((1, 0), (1, 1))], 1: [move((1, 2), (1, 1))], 2: [move((0, 1), (1, 1))]},
            2,
        ),
    ],
    ids=["tile", "edge", "three", "two of three"],
)
def test_a_battle_decided_by_a_draw_reports_it_with_its_scores(land: Land, orders: Orders, among: int) -> None:
    report = position("...", "...", "...", land=land, players=3).step(orders)
    (battle,) = battles(report)
    assert (battle["variance"], battle["lots"]) == (1, among)
    assert all(party["dice"] == [1] for party in battle["parties"].values())
    assert all(party["score"] == party["strength"] + 1 for party in battle["parties"].values())
    (drawn,) = named(report, "drew_lots")
    (won,) = named(report, "won")
    assert drawn == {"event": "drew_lots", "battle": 1, "player": battle["winner"], "at": won["at"], "among": among}


def test_no_lots_are_drawn_where_the_owner_holds_its_tile() -> None:
    report = position("..", land={(0, 0): (0, 2), (1, 0): (1, 2)}).step({0: [move((0, 0), (1, 0))]})
    assert [(battle["winner"], battle["lots"]) for battle in battles(report)] == [(1, 0)]
    assert named(report, "drew_lots") == []


def test_every_reported_score_is_strength_plus_one_to_variance() -> None:
    for units in (2, 10):
        game, orders = thousandfold("..", {0: (0, units), 1: (1, units)}, {0: [move((0, 0), (1, 0))]})
        orders[1] = [move(tuple(order["to"]), tuple(order["from"])) for order in orders[0]]
        for battle in battles(game.step(orders)):
            for party in battle["parties"].values():
                assert all(1 <= die <= battle["variance"] for die in party["dice"])
                assert party["score"] == party["strength"] + party["dice"][-1]


@pytest.mark.parametrize(("mine", "yours", "variance"), [(1, 1, 1), (4, 3, 1), (4, 4, 2), (10, 10, 5), (11, 12, 5)])
def test_the_variance_is_a_quarter_of_all_strength_rounded_down_but_at_least_one(
    mine: int, yours: int, variance: int
) -> None:
    game = position("..", land={(0, 0): (0, mine), (1, 0): (1, yours)})
    (battle,) = battles(game.step({0: [move((0, 0), (1, 0))]}))
    assert battle["variance"] == variance


def test_tied_parties_draw_again_until_one_is_higher() -> None:
    game, orders = thousandfold("..", {0: (0, 10), 1: (1, 10)}, {0: [move((0, 0), (1, 0))]})
    found = battles(game.step(orders))
    again = [battle for battle in found if len(battle["parties"][0]["dice"]) > 1]
    assert 120 <= len(again) <= 280  # one in five
    for battle in again:
        mine, yours = (battle["parties"][player]["dice"] for player in (0, 1))
        assert all(one == other for one, other in zip(mine[:-1], yours[:-1], strict=True))
        assert (mine[-1] > yours[-1]) == (battle["winner"] == 0)


def test_dice_differ_from_tile_to_tile_and_from_turn_to_turn() -> None:
    game, orders = thousandfold("..", {0: (0, 10), 1: (1, 10)}, {0: [move((0, 0), (1, 0))]})
    later = game.copy()
    later.step()
    first, second = ([battle["winner"] for battle in battles(one.step(orders))] for one in (game, later))
    assert 0 < sum(first) < 1000
    assert first != second


def test_equal_seeds_give_equal_matches() -> None:
    digests = []
    for _ in range(2):
        game = marchland.new("enova", 5, seed=11)
        bots = [game.bots["random"](seed=seat) for seat in range(5)]
        for _ in range(40):
            game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
        digests.append(game.digest())
    assert digests[0] == digests[1]
    assert owned(game)
