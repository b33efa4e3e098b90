"""Seed, "Map" and "Start"; ruling 15: map files, our maps, the generator and the validator."""

from functools import partial

import numpy as np
import pytest

import marchland
from marchland.games.hive.game import Hive
from marchland.games.hive.maps.fairness import check_map, remarks
from marchland.games.hive.maps.generator import generate
from marchland.games.hive.maps.mapfile import MAPS, SLOTS, lines, parse
from marchland.games.hive.rules.state import BEE, EMPTY, FIELD, HIVE, STONE

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


PUBLIC = {
    "tiny": (91, 39, 16, 2),
    "scarce": (217, 25, 0, 1),
    "queenofthehill": (385, 13, 12, 2),
    "balanced": (469, 55, 30, 3),
    "inverted": (631, 96, 36, 3),
    "pure": (817, 180, 97, 1),
    "pure3": (817, 180, 85, 1),
}
"""The maps of the public competition: cells, fields, rocks, and the bees that each hive starts with."""


@pytest.mark.parametrize("name", PUBLIC)
def test_a_map_with_a_public_name_has_the_counts_of_the_public_map(name: str) -> None:
    found = parse(MAPS.read(name))
    starts = [(start.slot, start.kind) for start in found.starts]
    for slot in range(6):
        assert (starts.count((slot, HIVE)), starts.count((slot, BEE))) == (1, PUBLIC[name][3])
    assert len(starts) == 6 * (1 + PUBLIC[name][3])
    terrain = found.terrain.tolist()
    assert (len(terrain), terrain.count(FIELD), terrain.count(STONE)) == PUBLIC[name][:3]


def _reflect(order: tuple[int, ...], sign: int, spot: tuple[int, ...]) -> tuple[int, ...]:
    """The place in a mirror that swaps two of the three axes of a hex board."""
    return tuple(sign * spot[axis] for axis in order)


@pytest.mark.parametrize("name", PUBLIC)
def test_four_players_have_the_same_surroundings_on_a_public_map(name: str) -> None:
    """A turn brings opposite places onto each other; the reflection that swaps slots 1 and 2 does so with the rest."""
    found = parse(MAPS.read(name))
    axes = np.asarray(found.board.tables.axes).reshape(-1, 3).astype(int)
    axes = axes - axes.min(axis=0) - (axes.max(axis=0) - axes.min(axis=0)) // 2
    cells = {tuple(spot): cell for cell, spot in enumerate(axes.tolist())}
    content = {cell: (int(terrain), -1, -1) for cell, terrain in enumerate(found.terrain)}
    content |= {start.cell: (EMPTY, start.kind, start.slot) for start in found.starts}
    homes = {start.slot: tuple(axes[start.cell].tolist()) for start in found.starts if start.kind == HIVE}
    swapped = {0: 3, 3: 0, 1: 2, 2: 1, 4: 5, 5: 4, -1: -1}
    reflections = [(order, sign) for order in ((1, 0, 2), (2, 1, 0), (0, 2, 1)) for sign in (1, -1)]
    (mirrored,) = [
        partial(_reflect, order, sign)
        for order, sign in reflections
        if all(_reflect(order, sign, home) == homes[swapped[slot]] for slot, home in homes.items())
    ]
    for spot, cell in cells.items():
        terrain, kind, slot = content[cell]
        assert content[cells[mirrored(spot)]] == (terrain, kind, swapped[slot])


def test_the_maps_come_smallest_first() -> None:
    sizes = [parse(MAPS.read(name)).board.size for name in MAPS.names()]
    assert len(sizes) >= 5
    assert sizes == sorted(sizes)
    assert (sizes[0], sizes[-1]) == (91, 817)


@pytest.mark.parametrize("name", MAPS.names())
def test_each_of_our_maps_is_symmetric_and_starts_for_its_players(name: str) -> None:
    assert check_map(MAPS.read(name)) == []
    uneven = ["not symmetric for 3 or 6 players"] if name == "tiny" else []  # 39 fields cannot be in six equal parts
    assert [words in remark for words, remark in zip(uneven, remarks(MAPS.read(name)), strict=True)] == [True] * len(
        uneven
    )
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
    with pytest.raises(marchland.MapError, match="No player starts here yet"):
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
}


@pytest.mark.parametrize(("text", "problem"), UNFAIR.items())
def test_the_validator_names_what_is_unfair(text: str, problem: str) -> None:
    assert any(problem in found for found in remarks(text))


@pytest.mark.parametrize("text", UNFAIR)
def test_an_unfair_map_is_playable_for_the_check_as_it_is_for_new(text: str) -> None:
    assert check_map(text) == []
    Hive.new(1, map=text).step()


def test_a_map_without_slot_0_is_for_no_number_of_players() -> None:
    assert ["slot 0 is missing" in problem for problem in check_map("H1  F")] == [True]
    with pytest.raises(marchland.MapError, match="for no number of players"):
        Hive.new(1, map="H1  F")


def test_a_map_for_two_may_look_the_same_after_half_a_turn() -> None:
    assert remarks("H0  F   .   F   H3") == []


def test_one_cell_that_differs_is_found() -> None:
    text = MAPS.read("balanced")
    assert remarks(text) == []
    place = text.index("F")
    spoilt = remarks(text[:place] + "." + text[place + 1 :])
    assert len(spoilt) == 1
    assert "the map is not symmetric for 2 or 3 or 4 or 6 players" in spoilt[0]


@pytest.mark.parametrize("options", [{"radius": 5}, {"radius": 9, "symmetry": 3}, {"seed": 4, "stone": 30, "bees": 4}])
def test_the_generator_draws_fair_maps(options: dict[str, int]) -> None:
    text = generate(**options)
    assert check_map(text) == remarks(text) == []
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
