"""What is read from a match without drawing all of it is what the whole picture shows."""

import random

from marchland.conformance.playing import Check, GameUnderTest, pick_all_orders
from marchland.core.scene import key_frame


def check_alive_players_are_those_of_the_picture(tested: GameUnderTest) -> None:
    """`Game.alive` agrees with the first figure of each player in the spectator's picture."""
    chance = random.Random(15)
    game = tested.new()
    for _ in range(60):
        assert game.alive() == [bool(figures[0]) for figures in game.picture().players]
        if game.outcome is not None:
            break
        game.step(pick_all_orders(game, chance))


def check_a_key_frame_of_some_chunks_has_their_cells(tested: GameUnderTest) -> None:
    """A key frame of some chunks has the patches of those, and everything else of the whole frame."""
    game = tested.new(large=True)
    for audience in (None, 0):
        whole = key_frame(game, audience)
        for chunks in (set(), {0}, {0, 2}, {99}):
            part = key_frame(game, audience, chunks=chunks)
            assert part.patches == [patch for patch in whole.patches if patch.chunk in chunks]
            assert (part.players, part.pieces, part.board) == (whole.players, whole.pieces, whole.board)


CHECKS: tuple[Check, ...] = (
    check_alive_players_are_those_of_the_picture,
    check_a_key_frame_of_some_chunks_has_their_cells,
)
