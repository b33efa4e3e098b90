"""Seed, "Map" and "Start"; ruling 15: map files, our maps, the generator and the validator."""

import pytest

import marchland
from marchland.games.hive.game import Hive
from marchland.games.hive.maps.fairness import check_map
from marchland.games.hive.maps.generator import generate
from marchland.games.hive.maps.mapfile import MAPS, SLOTS, lines, parse
from marchland.games.hive.rules.state import FIELD, STONE

SMALL = """
H0  B0  .   W0
  F   R   .   H3
"""


def starts(game: Hive) -> list[tuple[str, int, tuple[int, int]]]:
    return [(one["kind"], one["owner"], tuple(one["at"])) for one in game.view()["entities"]]


def test_a_map_file_tells_terrain_and_starting_positions() -> None:
    game = Hive.new(2, map=SMALL.strip("\n"))
    assert starts(game) == [("hive", 0, (0, 0)), ("bee", 0, (0, 2)), ("wall", 0, (0, 6)), ("hive", 1, (1, 7))]
    terrain = {tuple(cell["at"]): cell["terrain"] for cell in game.view()["cells"]}
    assert (terrain[1, 1], terrain[1, 3], terrain[1, 5]) == ("field", "stone", "empty")


def test_blank_is_outside() -> None:
    assert parse("H0      .\n\n        F").board.coords.tolist() == [[0, 0], [0, 4], [2, 4]]


def test_unused_slots_are_empty_cells() -> None:
    game = Hive.new(1, map=SMALL.strip("\n"))
    assert len(starts(game)) == 3
    assert game.view()["cells"][-1] == {"at": [1, 7], "terrain": "empty", "influence": [0]}


@pytest.mark.parametrize(("players", "slots"), SLOTS.items())
def test_players_sit_in_the_slots_of_their_number(players: int, slots: tuple[int, ...]) -> None:
    everyone = "".join(f"H{slot}  " for slot in range(6)) + "F"
    game = Hive.new(players, map=everyone)
    assert starts(game) == [("hive", seat, (0, 2 * slot)) for seat, slot in enumerate(slots)]


def test_the_slots_are_those_of_ruling_15() -> None:
    assert SLOTS == {1: (0,), 2: (0, 3), 3: (0, 2, 4), 4: (1, 2, 4, 5), 5: (0, 1, 2, 3, 4), 6: (0, 1, 2, 3, 4, 5)}


def test_our_maps() -> None:
    assert {"tiny", "balanced"} < set(MAPS.names())
    sizes = [parse(MAPS.read(name)).board.size for name in MAPS.names()]
    assert len(sizes) >= 5
    assert sizes == sorted(sizes)
    assert (sizes[0], sizes[-1]) == (91, 817)


@pytest.mark.parametrize("name", MAPS.names())
def test_each_of_our_maps_is_symmetric_and_starts_for_its_players(name: str) -> None:
    assert check_map(MAPS.read(name)) == []
    slots = parse(MAPS.read(name)).slots
    assert slots in ([0, 1, 2, 3, 4, 5], [0, 2, 4])
    for players in range(1, 7) if len(slots) == 6 else (1, 3):
        game = Hive.new(players, map=name)
        game.step()
        assert game.outcome is None


def test_a_threefold_map_is_for_one_or_three_players_only() -> None:
    with pytest.raises(marchland.MapError, match="for 1 or 3 players, not 2: nothing starts in slot 3"):
        Hive.new(2, map="trefoil")


def test_the_usual_map_is_balanced() -> None:
    assert Hive.new(2).position()["map"] == Hive.new(2, map="balanced").position()["map"]


@pytest.mark.parametrize("name", MAPS.names())
def test_a_map_read_and_written_is_the_same_text(name: str) -> None:
    found = parse(MAPS.read(name))
    assert "\n".join(lines(found.board, found.terrain.tolist(), found.starts)) + "\n" == MAPS.read(name)


BROKEN = {
    "H0  .   X": "line 1, column 9: 'X' is no cell; a cell is . or F or R, or H, B or W with a slot, like H0.",
    "H0\n.": "line 2, column 1: '.' is out of place; the cells of this line start at columns 3, 7, 11 and so on.",
    "H0 .": "line 1, column 4: '.' is out of place; the cells of this line start at columns 1, 5, 9 and so on.",
    "H0  .\n\n.   B7": "line 3, column 5: 'B7' names slot 7, but slots are 0 to 5.",
    "H0  H": "line 1, column 5: 'H' is no cell; a cell is . or F or R, or H, B or W with a slot, like H0.",
    "....": "line 1, column 1: '....' is no cell; a cell is . or F or R, or H, B or W with a slot, like H0.",
    ".   F": "line 1, column 1: nothing starts on this map; it needs a hive or a bee, like H0.",
    "\n \n": "line 1, column 1: the map has no cells.",
}


