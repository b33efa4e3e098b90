"""The menu of legal orders."""

from marchland.messages import Cells, Phrase, Pieces
from tests.games.boidvoid.builders import (
    HALL,
    ME,
    MOTHER,
    act,
    of_kind,
    position,
)


def test_the_menu_offers_no_tile_for_the_unit_of_another_player() -> None:
    game = position([{"id": 1, "at": [3, 2], "action_points": 9}, {"id": 3}])
    for verb, other, param in (("spawn", 3, "at"), ("move", 1, "to")):
        assert game.legal(0, {"do": verb, "unit": other}) == Cells(param, [])
    assert game.legal(0, {"do": "spawn", "unit": 0}) == Cells("at", [(0, 0), (1, 0), (0, 1)])


def test_the_menu_lists_ways_and_what_each_costs() -> None:
    game = position([MOTHER, {**ME, "action_points": 6}])
    menu = game.legal(0, {"do": "move", "unit": 0})
    assert isinstance(menu, Cells)
    steps = {step.cell: step for step in menu.steps}
    assert set(menu.cells) <= set(steps)
    for step in menu.steps:
        before = 0 if step.parent is None else steps[step.parent].cost
        assert before < step.cost <= 6
    target = max(menu.steps, key=lambda step: (step.cell in menu.cells, step.cost))
    assert of_kind(act(game, 0, do="move", unit=0, to=list(target.cell)), "moved")[0]["cost"] == target.cost


def test_the_menu_calls_units_and_nfts_by_name() -> None:
    waiting = position([{"id": 0}, MOTHER]).legal(0, {"do": "spawn"})
    building = position([{**ME, "at": [1, 0]}], nfts=[HALL]).legal(0, {"do": "build", "unit": 0})
    assert waiting == Pieces("unit", [0], [Phrase("own_ship")])
    assert building == Pieces("nft", [7], [Phrase("item", {"kind": "superstructure", "number": 7})])
