"""Names for people, and how a bot is weakened."""

from typing import Any

import pytest

from marchland import registry
from marchland.core.builtin_bots import BuiltinBot, Idle, Orders, Weakened, add_levels
from tests.support.duels import duel


class Eager(BuiltinBot):
    def play(self, view: Any) -> Orders:
        return [{"do": "move", "unit": unit} for unit in range(1000)]


@pytest.mark.parametrize("game", registry.BUILTIN)
def test_every_game_has_an_easy_a_normal_and_a_hard_bot(game: str) -> None:
    bots = registry.find(game).bots
    assert (bots["easy"], bots["hard"]) == (bots["random"], bots["greedy"])
    assert isinstance(bots["normal"](seed=1), Weakened)


def test_a_weakened_bot_gives_about_half_of_its_orders_and_the_same_ones_for_the_same_seed() -> None:
    orders = Weakened(Eager, seed=3).play({})
    assert 420 <= len(orders) <= 580
    assert orders == Weakened(Eager, seed=3).play({})
    assert orders != Weakened(Eager, seed=4).play({})


def test_a_game_keeps_its_own_bots_of_these_names_and_gets_no_level_that_it_has_no_bot_for() -> None:
    assert list(add_levels({"idle": Idle})) == ["idle"]
    assert add_levels({"greedy": Eager, "hard": Idle})["hard"] is Idle


def test_normal_lies_between_easy_and_hard() -> None:
    assert duel("enova", "easy", range(4), bot="normal")["wins"] >= 6
    assert duel("enova", "normal", range(4), bot="hard")["wins"] >= 6
