"""What the results of Colorfight's orders say."""

from marchland.messages import Result
from tests.games.colorfight.builders import attack, build, match, own, upgrade

BESIDE = {(2, 2): own(0, "home"), (4, 2): own(1, "home")}


def said(result: Result) -> tuple[str, str, str]:
    return result.state, result.code, result.sentence


def test_an_attack_that_takes_its_cell_is_done() -> None:
    report = match(BESIDE).step({0: [attack(2, 3, 100)]})
    assert said(report.results[0][0]) == ("done", "CAPTURED", "Took [2, 3].")


def test_a_cell_that_was_taken_from_another_player_names_it() -> None:
    game = match({**BESIDE, (3, 2): own(1)})
    report = game.step({0: [attack(3, 2, 200)]})
    assert report.results[0][0].sentence == "Took [3, 2] from B."


def test_a_repelled_attack_has_no_effect_and_says_what_it_needed() -> None:
    (result,) = match(BESIDE).step({0: [attack(2, 3, 40)]}).results[0]
    assert said(result) == ("no_effect", "REPELLED", "Repelled: 40 against 100 needed.")
    assert (result.ok, result.reason) == (True, "OK")
    assert result.arguments == {"energy": 40, "counted": 40, "needed": 100}


def test_all_attacks_of_a_player_on_a_cell_count_together() -> None:
    report = match(BESIDE).step({0: [attack(2, 3, 40), attack(2, 3, 50)]})
    assert [result.sentence for result in report.results[0]] == ["Repelled: 90 against 100 needed."] * 2


def test_the_energy_of_other_attackers_is_taken_off() -> None:
    report = match(BESIDE).step({0: [attack(3, 2, 150)], 1: [attack(3, 2, 100)]})
    sentence = "Repelled: of your 150, 50 counted after all other attacks on the cell, against 100 needed."
    assert said(report.results[0][0]) == ("no_effect", "REPELLED_AMONG_OTHERS", sentence)
    assert said(report.results[1][0])[:2] == ("no_effect", "OUTDONE")
    assert report.results[1][0].sentence == "A attacked [3, 2] with more energy than your 100."


def test_an_attack_on_an_own_cell_says_how_strong_its_field_is() -> None:
    game = match({**BESIDE, (2, 3): own(0)}, ally_field=0, enemy_field=0)
    (result,) = game.step({0: [attack(2, 3, 150)]}).results[0]
    assert said(result)[:2] == ("done", "SHIELDED")
    assert result.arguments["force_field"] > 0


def test_a_building_and_its_level_are_named() -> None:
    game = match({**BESIDE, (2, 3): own(0)}, [{"gold": 5000, "energy": 5000}, {}])
    report = game.step({0: [build(2, 3, "gold_mine"), upgrade(2, 2)]})
    assert [result.sentence for result in report.results[0]] == [
        "Built a gold mine at [2, 3].",
        "The building at [2, 2] has level 2.",
    ]


def test_a_refusal_has_its_code_and_arguments() -> None:
    (result,) = match(BESIDE).step({0: [attack(6, 6, 40)]}).results[0]
    assert (result.state, result.ok, result.code) == ("refused", False, "NO_ADJACENT_CELL")
    assert result.arguments == {"at": [6, 6]}
