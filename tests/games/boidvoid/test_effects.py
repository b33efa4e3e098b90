"""What the results of BoidVoid's actions say, immediate and queued."""

from typing import Any

from marchland.games.boidvoid.game import BoidVoid
from marchland.messages import Result
from tests.games.boidvoid.builders import ME, MOTHER, NPC, position


def acted(game: BoidVoid, **order: Any) -> Result:
    return game.act(0, order).results[0][0]


def test_a_move_says_what_it_cost() -> None:
    result = acted(position([ME]), do="move", unit=0, to=[2, 1])
    assert (result.state, result.sentence) == ("done", "Moved to [2, 1] for 3 action points.")


def test_a_capture_says_how_long_it_takes() -> None:
    result = acted(position([MOTHER, ME]), do="capture", unit=0)
    assert result.code == "CAPTURE_BEGUN"
    assert result.arguments["turns"] > 0


def test_an_attack_that_does_not_pass_the_shields_has_no_effect() -> None:
    game = position([ME, {"id": 1, "at": [3, 2], "ratio": 0}], config={"counterattack": False})
    result = acted(game, do="attack", unit=0, target=1)
    assert (result.state, result.sentence) == ("no_effect", "Blocked: 55 damage against 110 shields and defense.")


def test_an_attack_that_wounds_is_done_and_tells_what_struck_back() -> None:
    game = position([{**ME, "ratio": 30}, {"id": 1, "at": [3, 2], "ratio": 85}])
    result = acted(game, do="attack", unit=0, target=1)
    assert (result.state, result.sentence) == (
        "done",
        "Hit: 35 damage against 25 shields and defense; 90 damage struck back.",
    )


def test_an_attack_whose_answer_destroys_the_attacker_has_no_effect() -> None:
    game = position([{**ME, "ratio": 40, "health": 10}, {"id": 1, "at": [3, 2], "ratio": 100}])
    result = acted(game, do="attack", unit=0, target=1)
    assert (result.state, result.code) == ("no_effect", "ATTACKER_DESTROYED")


def test_a_queued_attack_has_the_same_effect() -> None:
    game = position([ME, {"id": 1, "at": [3, 2], "ratio": 0}, {"id": NPC, "at": [5, 4]}], npcs=1)
    report = game.step({0: [{"do": "attack", "unit": 0, "target": 1}, {"do": "move", "unit": 0, "to": [2, 1]}]})
    assert [result.code for result in report.results[0]] == ["BLOCKED_BLOW", "MOVED"]
