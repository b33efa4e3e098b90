"""Hints of a legend are about words, codes, figures and events that the game has."""

from marchland.conformance.playing import Check, GameUnderTest


def check_styles_and_glyphs_are_of_palette_words(tested: GameUnderTest) -> None:
    """Ground styles and glyphs belong to words of their layer's palette."""
    for layer in tested.new().legend().layers:
        assert {*layer.styles, *layer.glyphs} <= {*layer.palette}, layer.name


def check_the_ground_is_a_code_layer(tested: GameUnderTest) -> None:
    """The ground layer, if there is one, has a palette."""
    legend = tested.new().legend()
    assert legend.ground_layer == -1 or legend.layers[legend.ground_layer].type == "code"


def check_hidden_codes_are_in_the_palette(tested: GameUnderTest) -> None:
    """A layer with cells out of sight has a word for them."""
    for layer in tested.new().legend().layers:
        assert layer.hidden_code in (-1, *range(len(layer.palette))), layer.name


def check_team_and_unranked_figures_are_figures(tested: GameUnderTest) -> None:
    """The figures that a legend singles out are among its figures."""
    legend = tested.new().legend()
    assert {legend.team_figure, legend.avatar_figure, *legend.unranked_figures} - {""} <= {*legend.figures}


def check_hints_of_pieces_are_about_their_numbers(tested: GameUnderTest) -> None:
    """Words, progress and picture of a kind of piece belong to numbers that it has."""
    for kind in tested.new().legend().kinds:
        assert {*kind.words, *(kind.progress or ()), kind.picture} - {""} <= {*kind.numbers}, kind.name


def check_an_event_that_ends_a_player_names_the_player(tested: GameUnderTest) -> None:
    """Viewers need to know whose match is over."""
    for event in tested.new().legend().events:
        assert not event.ends_player or "player" in event.args.values(), event.name


CHECKS: tuple[Check, ...] = (
    check_styles_and_glyphs_are_of_palette_words,
    check_the_ground_is_a_code_layer,
    check_hidden_codes_are_in_the_palette,
    check_team_and_unranked_figures_are_figures,
    check_hints_of_pieces_are_about_their_numbers,
    check_an_event_that_ends_a_player_names_the_player,
)
