"""Whatever players send, a turn goes through, says why, and changes nothing that it should not."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

import marchland
from marchland.core.orders import Packed
from tests.conformance.playing import hostile_order, hostile_values, orders_from_the_menu, small_match

GAMES = marchland.games()


@pytest.mark.parametrize("name", GAMES)
def test_thousands_of_hostile_turns_never_raise_and_every_order_gets_a_reason(name: str) -> None:
    chance = random.Random(1)
    game = small_match(name)
    for turn in range(2000):
        if game.outcome:
            game = small_match(name, seed=turn)
        orders = {
            player: [hostile_order(game, chance) for _ in range(chance.randint(0, 6))]
            for player in range(len(game.players))
        }
        report = game.step(orders)
        for player, given in orders.items():
            results = report.results.get(player, [])
            assert [result.order for result in results] == given
            assert all(result.sentence and result.reason for result in results)


@pytest.mark.parametrize("name", GAMES)
def test_hostile_orders_of_one_player_change_nothing_for_the_rest(name: str) -> None:
    chance = random.Random(2)
    game = small_match(name)
    for _ in range(200):
        if game.outcome:
            break
        plain = {player: orders_from_the_menu(game, player, chance) for player in range(len(game.players))}
        bad = [hostile_values(chance) for _ in range(5)]
        disturbed = {player: [*bad[:2], *orders, *bad[2:]] for player, orders in plain.items()}
        twin = game.copy()
        twin.step(disturbed)
        game.step(plain)
        assert twin.digest() == game.digest()


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("orders", [None, {}, {0: None}, {0: []}, {0: ()}])
def test_no_orders_can_be_said_in_many_ways(name: str, orders: object) -> None:
    game, twin = small_match(name), small_match(name)
    game.step(orders)  # type: ignore[arg-type]
    twin.step()
    assert game.digest() == twin.digest()


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("stranger", [-1, 99, "0", None, True, 1.0, (1, 2)])
def test_orders_of_a_stranger_are_refused_by_name(name: str, stranger: object) -> None:
    game, twin = small_match(name), small_match(name)
    report = game.step({stranger: [{"do": "anything"}]})  # type: ignore[dict-item]
    twin.step()
    (result,) = report.results[stranger]
    assert (result.ok, result.reason) == (False, "NO_SUCH_PLAYER")
    assert game.digest() == twin.digest()


class Trap(dict[str, object]):
    def __getitem__(self, key: str) -> object:
        raise RuntimeError(key)


class Snare(list[object]):
    def __iter__(self) -> Iterator[object]:
        raise RuntimeError


@pytest.mark.parametrize("name", GAMES)
def test_objects_that_bite_when_they_are_looked_at_are_refused_too(name: str) -> None:
    game, twin = small_match(name), small_match(name)
    report = game.step({0: [Trap(do=game.codec.names[0])], 1: Snare([1])})
    twin.step()
    assert {result.reason for player in (0, 1) for result in report.results[player]} == {"MALFORMED"}
    assert game.digest() == twin.digest()


@pytest.mark.parametrize("name", GAMES)
def test_a_ready_made_order_with_impossible_values_is_refused_like_any_other(name: str) -> None:
    game, twin = small_match(name), small_match(name)
    orders = []
    for verb in game.codec.verbs:
        for value in (10**30, "x", None, (10**30, 10**30)):
            orders.append(verb(*[value] * len(verb.__struct_fields__)))
    report = game.step({0: orders})
    twin.step()
    assert not any(result.ok for result in report.results[0])
    assert game.digest() == twin.digest()


@pytest.mark.parametrize("name", GAMES)
def test_a_numpy_number_names_a_player_as_well(name: str) -> None:
    report = small_match(name).step({np.int64(0): [{"do": "nonsense"}]})  # type: ignore[dict-item]
    assert [result.reason for result in report.results[0]] == ["MALFORMED"]


@pytest.mark.parametrize("name", GAMES)
def test_packed_orders_stay_the_callers(name: str) -> None:
    chance = random.Random(6)
    game = small_match(name)
    orders = game.packed({0: [*orders_from_the_menu(game, 0, chance), {"do": "nonsense"}]})[0]
    before = orders.table.copy()
    game.step(orders)
    assert np.array_equal(orders.table, before)


@pytest.mark.parametrize("name", GAMES)
def test_ten_thousand_orders_are_judged_one_by_one(name: str) -> None:
    chance = random.Random(3)
    game = small_match(name)
    many = (orders_from_the_menu(game, 0, chance, most=20) * 10_000)[:5_000]
    report = game.step({0: many + [hostile_order(game, chance) for _ in range(5_000)]})
    assert len(report.results[0]) == len(many) + 5_000


@pytest.mark.parametrize("name", GAMES)
def test_packed_orders_with_any_numbers_never_raise(name: str) -> None:
    chance = random.Random(4)
    game = small_match(name)
    numbers = [-(2**63), -(2**31), -3, -2, -1, 0, 1, 2, 3, 7, 2**31, 2**62, 2**63 - 1]
    for turn in range(500):
        if game.outcome:
            game = small_match(name, seed=turn)
        rows = [[chance.choice(numbers) for _ in range(5)] for _ in range(chance.randint(0, 20))]
        pool = [chance.choice(numbers) for _ in range(chance.randint(0, 10))]
        report = game.step(Packed.of_rows(rows, pool))
        assert sum(map(len, report.results.values())) == len(rows)


@pytest.mark.parametrize("name", GAMES)
def test_a_match_that_is_over_stays_as_it_is(name: str) -> None:
    game = small_match(name)
    chance = random.Random(5)
    while game.outcome is None:
        game.step({player: orders_from_the_menu(game, player, chance) for player in range(len(game.players))})
        assert game.turn < 10_000
    digest, turn = game.digest(), game.turn
    report = game.step({0: [{"do": game.codec.names[0]}]})
    assert (game.digest(), game.turn) == (digest, turn)
    assert {result.reason for result in report.results[0]} == {"GAME_OVER"}
    assert game.legal(0) == {}
