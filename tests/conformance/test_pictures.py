"""What is told of a picture without drawing all of it is what the whole picture says."""

import random
from typing import Any

import pytest

import marchland
from marchland.core.scene import key_frame
from tests.conformance.playing import orders_from_the_menu, small_match

GAMES = marchland.games()


@pytest.mark.parametrize("name", GAMES)
def test_those_who_live_are_those_of_the_spectators_picture(name: str) -> None:
    chance = random.Random(15)
    game = small_match(name)
    for _ in range(60):
        assert game.alive() == [bool(figures[0]) for figures in game.picture().players]
        if game.outcome is not None:
            break
        game.step({player: orders_from_the_menu(game, player, chance) for player in range(len(game.players))})


@pytest.mark.parametrize("name", GAMES)
def test_a_key_frame_of_some_chunks_has_their_cells_and_all_else(name: str) -> None:
    larger: dict[str, Any] = {"config": {"width": 70, "height": 40}} if name == "colorfight" else {}
    game = small_match(name, **larger)
    for audience in (None, 0):
        whole = key_frame(game, audience)
        for chunks in (set(), {0}, {0, 2}, {99}):
            part = key_frame(game, audience, chunks=chunks)
            assert part.patches == [patch for patch in whole.patches if patch.chunk in chunks]
            assert (part.players, part.pieces, part.board) == (whole.players, whole.pieces, whole.board)
