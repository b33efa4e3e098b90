"""What holds in every match, whatever is ordered."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marchland.games.hive.game import Hive
from marchland.games.hive.rules.orders import DIRECTIONS
from marchland.games.hive.rules.state import FIELD, FLOWERS_CARRIED, FLOWERS_LEFT, Cells, Entities, Players
from tests.games.hive.builders import reasons

UNITS = st.integers(0, 30) | st.tuples(st.integers(0, 10), st.integers(0, 21)).map(list)
ORDERS = st.one_of(
    st.fixed_dictionaries(
        {
            "do": st.sampled_from(["move", "move", "attack", "build_wall", "spawn"]),
            "unit": UNITS,
            "dir": st.sampled_from(DIRECTIONS),
        }
    ),
    st.fixed_dictionaries({"do": st.sampled_from(["build_hive", "forage"]), "unit": UNITS}),
)
TURNS = st.lists(st.dictionaries(st.integers(0, 2), st.lists(ORDERS, max_size=12)), min_size=1, max_size=12)
EDITIONS = pytest.mark.parametrize("edition", ["seed", "2025"])


def crowded(edition: str, seed: int = 0) -> Hive:
    settings_ = {"start_flowers": 200, "bee_hp": 1, "wall_hp": 1, "hive_hp": 2, "influence_wins": False}
    return Hive.new(
        3, seed=seed, map="tiny", rules=edition, config=settings_ if edition == "seed" else {"start_flowers": 99}
    )


@EDITIONS
@settings(max_examples=60)
@given(turns=TURNS)
def test_there_are_never_two_entities_in_a_cell_and_the_books_balance(edition: str, turns: list[Any]) -> None:
    game = crowded(edition)
    for orders in turns:
        game.step(orders)
        view = game.view()
        places = [tuple(one["at"]) for one in view["entities"]]
        assert len(places) == len(set(places))
        ids = [one["id"] for one in view["entities"]]
        assert ids == sorted(set(ids))
        cells: Cells = game.arrays(Cells)
        entities: Entities = game.arrays(Entities)
        assert [int(cells.standing[cell]) for cell in entities.cell[: len(ids)]] == list(range(len(ids)))
        assert int((cells.standing >= 0).sum()) == len(ids)
        players: Players = game.arrays(Players)
        for seat in range(3):
            for kind in ("bee", "hive", "wall"):
                owned = sum(one["kind"] == kind and one["owner"] == seat for one in view["entities"])
                assert getattr(players, f"{kind}s")[seat] == owned
            assert players.flowers[seat] >= 0
            assert players.influence[seat] == sum(seat in cell.get("influence", ()) for cell in view["cells"])
        assert game.head[FLOWERS_LEFT] == cells.flowers[cells.terrain == FIELD].sum() == cells.flowers.sum()
        assert game.head[FLOWERS_CARRIED] == sum(one.get("carries", 0) for one in view["entities"])


@settings(max_examples=60)
@given(first=TURNS, noise=st.lists(ORDERS, max_size=8), seed=st.integers(0, 5))
def test_an_order_never_consumes_anothers_action(first: list[Any], noise: list[Any], seed: int) -> None:
    """Whatever A orders, no other player learns that a unit has acted which that player itself did not use."""
    game = crowded("seed", seed)
    for orders in first[:3]:
        game.step(orders)
    unit = next((one for one in game.view()["entities"] if one["owner"] == 1 and one["kind"] == "bee"), None)
    if unit is None or game.outcome:
        return
    report = game.step({0: noise, 1: [{"do": "move", "unit": unit["id"], "dir": "E"}], 2: noise})
    assert reasons(report, 1)[0] in ("OK", "BLOCKED", "INVALID_TARGET", "INVALID_UNIT")


@settings(max_examples=30)
@given(turns=TURNS, seed=st.integers(0, 1000))
def test_equal_seeds_and_orders_give_equal_digests(turns: list[Any], seed: int) -> None:
    one, other = crowded("seed", seed), crowded("seed", seed)
    for orders in turns:
        one.step(orders)
        other.step(orders)
        assert one.digest() == other.digest()


@settings(max_examples=30)
@given(turns=TURNS)
def test_no_field_ever_gains_flowers_and_no_id_comes_back(turns: list[Any]) -> None:
    game = crowded("seed")
    gone: set[int] = set()
    known: set[int] = set()
    flowers = game.arrays(Cells).flowers.copy()
    for orders in turns:
        game.step(orders)
        now = {one["id"] for one in game.view()["entities"]}
        gone |= known - now
        known |= now
        assert not now & gone
        assert (game.arrays(Cells).flowers <= flowers).all()
        flowers = game.arrays(Cells).flowers.copy()
