"""Positions by hand, and what holds after any turns at all."""

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import marchland
from marchland.conformance.playing import pick_orders
from marchland.games.datspulse.game import Datspulse
from marchland.games.datspulse.rules.state import NOTHING, PILES, ROCK, Ants, Cells, Teams
from tests.games.datspulse.builders import SPOTS, ant, balance, kinds, match, move
from tests.support.small_matches import TESTED


@pytest.mark.parametrize(
    ("ants", "more", "problem"),
    [
        ([ant(5, "worker", (0, 0))], {}, "the teams are 0 to 1"),
        ([ant(0, "queen", (0, 0))], {}, "not queen"),
        ([ant(0, "worker", (99, 0))], {}, "no hex"),
        ([ant(0, "worker", (0, 0)), ant(0, "worker", (0, 0))], {}, "cannot stand there"),
        ([ant(0, "worker", (0, 0)), ant(1, "scout", (0, 0))], {}, "cannot stand there"),
        ([ant(0, "worker", (8, 0))], {}, "cannot stand there"),
        ([ant(0, "worker", (0, 0))], {"land": {(0, 0): "#"}}, "cannot stand there"),
        ([ant(0, "worker", (0, 0), health=-1)], {}, "out of range"),
        ([ant(0, "worker", (0, 0), food="bread")], {}, "out of range"),
        ([ant(0, "worker", (0, 0), id=4), ant(0, "worker", (1, 0), id=4)], {}, "same id"),
        ([ant(0, "worker", (0, 0), id=-4)], {}, "ids are 1 to"),
        ([ant(0, "worker", (0, 0), last_move=[[3, 3]])], {}, "must end there"),
        ([ant(0, "worker", (0, 0), move=[[3, 3]])], {}, "next to each other"),
        ([], {"food": [((0, 0), "cake", 3)]}, "apple, bread or nectar"),
        ([], {"food": [(SPOTS[0], "apple", 3)]}, "no room for a nest"),
        ([], {"spots": [(0, 0), (1, 0)]}, "no room for a nest"),
        ([], {"land": {(0, 0): "?"}}, "a mark '\\?'"),
        ([ant(0, "worker", (q, 0)) for q in range(2)], {"ant_limit": 1}, "more than 1 ants"),
        ([ant(0, "worker", (q, 0), health=0) for q in range(3)], {"ant_limit": 1}, "more than 1 ants"),
        ([ant(0, "worker", (0, 0), food="bread", amount=9)], {}, "out of range"),
        ([ant(0, "worker", (0, 0), food="bread", amount=1, health=0)], {}, "out of range"),
        ([ant(0, "worker", (0, 0), last_enemy=10**30)], {}, "last_enemy"),
        ([], {"food": [((0, 0), "apple", 2**31 - 1)]}, "apple, bread or nectar"),
    ],
)
def test_a_position_that_cannot_be_is_refused(ants: list[Any], more: dict[str, Any], problem: str) -> None:
    with pytest.raises(marchland.PositionError, match=problem):
        match(ants, **more)


@pytest.mark.parametrize(("name", "value"), [("destroyed", 10**30), ("destroyed", -1), ("over", 7), ("over", 2**70)])
def test_numbers_of_a_position_that_cannot_be_are_refused(name: str, value: int) -> None:
    with pytest.raises(marchland.PositionError, match=name):
        marchland.from_position({**match().position(), name: value})


def test_a_position_of_turn_0_gives_a_scout_to_teams_without_ants_only() -> None:
    full = [ant(0, "scout", SPOTS[0]), ant(0, "soldier", (0, 0))]
    game = marchland.from_position({**match(full, ant_limit=2).position(), "turn": 0})
    game.step()
    assert isinstance(game, Datspulse)
    assert [kinds(game, team) for team in (0, 1)] == [["scout", "soldier"], ["scout", "worker"]]


def test_a_full_team_that_dies_out_in_one_turn_has_room_for_the_next_ant() -> None:
    game = match([ant(0, "worker", (0, 0), health=1), ant(1, "worker", (5, 5))], land={(0, 0): "~"}, ant_limit=1)
    game.step()
    assert (kinds(game, 0), kinds(game, 1)) == (["worker", "worker"], ["worker"])
    game.step()
    assert (kinds(game, 0), kinds(game, 1)) == (["worker"], ["worker"])


def test_a_position_keeps_what_tells_of_the_last_turn() -> None:
    game = match([ant(0, "scout", (0, 0), health=1), ant(1, "worker", (1, 0)), ant(1, "scout", (4, 4))])
    game.step({0: [move(1, (-1, 0))], 1: [move(3, (4, 5), (5, 6))]})
    twin = marchland.from_position(game.position())
    assert twin.view(0) == game.view(0)
    shown = {one["id"]: one for one in twin.view(1)["ants"]}
    assert shown[3]["lastMove"] == [[4, 5], [5, 6]]
    assert shown[2]["lastEnemyAnt"] == 1
    assert twin.digest() == game.digest()


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32), rules=st.sampled_from(["seed", "upstream"]), turns=st.integers(1, 40))
def test_the_state_stays_sound(seed: int, rules: str, turns: int) -> None:
    chance = random.Random(seed)
    game = TESTED["datspulse"].new(seed=seed, rules=rules)
    assert isinstance(game, Datspulse)
    for _ in range(turns):
        game.step({player: pick_orders(game, player, chance, most=12) for player in range(3)})
    cells: Cells = game.arrays(Cells)
    teams: Teams = game.arrays(Teams)
    ants: Ants = game.arrays(Ants)
    assert balance(game) == 0
    assert ((cells.food == NOTHING) == (cells.amount == 0)).all()
    assert game.head[PILES] == np.count_nonzero(cells.amount)
    assert np.bincount(ants.team[ants.health > 0], minlength=3).tolist() == teams.living.tolist()
    assert (teams.living <= game.config.ant_limit).all()
    assert (cells.terrain[ants.cell[ants.health > 0]] != ROCK).all()
    hanging = sorted(row for cell in range(game.board.size) for row in chain(cells, ants, cell))
    assert hanging == np.flatnonzero(ants.id).tolist()
    standing = [(int(ants.cell[row]), int(ants.kind[row])) for row in np.flatnonzero(ants.health).tolist()]
    assert len(set(standing)) == len(standing)
    assert not ants.planned[ants.health > 0].any()


def chain(cells: Cells, ants: Ants, cell: int) -> list[int]:
    rows, link = [], int(cells.first[cell])
    while link:
        rows.append(link - 1)
        link = int(ants.next[link - 1])
    return rows
