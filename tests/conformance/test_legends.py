"""What legends tell viewers: hints about words of palettes, figures and events of the game itself."""

import re
from pathlib import Path

import pytest

import marchland
from marchland.messages import Legend
from tests.conformance.playing import small_match

GLYPHS = Path(__file__).parents[2] / "web" / "src" / "board" / "render" / "glyphs.ts"


@pytest.fixture(params=marchland.games())
def legend(request: pytest.FixtureRequest) -> Legend:
    return small_match(request.param).legend()


def test_styles_and_glyphs_are_of_words_of_the_palette(legend: Legend) -> None:
    for layer in legend.layers:
        assert {*layer.styles, *layer.glyphs} <= {*layer.palette}, layer.name


def test_the_browser_knows_every_glyph(legend: Legend) -> None:
    known = set(re.findall(r'^  (\w+): "[Mm]', GLYPHS.read_text(), re.MULTILINE))
    marks = {glyph for layer in legend.layers for glyph in layer.glyphs.values()}
    assert marks | {kind.glyph for kind in legend.kinds} <= known


def test_the_ground_is_a_layer_of_codes(legend: Legend) -> None:
    assert legend.ground_layer == -1 or legend.layers[legend.ground_layer].type == "code"


def test_hidden_cells_have_a_word_of_their_own(legend: Legend) -> None:
    for layer in legend.layers:
        assert layer.hidden_code == -1 or layer.palette[layer.hidden_code] == "hidden"


def test_team_and_traits_are_figures(legend: Legend) -> None:
    assert {legend.team_figure, *legend.traits} - {""} <= {*legend.figures}


def test_an_event_that_ends_a_player_names_the_player(legend: Legend) -> None:
    for event in legend.events:
        assert not event.ends_player or "player" in event.args.values(), event.name
