"""Maps of every game as drawings: they round-trip, they can be played, and what is wrong is said with its cells."""

import re
from pathlib import Path

import msgspec
import pytest

import marchland
from marchland import maps
from marchland.conformance import Check, GameUnderTest
from marchland.conformance.maps import CHECKS
from marchland.errors import MapError, UnknownNameError
from marchland.messages import Drawing, MapObject, MapProblem
from tests.conformance.cases import with_every_game

GAMES = marchland.games()


@with_every_game(CHECKS)
def test_maps_conform(check: Check, tested: GameUnderTest) -> None:
    check(tested)


def problem_with(problems: list[MapProblem], words: str) -> MapProblem:
    return next(problem for problem in problems if words in problem.sentence)


def drawing_of(game: str) -> Drawing:
    made = maps.generate(game, maps.find_adapter(game).spec.generators[0].name, {}).drawing
    assert made is not None
    return made


def with_marks(drawing: Drawing, *marks: MapObject) -> Drawing:
    return msgspec.structs.replace(drawing, marks=[*drawing.marks, *marks])


def test_two_marks_of_a_group_cannot_share_a_cell() -> None:
    drawing = drawing_of("hive")
    at = drawing.marks[0].at
    found = maps.check_drawing("hive", with_marks(drawing, MapObject("wall", at, 0)))
    assert problem_with(found.problems, "stands where a hive is already").cells == [at]


def test_a_player_left_out_is_found() -> None:
    drawing = drawing_of("colorfight")
    found = maps.check_drawing("colorfight", msgspec.structs.replace(drawing, marks=[drawing.marks[1]]))
    assert problem_with(found.problems, "but not player 0").cells == [drawing.marks[1].at]


def test_an_amount_out_of_bounds_is_found_with_its_cell() -> None:
    drawing = drawing_of("colorfight")
    drawing.layers[1][drawing.width + 2] = 101
    assert problem_with(maps.check_drawing("colorfight", drawing).problems, "natural_gold").cells == [(2, 1)]


@pytest.mark.parametrize("game", [game for game in GAMES if maps.find_adapter(game).spec.shape != "hexagon"])
def test_a_drawing_may_lie_anywhere_and_problems_lie_with_it(game: str) -> None:
    kind = maps.find_adapter(game).spec.marks[0]
    here = drawing_of(game)
    here = with_marks(here, MapObject(kind.name, here.marks[0].at, 1))
    there = maps._move(here, -7, -3 if maps.find_adapter(game).spec.topology == "square" else -4)
    assert (
        maps.check_drawing(game, maps._move(drawing_of(game), 5, 2)).data
        == maps.check_drawing(game, drawing_of(game)).data
    )
    [first] = maps.check_drawing(game, here).problems[0].cells[:1]
    [moved] = maps.check_drawing(game, there).problems[0].cells[:1]
    assert moved[0] == first[0] - 7


def test_a_hexagon_lies_round_its_middle() -> None:
    moved = maps._move(drawing_of("datspulse"), 2, 2)
    assert "round [0, 0]" in maps.check_drawing("datspulse", moved).problems[0].sentence


def test_a_drawing_of_another_size_than_its_layers_is_refused() -> None:
    drawing = msgspec.structs.replace(drawing_of("enova"), box=(0, 1, 0, 1))
    assert "4 numbers" in maps.check_drawing("enova", drawing).problems[0].sentence


def test_a_map_larger_than_the_limit_is_refused() -> None:
    found = maps.check_map("enova", ("0" + "." * 299 + "\n") + ("." * 300 + "\n") * 299)
    assert "65,536" in found.problems[0].sentence


def test_hive_says_which_cells_are_unlike_and_lets_it_be_played() -> None:
    found = maps.check_map("hive", "H0  .   F\n  .   F   .\nF   .   H3\n")
    lopsided = problem_with(found.problems, "not symmetric")
    assert lopsided.cells and not lopsided.grave
    assert found.playable and found.players == [1, 2]


def test_enova_says_where_a_seat_stands_twice_whatever_remarks_there_are() -> None:
    found = maps.check_map("enova", "# an island\n0..\n..0\n")
    assert problem_with(found.problems, "stands at").cells[0] == (2, 1)
    assert not found.playable


def test_a_nest_that_lacks_room_is_found() -> None:
    found = maps.check_map("datspulse", {"map": ["...", "....", ".....", "....", "..."], "spots": [[-1, -2]]})
    assert problem_with(found.problems, "no room").cells == [(-1, -2)]


def test_nests_separated_by_rock_are_reported_but_playable() -> None:
    rows = ["...", "....", "#####", "....", "..."]
    wide = ["." * (9 - abs(4 - row)) if row != 4 else "#" * 9 for row in range(9)]
    found = maps.check_map("datspulse", {"map": wide, "spots": [[0, -2], [0, 3]]})
    assert problem_with(found.problems, "cannot reach").cells == [(0, 3)]
    assert found.playable, rows


def test_a_boidvoid_home_on_an_obstacle_is_found() -> None:
    drawing = drawing_of("boidvoid")
    column, row = drawing.marks[0].at
    drawing.layers[0][row * drawing.width + column] = 5
    assert problem_with(maps.check_drawing("boidvoid", drawing).problems, "no unit").cells == [(column, row)]


def test_what_a_generator_cannot_do_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'sixths'"):
        maps.generate("hive", "sixth", {})
    with pytest.raises(MapError, match="did you mean 'radius'"):
        maps.generate("hive", "sixths", {"radus": 5})
    with pytest.raises(MapError, match="radius must be a whole number from 5 to 30"):
        maps.generate("hive", "sixths", {"radius": 1000})


def test_the_page_about_maps_is_true() -> None:
    text = (Path(__file__).parents[2] / "docs" / "maps.md").read_text()
    [example] = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(example, {})
