"""What the results of Enova's orders say."""

import re

from marchland.core.report import Report
from tests.games.enova.builders import defend, move, position, support


def states(report: Report, player: int = 0) -> list[tuple[str, str]]:
    return [(result.state, result.code) for result in report.results[player]]


def test_units_that_arrive_without_a_battle_have_moved() -> None:
    report = position("...", land={(0, 0): (0, 3), (2, 0): (1, 1)}).step({0: [move((0, 0), (1, 0), 2)]})
    assert states(report) == [("done", "MOVED")]
    assert report.results[0][0].sentence == "Moved 2 units to [1, 0]."


def test_a_lost_attack_has_no_effect_and_gives_both_strengths() -> None:
    report = position("...", land={(0, 0): (0, 7), (1, 0): (1, 20)}).step(
        {0: [move((0, 0), (1, 0))], 1: [defend(1, 0)]}
    )
    (result,) = report.results[0]
    assert (result.state, result.code) == ("no_effect", "LOST")
    assert re.fullmatch(
        r"Lost at \[1, 0\]: \d+ \(7 \+ \d+ by dice\) against \d+ \(20\+20 \+ \d+ by dice\), fell back with 4 of 7\.",
        result.sentence,
    )
    assert states(report, 1) == [("done", "WON")]


def test_units_without_a_retreat_are_routed() -> None:
    report = position("..", land={(0, 0): (0, 1), (1, 0): (1, 20)}, single_unit_dies=True).step(
        {0: [move((0, 0), (1, 0))]}
    )
    assert states(report) == [("no_effect", "ROUTED")]


def test_a_battle_on_the_way_decides_about_both_moves() -> None:
    report = position("..", land={(0, 0): (0, 30), (1, 0): (1, 2)}).step(
        {0: [move((0, 0), (1, 0))], 1: [move((1, 0), (0, 0))]}
    )
    assert states(report) == [("done", "WON")]
    assert report.results[1][0].state == "no_effect"


def test_support_without_a_battle_beside_it_has_no_effect() -> None:
    game = position("....", land={(0, 0): (0, 3), (1, 0): (0, 9), (3, 0): (1, 1)})
    assert states(game.step({0: [support(0, 0), defend(1, 0)]})) == [
        ("no_effect", "NOTHING_TO_SUPPORT"),
        ("done", "NOT_ATTACKED"),
    ]


def test_support_of_a_battle_is_done() -> None:
    game = position("...", land={(0, 0): (0, 9), (1, 0): (0, 9), (2, 0): (1, 1)})
    report = game.step({0: [support(0, 0)], 1: [move((2, 0), (1, 0))]})
    assert report.results[0][0].sentence == "Supported 1 battle."


def test_on_a_torus_a_tile_may_be_named_beyond_the_edge() -> None:
    game = position("...", "...", "...", land={(0, 0): (0, 3), (1, 1): (1, 1)}, torus=True)
    report = game.step({0: [move((0, 0), (-1, 0))]})
    assert report.results[0][0].sentence == "Moved 3 units to [2, 0]."
