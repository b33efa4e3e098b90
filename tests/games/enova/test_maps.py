"""Text maps (ruling 1): reading, drawing, and what is said of broken ones."""

import numpy as np
import pytest

import marchland
from marchland.games.enova.maps.mapfile import SEATS, check_map, looks_like_map, new_map
from tests.games.enova.builders import owned

MAP = """
# Two islands
1..X
.XC.
C..0
"""


def test_a_text_map_says_what_the_tiles_are_and_where_each_player_starts() -> None:
    game = marchland.new("enova", 2, seed=1, map=MAP)
    assert game.view()["map"] == ["C..X", ".XC.", "C..C"]
    assert owned(game) == {(3, 2): (0, 3), (0, 0): (1, 3)}


def test_seats_for_more_players_than_play_are_unowned_castles() -> None:
    assert owned(marchland.new("enova", 1, seed=1, map=MAP)) == {(3, 2): (0, 3)}


def test_without_marked_seats_the_castles_are_random() -> None:
    starts = {tuple(owned(marchland.new("enova", 1, seed=seed, map="C..\nC.C\n"))) for seed in range(20)}
    assert starts == {((0, 0),), ((0, 1),), ((2, 1),)}


def test_a_map_may_be_one_line() -> None:
    assert owned(marchland.new("enova", 2, seed=1, map="0..1")) == {(0, 0): (0, 3), (3, 0): (1, 3)}


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("", ["Line 1: the map is empty; it needs a line of tiles for every row."]),
        ("# nothing but a remark\n\n", ["Line 1: the map is empty; it needs a line of tiles for every row."]),
        ("...\n...\n", ["Line 2: the map ends without a castle; mark one with C, or with a seat."]),
        ("C..\n.?.\n", ["Line 2, column 2: '?' is no tile; there are C, ., X, and digits and letters for seats."]),
        ("C..\n....\n", ["Line 2, column 4: the row has 4 tiles, the first one has 3."]),
        ("C..\n\n...\n", ["Line 2, column 1: the row has 0 tiles, the first one has 3."]),
        ("# x\n0..\n..0\n", ["Line 3, column 3: the seat 0 stands at line 2, column 1 already."]),
        ("0..\n..2\n", ["Line 2, column 3: the seat 2 is there, but not 1."]),
        ("b..\n0..\n", ["Line 1, column 1: the seat b is there, but not 1, 2, 3, 4, 5, 6, 7, 8, 9 and a."]),
        ("C..  \n..é\t\n", ["Line 2, column 3: 'é' is no tile; there are C, ., X, and digits and letters for seats."]),
    ],
)
def test_a_broken_map_is_described_by_line_and_column(text: str, problems: list[str]) -> None:
    assert check_map(text) == problems
    with pytest.raises(marchland.MapError):
        marchland.new("enova", 1, map=text)


def test_a_map_with_many_problems_is_refused_with_the_first_few() -> None:
    with pytest.raises(marchland.MapError, match=r"Line 1, column 1: '\?'.* And 6 more\."):
        marchland.new("enova", 1, map="????\n????")


@pytest.mark.parametrize(
    ("map", "players", "words"),
    [
        ("latice", 2, "did you mean 'lattice'"),
        (["C..", "..C"], 2, "not list"),
        (7, 2, "not int"),
        (np.zeros((5, 5), np.int8), 2, "not ndarray"),
        ("C..\n..C\n", 3, "2 castles, too few for 3"),
        (MAP, 3, "2 seats, too few for 3"),
    ],
)
def test_a_map_that_does_not_fit_is_refused_in_a_sentence(map: object, players: int, words: str) -> None:
    with pytest.raises(marchland.MapError, match=words):
        marchland.new("enova", players, map=map)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (MAP, True),
        ("0???1\n?X?X?\nC???C\n", True),
        ("C..\n....\n", True),
        ("", False),
        (".   F   H0\n  .   R\n", False),
        ('{"width": 4}', False),
        ('{"width":4}', False),
    ],
)
def test_a_text_looks_like_a_map_if_its_lines_have_no_gaps(text: str, expected: bool) -> None:
    assert looks_like_map(text) is expected


@pytest.mark.parametrize("players", [1, 4, 9, 60, 61])
def test_a_new_map_is_sound_and_can_be_played(players: int) -> None:
    text = new_map(players=players)
    assert check_map(text) == []
    game = marchland.new("enova", players, seed=1, map=text)
    assert game.view()["map"] == marchland.new("enova", players, seed=1).view()["map"]
    assert any(mark in SEATS for mark in text) == (players <= len(SEATS))


def test_a_new_map_of_four_is_the_board_of_the_seed() -> None:
    assert new_map(players=4) == "0...1\n.X.X.\n.....\n.X.X.\n2...3\n"


def test_a_new_map_can_be_made_wider() -> None:
    rows = new_map(players=2, castle_spacing=2, least_castles=3).split()
    assert rows == ["0.1.C", ".X.X.", "C.C.C", ".X.X.", "C.C.C"]


@pytest.mark.parametrize("options", [{"players": 0}, {"players": "4"}, {"castle_spacing": 3}, {"castle_spacing": 0}])
def test_a_new_map_that_cannot_be_is_refused(options: dict[str, int]) -> None:
    with pytest.raises(marchland.MapError):
        new_map(**options)
