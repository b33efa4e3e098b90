"""Legends give viewers hints that they can follow."""

import re
from pathlib import Path

import pytest

import marchland
from marchland.conformance import Check, GameUnderTest, legends
from tests.conformance.cases import with_every_game
from tests.support.small_matches import TESTED

GLYPHS = Path(__file__).parents[2] / "web" / "src" / "board" / "render" / "glyphs.ts"


@with_every_game(legends.CHECKS)
def test_hints_are_about_what_the_game_has(check: Check, tested: GameUnderTest) -> None:
    check(tested)


@pytest.mark.parametrize("name", marchland.games())
def test_the_browser_knows_every_glyph(name: str) -> None:
    legend = TESTED[name].new().legend()
    known = set(re.findall(r'^  (\w+): "[Mm]', GLYPHS.read_text(), re.MULTILINE))
    marks = {glyph for layer in legend.layers for glyph in layer.glyphs.values()}
    assert marks | {kind.glyph for kind in legend.kinds} <= known


@pytest.mark.parametrize("name", marchland.games())
def test_cells_out_of_sight_have_a_word_of_their_own(name: str) -> None:
    hidden = [layer.palette[layer.hidden_code] for layer in TESTED[name].kind.layers if layer.hidden_code >= 0]
    assert set(hidden) <= {"hidden"}
