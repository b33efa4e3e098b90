"""Boards in characters, of games that do not exist."""

import numpy as np

from marchland.cli.terminal import drawing, standings
from marchland.cli.terminal.glyphs import letters
from marchland.cli.terminal.layout import TerminalInfo, plan_layout, too_large
from marchland.cli.terminal.still import PlacedPiece, Still, place_piece
from marchland.messages import BoardShape, Layer, Legend, PieceKind

LAYERS = [Layer("terrain", "code", palette=["plain", "rock"], still=True), Layer("owner", "player")]
KINDS = [PieceKind("rover", "rover"), PieceKind("ant", "ant")]


def still(board: BoardShape, terrain: list[list[int]], owner: list[list[int]], pieces: list[PlacedPiece]) -> Still:
    legend = Legend("any", 1, board, LAYERS, KINDS, [], [], ["score"])
    layers = [np.array(terrain), np.array(owner)]
    return Still(legend, 1, ["eve"], [[1, 5]], layers, np.array(terrain) >= 0, pieces)


def text(drawn: Still) -> list[str]:
    return [line.plain for line in drawing.near(drawn, colour=False)]


def square(width: int, height: int) -> BoardShape:
    return BoardShape("square", "xy", width * height, (0, width - 1, 0, height - 1))


def info(width: int, lines: int, *, blocks: bool = True) -> TerminalInfo:
    return TerminalInfo(width, lines, colour=True, blocks=blocks, terminal=True)


def test_owners_are_marks_and_things_are_letters() -> None:
    drawn = still(square(3, 1), [[0, 1, 0]], [[-1, 0, 11]], [])
    assert text(drawn) == [". 0Rb "]


def test_a_piece_stands_on_top_and_its_owner_shows() -> None:
    drawn = still(square(2, 1), [[1, 1]], [[0, 0]], [PlacedPiece(1, 3, 0, 1)])
    assert text(drawn) == ["0R3A"]


def test_odd_rows_of_hexes_are_shifted_by_half_a_cell() -> None:
    hexes = BoardShape("hex", "odd-r", 6, (0, 1, 0, 2))
    assert text(still(hexes, [[0, 0]] * 3, [[0, -1]] * 3, [])) == ["0 . ", " 0 . ", "0 . "]


def test_the_shift_follows_the_row_not_the_line() -> None:
    hexes = BoardShape("hex", "axial", 4, (0, 1, -1, 0))
    assert text(still(hexes, [[0, 0]] * 2, [[0, -1]] * 2, [])) == [" 0 . ", "0 . "]


def test_a_place_that_is_no_cell_stays_empty() -> None:
    assert text(still(square(3, 1), [[0, -1, 0]], [[0, 0, 0]], [])) == ["0   0 "]


def test_a_piece_is_placed_by_its_coordinates_in_any_dialect() -> None:
    doubled = BoardShape("hex", "doubled", 9, (0, 2, 0, 2))
    assert place_piece(doubled, (1, 0, 1, 3)) == PlacedPiece(1, 0, row=1, column=1)


def test_far_two_cells_share_a_character() -> None:
    drawn = still(square(4, 3), [[0] * 4] * 3, [[0] * 4] * 3, [])
    assert [line.plain for line in drawing.far(drawn)] == ["▀▀▀▀", "▀▀▀▀"]


def test_every_word_gets_a_letter_of_its_own() -> None:
    assert letters(["home", "hill", "hot", "h"]) == {"home": "H", "hill": "I", "hot": "O", "h": "a"}


def test_a_board_that_fits_is_drawn_near() -> None:
    plan = plan_layout(square(30, 30), 4, info(80, 42))
    assert plan is not None and not plan.far and plan.table_lines >= 4


def test_a_tall_board_is_drawn_from_afar_on_80_by_24() -> None:
    plan = plan_layout(square(30, 30), 4, info(80, 24))
    assert plan is not None and plan.far and plan.beside


def test_a_board_that_cannot_fit_is_refused_with_the_size_it_needs() -> None:
    assert plan_layout(square(100, 100), 4, info(80, 24)) is None
    assert too_large(square(100, 100), info(80, 24)) == (
        "The board of 100x100 cells needs a terminal of 100 columns and 53 lines; this one has 80 and 24."
    )


def test_without_half_blocks_the_near_size_is_asked_for() -> None:
    assert plan_layout(square(30, 30), 4, info(80, 24, blocks=False)) is None
    assert "60 columns and 33 lines" in too_large(square(30, 30), info(80, 24, blocks=False))


def land_of_32_players() -> Still:
    return still(square(32, 1), [[0] * 32], [list(range(32))], [])


def test_32_players_differ_in_colour_or_hatch_when_drawn_near() -> None:
    (line,) = drawing.near(land_of_32_players(), colour=True)
    fills = {(line.plain[span.start : span.end], span.style) for span in line.spans[1::2]}
    assert len(fills) == 32


def test_32_players_differ_in_shade_when_drawn_from_afar() -> None:
    (line,) = drawing.far(land_of_32_players())
    assert len({span.style for span in line.spans}) == 32


def test_32_players_differ_in_the_table() -> None:
    swatches = [standings.swatch(seat, "", colour=True) for seat in range(32)]
    assert len({(swatch.plain, swatch.style) for swatch in swatches}) == 32
