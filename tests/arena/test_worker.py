"""The worker process that runs built-in bots for a server."""

from typing import Any

import marchland
from marchland.arena.worker import BotPool


def request(seed: int, **more: Any) -> dict[str, Any]:
    return {"id": seed, "game": "colorfight", "bot": "greedy", "seed": seed, "turn": 1, **more}


def test_bots_whose_match_is_over_are_forgotten() -> None:
    view = marchland.new("colorfight", 2, seed=1).view(0)
    pool = BotPool()
    for seed in range(5):
        assert pool.answer(request(seed, view=view)) is not None
    assert len(pool) == 5
    for seed in range(5):
        assert pool.answer(request(seed)) is None
    assert len(pool) == 0


def test_to_forget_a_bot_that_was_never_asked_changes_nothing() -> None:
    pool = BotPool()
    assert pool.answer(request(1)) is None
    assert len(pool) == 0


def test_a_bot_that_fails_gives_no_orders() -> None:
    assert BotPool().answer(request(1, view={"nonsense": 1})) == []


def test_a_bot_that_is_asked_again_for_a_turn_gives_the_same_orders() -> None:
    view = marchland.new("colorfight", 2, seed=1).view(0)
    question = {**request(1, view=view), "bot": "random"}
    pool, after_a_crash = BotPool(), BotPool()
    for turn in range(1, 4):
        pool.answer({**question, "turn": turn})
    assert after_a_crash.answer({**question, "turn": 3}) == pool.answer({**question, "turn": 3})


def test_a_bot_does_not_repeat_itself_in_the_next_turn() -> None:
    view = marchland.new("colorfight", 2, seed=1).view(0)
    pool = BotPool()
    answers = [pool.answer({**request(1, view=view), "bot": "random", "turn": turn}) for turn in range(5)]
    assert any(answer != answers[0] for answer in answers)
