"""What the results of Hive's orders say."""

from tests.games.hive.builders import match, order


def test_each_order_of_a_player_has_its_own_effect() -> None:
    game = match("B0  .   .   B0  .   H1", (100, 0))
    report = game.step({0: [order("move", 0, "E"), order("build_wall", 1, "E")]})
    assert [(result.state, result.sentence) for result in report.results[0]] == [
        ("done", "Moved to [0, 2]."),
        ("done", "Built a wall at [0, 8]."),
    ]


def test_an_attack_says_what_it_destroyed() -> None:
    game = match("B0  B1  .   H1", bee_hp=1)
    (result,) = game.step({0: [order("attack", 0, "E")]}).results[0]
    assert (result.state, result.sentence) == ("done", "Destroyed a bee at [0, 2].")


def test_an_attack_that_hurts_is_done() -> None:
    game = match("B0  B1  .   H1", bee_hp=2)
    (result,) = game.step({0: [order("attack", 0, "E")]}).results[0]
    assert (result.state, result.code) == ("done", "HIT")


def test_an_attack_by_chance_that_does_nothing_has_no_effect() -> None:
    game = match("B0  H1  .   .", edition="2025")
    (result,) = game.step({0: [order("attack", 0, "E")]}).results[0]
    assert (result.state, result.code) == ("no_effect", "MISSED")
