"""The battle example of the seed, by its own figures."""

import pytest

from tests.games.enova.builders import Land, battles, defend, move, owned, position, support

# X is the tile (0, 0), Y is (1, 0) and Z is (2, 0).
LAND: Land = {(0, 0): (0, 10), (1, 0): (1, 4), (2, 0): (1, 2)}
ORDERS = {0: [move((0, 0), (1, 0))], 1: [defend(1, 0), support(2, 0)]}


@pytest.mark.parametrize("dice", range(20))
def test_both_players_have_a_strength_of_ten_and_the_variance_is_five(dice: int) -> None:
    game = position("...", land=LAND).fork(seed=dice)
    (battle,) = battles(game.step(ORDERS))
    attacker, defender = battle["parties"][0], battle["parties"][1]
    assert [attacker[name] for name in ("units", "support", "defence", "strength")] == [10, 0, 0, 10]
    assert [defender[name] for name in ("units", "support", "defence", "strength")] == [4, 2, 4, 10]
    assert battle["variance"] == 5
    for party in (attacker, defender):
        assert all(1 <= die <= 5 for die in party["dice"])
        assert party["score"] == 10 + party["dice"][-1]


def test_player_two_loses_two_units_and_the_remaining_two_retreat_to_z() -> None:
    outcomes = set()
    for dice in range(20):
        game = position("...", land=LAND).fork(seed=dice)
        (battle,) = battles(game.step(ORDERS))
        outcomes.add(battle["winner"])
        loser = battle["parties"][1 - battle["winner"]]
        if battle["winner"] == 0:
            assert loser["killed"] == 2
            assert loser["retreats"] == [{"to": [2, 0], "units": 2}]
            assert owned(game) == {(0, 0): (0, 0), (1, 0): (0, 10), (2, 0): (1, 4)}
        else:
            assert loser["killed"] == 5
            assert loser["retreats"] == [{"to": [0, 0], "units": 5}]
            assert owned(game) == {(0, 0): (0, 5), (1, 0): (1, 4), (2, 0): (1, 2)}
    assert outcomes == {0, 1}
