"""Whatever players send, a turn is played, every order gets a reason, and refused orders change nothing."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from marchland.conformance.playing import (
    Check,
    GameUnderTest,
    hostile_order,
    hostile_value,
    pick_all_orders,
    pick_orders,
)
from marchland.core.orders import Packed


def check_hostile_turns_never_raise(tested: GameUnderTest) -> None:
    """Play 2,000 turns of hostile orders; each order has a result with a reason."""
    chance = random.Random(1)
    game = tested.new()
    for turn in range(2000):
        if game.outcome:
            game = tested.new(turn)
        orders = {
            player: [hostile_order(game, chance) for _ in range(chance.randint(0, 6))]
            for player in range(len(game.players))
        }
        report = game.step(orders)
        for player, given in orders.items():
            results = report.results.get(player, [])
            assert [result.order for result in results] == given
            assert all(result.sentence and result.reason for result in results)
            assert all(result.ok == (result.state != "refused") for result in results)
            assert {result.code for result in results} <= {*game.words_in().results}


def check_hostile_orders_change_nothing_else(tested: GameUnderTest) -> None:
    """Hostile orders among good ones leave the outcome of the good ones as it is."""
    chance = random.Random(2)
    game = tested.new()
    for _ in range(200):
        if game.outcome:
            break
        plain = pick_all_orders(game, chance)
        bad = [hostile_value(chance) for _ in range(5)]
        disturbed = {player: [*bad[:2], *orders, *bad[2:]] for player, orders in plain.items()}
        twin = game.copy()
        twin.step(disturbed)
        game.step(plain)
        assert twin.digest() == game.digest()


def check_no_orders_can_be_given_in_many_ways(tested: GameUnderTest) -> None:
    """None, no entry and an empty list are the same turn."""
    expected = tested.new()
    expected.step()
    ways: list[Any] = [None, {}, {0: None}, {0: []}, {0: ()}]
    for orders in ways:
        game = tested.new()
        game.step(orders)
        assert game.digest() == expected.digest(), orders


def check_orders_of_unknown_players_are_refused(tested: GameUnderTest) -> None:
    """An order of a player who does not exist is refused as NO_SUCH_PLAYER."""
    expected = tested.new()
    expected.step()
    unknown_players: list[Any] = [-1, 99, "0", None, True, 1.0, (1, 2)]
    for player in unknown_players:
        game = tested.new()
        (result,) = game.step({player: [{"do": "anything"}]}).results[player]
        assert (result.ok, result.reason) == (False, "NO_SUCH_PLAYER"), player
        assert game.digest() == expected.digest()


class _RaisingDict(dict[str, object]):
    def __getitem__(self, key: str) -> object:
        raise RuntimeError(key)


class _RaisingList(list[object]):
    def __iter__(self) -> Iterator[object]:
        raise RuntimeError


def check_objects_that_raise_are_refused(tested: GameUnderTest) -> None:
    """An order or a list of orders that raises when it is read is refused as MALFORMED."""
    game, twin = tested.new(), tested.new()
    orders: list[Any] = [[_RaisingDict(do=game.codec.names[0])], _RaisingList([1])]
    for given in orders:
        results = game.step({0: given}).results[0]
        twin.step()
        assert {result.reason for result in results} == {"MALFORMED"}
        assert game.digest() == twin.digest()


def check_order_objects_are_validated(tested: GameUnderTest) -> None:
    """Instances of the order classes with impossible values are refused like any other order."""
    game, twin = tested.new(), tested.new()
    orders = []
    for verb in game.codec.verbs:
        for value in (10**30, "x", None, (10**30, 10**30)):
            if verb.__struct_fields__:
                orders.append(verb(*[value] * len(verb.__struct_fields__)))
    report = game.step({0: orders})
    twin.step()
    assert not any(result.ok for result in report.results.get(0, []))
    assert game.digest() == twin.digest()


def check_numpy_numbers_name_players(tested: GameUnderTest) -> None:
    """A NumPy integer names a player like an int does."""
    orders: Any = {np.int64(0): [{"do": "nonsense"}]}
    report = tested.new().step(orders)
    assert [result.reason for result in report.results[0]] == ["MALFORMED"]


def check_packed_orders_are_not_modified(tested: GameUnderTest) -> None:
    """A turn leaves the caller's packed orders as they were."""
    chance = random.Random(6)
    game = tested.new()
    orders = game.pack_orders({0: [*pick_orders(game, 0, chance), {"do": "nonsense"}]})[0]
    before = orders.table.copy()
    game.step(orders)
    assert np.array_equal(orders.table, before)


def check_ten_thousand_orders_are_judged_one_by_one(tested: GameUnderTest) -> None:
    """Each of 10,000 orders in one turn has its result."""
    chance = random.Random(3)
    game = tested.new()
    many = (pick_orders(game, 0, chance, most=20) * 10_000)[:5_000]
    report = game.step({0: many + [hostile_order(game, chance) for _ in range(5_000)]})
    assert len(report.results[0]) == len(many) + 5_000


def check_packed_orders_with_any_numbers_never_raise(tested: GameUnderTest) -> None:
    """Packed orders may hold any 64-bit numbers."""
    chance = random.Random(4)
    game = tested.new()
    numbers = [-(2**63), -(2**31), -3, -2, -1, 0, 1, 2, 3, 7, 2**31, 2**62, 2**63 - 1]
    for turn in range(500):
        if game.outcome:
            game = tested.new(turn)
        rows = [[chance.choice(numbers) for _ in range(5)] for _ in range(chance.randint(0, 20))]
        pool = [chance.choice(numbers) for _ in range(chance.randint(0, 10))]
        report = game.step(Packed.of_rows(rows, pool))
        assert sum(map(len, report.results.values())) == len(rows)


def check_a_finished_match_stays_as_it_is(tested: GameUnderTest) -> None:
    """After the end, orders are refused as GAME_OVER, the state is constant and the menu is empty."""
    game = tested.new()
    chance = random.Random(5)
    while game.outcome is None:
        game.step(pick_all_orders(game, chance))
        assert game.turn < 10_000
    digest, turn = game.digest(), game.turn
    report = game.step({0: [{"do": game.codec.names[0]}]})
    assert (game.digest(), game.turn) == (digest, turn)
    assert {result.reason for result in report.results[0]} == {"GAME_OVER"}
    assert game.legal(0) == {}


CHECKS: tuple[Check, ...] = (
    check_hostile_turns_never_raise,
    check_hostile_orders_change_nothing_else,
    check_no_orders_can_be_given_in_many_ways,
    check_orders_of_unknown_players_are_refused,
    check_objects_that_raise_are_refused,
    check_order_objects_are_validated,
    check_numpy_numbers_name_players,
    check_packed_orders_are_not_modified,
    check_ten_thousand_orders_are_judged_one_by_one,
    check_packed_orders_with_any_numbers_never_raise,
    check_a_finished_match_stays_as_it_is,
)