@pytest.mark.parametrize(("text", "problem"), BROKEN.items())
def test_a_broken_map_file_is_refused_with_line_and_column(text: str, problem: str) -> None:
    assert check_map(text) == [problem]
    with pytest.raises(marchland.MapError) as refusal:
        Hive.new(1, map=text)
    assert str(refusal.value) == problem


@pytest.mark.parametrize(
    ("far", "where"),
    [("\n" * 20_000 + " " * 40_000, "line 20001, column 40001"), (" " * 4_000_003, "line 1, column 4000009")],
)
def test_cells_too_far_apart_are_a_mistake_with_line_and_column(far: str, where: str) -> None:
    text = f"H0  F{far}."
    assert check_map(text) == [
        f"{where}: this cell lies too far from the others; the rectangle round a map may have room for 1000000 cells."
    ]
    with pytest.raises(marchland.MapError, match=where):
        Hive.new(1, map=text)
    with pytest.raises(marchland.PositionError, match=f"The position's map: {where}"):
        marchland.from_position({"game": "hive", "players": [{"name": "A"}], "map": text.splitlines()})


def test_the_text_of_a_map_of_one_cell_is_no_name() -> None:
    assert starts(Hive.new(1, map="H0")) == [("hive", 0, (0, 0))]
    with pytest.raises(marchland.MapError, match="line 1, column 1: nothing starts"):
        Hive.new(1, map="F")
    with pytest.raises(marchland.MapError, match="line 1, column 1: 'B7' names slot 7"):
        Hive.new(1, map="B7")


def test_all_mistakes_are_listed() -> None:
    assert len(check_map("H0  X   Y   H9")) == 3


@pytest.mark.parametrize("given", [{}, 7, ["H0"], b"H0"])
def test_a_map_that_is_no_text_is_refused(given: object) -> None:
    with pytest.raises(marchland.MapError, match="name of one or the text"):
        Hive.new(1, map=given)


def test_an_unknown_map_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(marchland.MapError, match="'balanced'"):
        Hive.new(2, map="balance")


UNFAIR = {
    "W0  .   F": "slot 0 starts with walls only",
    "H0  .": "no field",
    "H0  R   F": "line 1, column 1: no field can be reached from slot 0",
    "F   H0  R   H3  F": "line 1, column 13: slot 3 cannot be reached from slot 0",
    "H0  F   .   .   .   H3": "not symmetric",
    "H1  F": "slot 0 is missing",
}


@pytest.mark.parametrize(("text", "problem"), UNFAIR.items())
def test_the_validator_names_what_is_unfair(text: str, problem: str) -> None:
    assert any(problem in found for found in check_map(text))


def test_a_map_for_two_may_look_the_same_after_half_a_turn() -> None:
    assert check_map("H0  F   .   F   H3") == []


def test_one_cell_that_differs_is_found() -> None:
    text = MAPS.read("balanced")
    assert check_map(text) == []
    place = text.index("F")
    spoilt = check_map(text[:place] + "." + text[place + 1 :])
    assert len(spoilt) == 1
    assert "the map is not symmetric" in spoilt[0]


@pytest.mark.parametrize("options", [{"radius": 5}, {"radius": 9, "symmetry": 3}, {"seed": 4, "stone": 30, "bees": 4}])
def test_the_generator_draws_fair_maps(options: dict[str, int]) -> None:
    text = generate(**options)
    assert check_map(text) == []
    assert text == generate(**options)
    found = parse(text)
    assert found.slots == ([0, 2, 4] if "symmetry" in options else [0, 1, 2, 3, 4, 5])
    assert (found.terrain == FIELD).any()


def test_another_seed_draws_another_map() -> None:
    assert generate(seed=1) != generate(seed=2)


def test_the_generator_keeps_to_the_shares_asked_for() -> None:
    found = parse(generate(radius=12, fields=10, stone=20))
    assert 8 <= 100 * (found.terrain == FIELD).mean() <= 10
    assert 17 <= 100 * (found.terrain == STONE).mean() <= 20


@pytest.mark.parametrize(
    "options",
    [{"radius": 2}, {"radius": "8"}, {"symmetry": 4}, {"symmetry": 6.0}, {"stone": 99}, {"bees": 0}, {"seed": "x"}],
)
def test_the_generator_refuses_what_it_cannot_draw(options: dict[str, object]) -> None:
    with pytest.raises(marchland.MapError, match=next(iter(options))):
        generate(**options)  # type: ignore[arg-type]
