"""What the results of DatsPulse's orders say."""

from typing import Any

import pytest

from marchland.games.datspulse.game import Datspulse
from marchland.messages import Result
from tests.games.datspulse.builders import SPOTS, ant, match


def result_of(game: Datspulse, path: list[list[int]]) -> Result:
    """The result of an order for the first ant."""
    return game.step({0: [{"do": "move", "ant": 1, "path": path}]}).results[0][0]


def test_an_ant_that_walks_its_whole_path_is_done() -> None:
    result = result_of(match([ant(0, "worker", (0, 0))]), [[1, 0], [2, 0]])
    assert (result.state, result.sentence) == ("done", "Walked 2 steps to [2, 0].")


@pytest.mark.parametrize(
    ("board", "sentence"),
    [
        ({"land": {(2, 0): "#"}}, "there is a rock at [2, 0]."),
        ({"ants": [ant(0, "worker", (2, 0))]}, "your worker stood at [2, 0]."),
        ({"ants": [ant(1, "soldier", (2, 0), health=999)]}, "an enemy soldier stood at [2, 0]."),
        ({"spots": (SPOTS[0], (2, 0))}, "another team's nest is at [2, 0]."),
    ],
)
def test_an_ant_that_is_stopped_says_how_far_it_got_and_why(board: dict[str, Any], sentence: str) -> None:
    others = board.get("ants", [])
    game = match(
        [ant(0, "worker", (0, 0)), *others], **{name: value for name, value in board.items() if name != "ants"}
    )
    result = result_of(game, [[1, 0], [2, 0]])
    assert (result.state, result.sentence) == ("no_effect", f"Stopped after 1 of 2 steps: {sentence}")


def test_an_ant_that_is_stopped_at_once_went_no_step() -> None:
    result = result_of(match([ant(0, "worker", (0, 0))], land={(1, 0): "#"}), [[1, 0]])
    assert result.arguments == {"steps": 0, "planned": 1, "at": [1, 0], "kind": None}


def test_a_killed_ant_says_what_killed_it() -> None:
    game = match([ant(0, "worker", (0, 0), health=1)], land={(1, 0): "~"})
    result = result_of(game, [[1, 0], [2, 0]])
    assert (result.state, result.sentence) == ("no_effect", "Killed by acid after 1 of 2 steps.")


def test_an_order_that_is_taken_back_is_done() -> None:
    result = result_of(match([ant(0, "worker", (0, 0))]), [])
    assert (result.state, result.code) == ("done", "STAYS")
