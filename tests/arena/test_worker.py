"""The process in which the games' own bots think for a server."""

from typing import Any

import marchland
from marchland.arena.worker import Minds


def question(seed: int, **more: Any) -> dict[str, Any]:
    return {"id": seed, "game": "colorfight", "bot": "greedy", "seed": seed, **more}


def test_bots_whose_match_is_over_are_forgotten() -> None:
    view = marchland.new("colorfight", 2, seed=1).view(0)
    minds = Minds()
    for seed in range(5):
        assert minds.asked(question(seed, view=view)) is not None
    assert len(minds) == 5
    for seed in range(5):
        assert minds.asked(question(seed)) is None
    assert len(minds) == 0


def test_to_forget_a_bot_that_was_never_asked_changes_nothing() -> None:
    minds = Minds()
    assert minds.asked(question(1)) is None
    assert len(minds) == 0


def test_a_bot_that_fails_gives_no_orders() -> None:
    assert Minds().asked(question(1, view={"nonsense": 1})) == []
