"""What players are called."""

from hypothesis import given
from hypothesis import strategies as st

from marchland.arena import LONGEST_NAME, names_of


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
