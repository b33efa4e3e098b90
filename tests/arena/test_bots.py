"""Loading bots, error messages, and the names of players."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import marchland
from marchland import UnknownNameError
from marchland.arena import LONGEST_NAME, as_bot, load_bot, names_of

from .conftest import Write

COLORFIGHT = marchland.find("colorfight")


def refusal(spec: str) -> str:
    with pytest.raises(UnknownNameError) as refused:
        load_bot(spec, COLORFIGHT, seed=1)
    return str(refused.value)


def test_a_function_is_a_bot() -> None:
    assert as_bot(lambda view: [view]).move("seen") == ["seen"]


def test_an_object_with_play_is_a_bot() -> None:
    class Mine:
        def play(self, view: Any) -> list[Any]:
            return [view]

    assert as_bot(Mine()).move("seen") == as_bot(Mine).move("seen") == ["seen"]


def test_something_that_cannot_play_is_no_bot() -> None:
    with pytest.raises(UnknownNameError, match="42 is no bot"):
        as_bot(42)


def test_a_built_in_bot_is_found_by_its_name() -> None:
    assert load_bot("greedy", COLORFIGHT, seed=1).observes


def test_an_unknown_name_gets_the_nearest_one_and_the_way_to_a_bot_of_ones_own() -> None:
    assert refusal("gredy") == (
        "colorfight has no bot 'gredy'; did you mean 'greedy'? A bot of your own is named by its path, like ./mybot.py."
    )


@pytest.mark.parametrize("name", ["play", "bot"])
def test_a_file_may_hold_a_function(bot_file: Write, name: str) -> None:
    path = bot_file(f"def {name}(view):\n    return [view]\n")
    assert load_bot(path, COLORFIGHT, seed=1).move("seen") == ["seen"]


def test_a_file_may_hold_a_class_made_without_arguments(bot_file: Write) -> None:
    path = bot_file("class Bot:\n    def play(self, view):\n        return [view]\n")
    assert load_bot(path, COLORFIGHT, seed=1).move("seen") == ["seen"]


def test_a_class_that_takes_a_seed_gets_it(bot_file: Write) -> None:
    path = bot_file(
        "class Bot:\n    def __init__(self, seed):\n        self.seed = seed\n"
        "    def play(self, view):\n        return [self.seed]\n"
    )
    assert load_bot(path, COLORFIGHT, seed=17).move("seen") == [17]


def test_a_bot_says_itself_that_it_observes(bot_file: Write) -> None:
    path = bot_file("class Bot:\n    observes = True\n    def play(self, view):\n        return []\n")
    assert load_bot(path, COLORFIGHT, seed=1).observes


def test_two_seats_of_one_file_share_nothing(bot_file: Write) -> None:
    path = bot_file("seen = []\ndef play(view):\n    seen.append(view)\n    return seen\n")
    first, second = (load_bot(path, COLORFIGHT, seed=seat) for seat in range(2))
    first.move("a")
    assert second.move("b") == ["b"]


def test_a_missing_file_is_named() -> None:
    assert refusal("nowhere/mybot.py") == "The bot nowhere/mybot.py cannot be read: No such file or directory."


def test_a_file_that_raises_is_reported_with_the_line(bot_file: Write) -> None:
    path = bot_file("x = 1\ny = x / 0\n")
    assert refusal(path) == f"The bot {path} cannot be loaded: ZeroDivisionError: division by zero (mybot.py, line 2)."


def test_a_file_that_is_not_python_is_reported_with_the_line(bot_file: Write) -> None:
    assert "SyntaxError" in (said := refusal(bot_file("x = 1\ndef play(view:\n"))) and "line 2" in said


def test_a_file_that_leaves_python_is_refused_like_any_other(bot_file: Write) -> None:
    assert "SystemExit: 3 (mybot.py, line 2)" in refusal(bot_file("import sys\nsys.exit(3)\n"))


def test_the_error_for_a_file_without_a_bot_names_what_it_needs(bot_file: Write) -> None:
    assert "it needs a class Bot with play(self, view), or a function play(view)" in refusal(bot_file("x = 1\n"))


def test_a_class_that_wants_more_than_a_seed_is_refused(bot_file: Write) -> None:
    assert "it needs depth" in refusal(bot_file("class Bot:\n    def __init__(self, depth): ...\n"))


def test_a_class_that_raises_when_created_is_reported_with_the_line(bot_file: Write) -> None:
    said = refusal(bot_file("class Bot:\n    def __init__(self):\n        {}['x']\n"))
    assert "cannot be set up: KeyError: 'x' (mybot.py, line 3)" in said


def test_a_bot_alone_keeps_its_name() -> None:
    assert names_of(["greedy", "bots/mybot.py"]) == ["greedy", "mybot"]


def test_a_bot_by_command_is_called_after_its_file() -> None:
    assert names_of(["cmd:node bots/rusher.js", "cmd:node bots/rusher.js -v", "greedy"]) == [
        "rusher 1",
        "rusher 2",
        "greedy",
    ]


def test_equal_bots_are_numbered() -> None:
    assert names_of(["greedy", "random", "greedy"]) == ["greedy 1", "random", "greedy 2"]


def test_a_number_fits_a_long_name_too() -> None:
    assert names_of(["a_very_long_name.py"] * 2, longest=14) == ["a_very_long_ 1", "a_very_long_ 2"]


@given(st.lists(st.sampled_from(["a", "a 1", "a 2.py", "abcdefghijklmn", "abcdefghijkl 1", "abcdefghijklmno"])))
def test_names_differ_and_are_short_whatever_the_bots_are_called(specs: list[str]) -> None:
    for longest in (14, LONGEST_NAME):
        names = names_of(specs, longest)
        assert len(set(names)) == len(specs)
        assert all(len(name) <= longest for name in names)
