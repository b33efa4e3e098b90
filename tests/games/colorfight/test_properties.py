"""What holds after any turns at all."""

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from marchland.conformance.playing import pick_orders
from marchland.core.state import NO_PLAYER
from marchland.games.colorfight.rules.state import EMPTY, HOME, Cells, Players
from tests.support.small_matches import TESTED


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), rules=st.sampled_from(["seed", "upstream"]), turns=st.integers(1, 40))
def test_the_state_stays_sound(seed: int, rules: str, turns: int) -> None:
    chance = random.Random(seed)
    game = TESTED["colorfight"].new(seed=seed, rules=rules)
    for _ in range(turns):
        game.step({player: pick_orders(game, player, chance, most=8) for player in range(len(game.players))})
    cells: Cells = game.arrays(Cells)
    players: Players = game.arrays(Players)
    assert ((cells.force_field >= 0) & (cells.force_field <= 1000)).all()
    assert ((cells.level == 0) == (cells.building == EMPTY)).all()
    assert (cells.owner[cells.building != EMPTY] != NO_PLAYER).all()
    owned = cells.owner[cells.owner != NO_PLAYER]
    assert np.bincount(owned, minlength=3).tolist() == players.cells.tolist()
    homes = cells.owner[cells.building == HOME]
    assert len(set(homes.tolist())) == len(homes)
    assert (players.dead == (players.cells == 0)).all()
    check_neighbour_counts(game.board.size, np.asarray(game.board.tables.neighbours).reshape(-1, 4), cells)


def check_neighbour_counts(size: int, neighbours: np.ndarray, cells: Cells) -> None:
    for cell in range(size):
        others = [int(cells.owner[other]) for other in neighbours[cell] if other >= 0]
        mine = int(cells.owner[cell])
        friends = sum(other == mine for other in others) if mine != NO_PLAYER else 0
        enemies = sum(other not in (mine, NO_PLAYER) for other in others) if mine != NO_PLAYER else 0
        assert (cells.friends[cell], cells.enemies[cell]) == (friends, enemies)


@settings(max_examples=15)
@given(seed=st.integers(0, 2**32))
def test_the_order_in_which_players_are_named_changes_nothing(seed: int) -> None:
    chance = random.Random(seed)
    game = TESTED["colorfight"].new(seed=seed)
    for _ in range(15):
        orders = {player: pick_orders(game, player, chance, most=8) for player in range(len(game.players))}
        twin = game.copy()
        twin.step(dict(reversed(orders.items())))
        game.step(orders)
        assert twin.digest() == game.digest()
