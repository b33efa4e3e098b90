"""Seed, "Register" and "Overview"; rulings 14, 15, 17 and 18."""

import numpy as np
import pytest

import marchland
from marchland.games.colorfight.rules.state import EMPTY, HOME, Cells
from marchland.ratings.significance import uniform_test
from tests.games.colorfight.builders import STILL, attack, match, own, user


def test_a_new_match_is_at_turn_one_with_income_paid_ruling_15() -> None:
    game = marchland.new("colorfight", 4, seed=1)
    assert game.turn == 1
    assert [(user(game, seat)["energy"], user(game, seat)["gold"]) for seat in range(4)] == [(1010, 10)] * 4


def test_the_default_board_has_thirty_rows_of_thirty_cells() -> None:
    game_map = marchland.new("colorfight", 2, seed=1).view()["game_map"]
    assert [len(row) for row in game_map] == [30] * 30


def test_cells_start_without_a_force_field() -> None:
    assert not marchland.new("colorfight", 2, seed=1).arrays(Cells).force_field.any()


def test_natural_values_never_change_in_a_match() -> None:
    game = marchland.new("colorfight", 2, seed=1, config={"width": 8, "height": 8})
    names = ("natural_energy", "natural_gold", "natural_cost")
    before = [getattr(game.arrays(Cells), name).copy() for name in names]
    bots = [game.bots["greedy"]() for _ in range(2)]
    for _ in range(40):
        game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
    assert (game.arrays(Cells).building != EMPTY).sum() > 2
    for name, values in zip(names, before, strict=True):
        assert np.array_equal(getattr(game.arrays(Cells), name), values), name


def test_the_outcome_comes_when_the_turn_reaches_the_last_ruling_15() -> None:
    game = marchland.new("colorfight", 2, seed=1, config={"max_turn": 5})
    for _ in range(4):
        assert game.outcome is None
        game.step()
    assert game.turn == 5
    assert game.outcome is not None


def test_the_match_ends_when_one_of_several_is_left_and_that_one_is_first_ruling_15() -> None:
    game = match(
        {(2, 2): own(0), (0, 0): own(0, "home"), (3, 2): own(1, "home")},
        [{"energy": 3000}, {"energy": 0, "gold": 9000}],
    )
    game.step({0: [attack(3, 2, 1000)]})
    assert game.outcome is not None
    assert [standing.player for standing in game.outcome.ranking] == [0, 1]
    assert game.outcome.winners == [0]
    assert user(game, 1)["gold"] > user(game, 0)["gold"]


def test_upstream_goes_on_and_ranks_by_gold_alone_ruling_15() -> None:
    cells = {(2, 2): own(0), (0, 0): own(0, "home"), (3, 2): own(1, "home")}
    game = match(cells, [{"energy": 3000}, {"energy": 0, "gold": 9000}], rules="upstream", max_turn=3, **STILL)
    game.step({0: [attack(3, 2, 1000)]})
    assert not game.outcome
    game.step()
    assert game.outcome
    assert game.outcome.winners == [1]


def test_who_is_left_in_the_last_turn_is_first_too_ruling_15() -> None:
    cells = {(2, 2): own(0), (0, 0): own(0, "home"), (3, 2): own(1, "home")}
    game = match(cells, [{"energy": 3000}, {"energy": 0, "gold": 9000}], max_turn=2)
    game.step({0: [attack(3, 2, 1000)]})
    assert game.outcome
    assert game.outcome.winners == [0]
    assert game.outcome.reason == "Only A is left."


@pytest.mark.parametrize("players", [1, 2, 4, 8])
@pytest.mark.parametrize("rules", ["seed", "upstream"])
def test_both_presets_start_on_the_default_map(rules: str, players: int) -> None:
    game = marchland.new("colorfight", players, seed=3, rules=rules)
    assert [len(user["cells"]) for user in game.view()["users"].values()] == [1] * players


def test_upstream_doubles_the_costs_and_does_not_clip_them_ruling_17() -> None:
    config = {"width": 60, "height": 60, "blur_passes": 0}
    seed_rules, upstream = (
        marchland.new("colorfight", 2, seed=5, map="random", rules=rules, config=config).arrays(Cells).natural_cost
        for rules in ("seed", "upstream")
    )
    assert upstream.max() > 500
    below = seed_rules < 300
    assert np.abs(upstream[below] - 2 * seed_rules[below].astype(int)).max() <= 1


def test_a_blur_pass_takes_five_percent_of_each_neighbour_ruling_17() -> None:
    config = {"width": 8, "height": 8}
    sharp, blurred = (
        marchland.new("colorfight", 2, seed=5, map="random", config={**config, "blur_passes": passes})
        for passes in (0, 1)
    )
    costs = sharp.arrays(Cells).natural_cost.astype(int)
    for place in range(64):
        around = [int(costs[other]) for other in sharp.board.neighbours(place)]
        exact = costs[place] + sum(other - costs[place] for other in around) * 0.05
        assert abs(blurred.arrays(Cells).natural_cost[place] - exact) <= 1


def test_a_single_player_plays_to_the_last_turn() -> None:
    game = marchland.new("colorfight", 1, seed=1, config={"max_turn": 4})
    for _ in range(3):
        game.step()
    assert game.outcome is not None
    assert game.outcome.reason == "Turn 4 is the last."


def test_gold_then_cells_then_energy_decide_and_equals_share_a_place_ruling_15() -> None:
    cells = {(seat, 0): own(seat, "home") for seat in range(5)} | {(2, 3): own(2, natural_gold=0, natural_energy=0)}
    users = [{"gold": 50}, {"gold": 90}, {"gold": 50}, {"gold": 50, "energy": 2000}, {"gold": 50}]
    game = match(cells, users, max_turn=2)
    game.step()
    assert game.outcome is not None
    assert [(standing.player, standing.place) for standing in game.outcome.ranking] == [
        (1, 1),
        (2, 2),
        (3, 3),
        (0, 4),
        (4, 4),
    ]


def test_a_player_without_cells_is_dead_and_stays_listed_ruling_14() -> None:
    cells = {(2, 2): own(0), (0, 0): own(0, "home"), (3, 2): own(1), (7, 7): own(2, "home")}
    game = match(cells, [{}, {}, {}], **STILL)
    game.step({0: [attack(3, 2, 100)]})
    assert game.view()["users"]["1"]["dead"] is True
    report = game.step({1: [attack(3, 2, 1)]})
    assert report.results[1][0].reason == "DEAD"
    assert game.legal(1) == {}


@pytest.mark.parametrize("players", [1, 2, 4, 8])
def test_a_symmetric_map_looks_alike_from_all_eight_sides_ruling_17(players: int) -> None:
    game = marchland.new("colorfight", players, seed=3, map="symmetric")
    cells = game.arrays(Cells)
    for name in ("natural_cost", "natural_gold", "natural_energy"):
        grid = getattr(cells, name).reshape(30, 30)
        for image in (grid[::-1], grid[:, ::-1], grid.T, grid[::-1, ::-1]):
            assert np.array_equal(grid, image)
    homes = np.flatnonzero(cells.building == HOME)
    assert len(homes) == players
    apart = [game.board.distance(int(a), int(b)) for a in homes for b in homes if a != b]
    assert all(distance >= 30 // 6 for distance in apart)


def test_natural_values_keep_their_ranges_ruling_17() -> None:
    cells = marchland.new("colorfight", 3, seed=5, map="random", config={"width": 100, "height": 80}).arrays(Cells)
    assert set(np.unique(cells.natural_gold)) == set(range(1, 11))
    assert set(np.unique(cells.natural_energy)) == set(range(1, 11))
    assert cells.natural_cost.min() >= 1
    assert cells.natural_cost.max() <= 300


def test_cost_follows_gold_and_energy_weakly_and_is_smooth_ruling_17() -> None:
    config = {"width": 100, "height": 100}
    blurred = marchland.new("colorfight", 2, seed=5, map="random", config=config).arrays(Cells)
    sharp = marchland.new("colorfight", 2, seed=5, map="random", config={**config, "blur_passes": 0}).arrays(Cells)
    wealth = blurred.natural_gold.astype(int) + blurred.natural_energy
    assert np.corrcoef(wealth, blurred.natural_cost)[0, 1] > 0.5
    steps = [
        np.abs(np.diff(cells.natural_cost.reshape(100, 100).astype(int), axis=1)).mean() for cells in (blurred, sharp)
    ]
    assert steps[0] < 0.7 * steps[1]


def test_homes_of_a_random_map_are_spread_far_apart_ruling_17() -> None:
    game = marchland.new("colorfight", 16, seed=2, config={"width": 60, "height": 60})
    homes = np.flatnonzero(game.arrays(Cells).building == HOME).tolist()
    assert min(game.board.distance(a, b) for a in homes for b in homes if a != b) >= 8


def homes_of_a_random_map(seed: int) -> list[tuple[int, int]]:
    """The home of each of four seats."""
    cells = marchland.new("colorfight", 4, seed=seed, map="random").arrays(Cells)
    homes = np.flatnonzero(cells.building == HOME)
    return [(int(home) % 30, int(home) // 30) for home in homes[np.argsort(cells.owner[homes])]]


def test_homes_of_a_random_map_are_about_as_far_from_the_next_one_ruling_17() -> None:
    evenness = []
    for seed in range(100):
        homes = homes_of_a_random_map(seed)
        next_one = [min(abs(x - a) + abs(y - b) for a, b in homes if (a, b) != (x, y)) for x, y in homes]
        evenness.append(min(next_one) / np.mean(next_one))
    assert np.mean(evenness) > 0.95


def test_a_draw_decides_which_seat_gets_which_home_of_a_random_map_ruling_17() -> None:
    """The home placed first is the one nearest to the middle most often."""
    to_middle = [[(x - 14.5) ** 2 + (y - 14.5) ** 2 for x, y in homes_of_a_random_map(seed)] for seed in range(400)]
    in_the_middle = [int(np.argmin(distances)) for distances in to_middle]
    assert uniform_test(np.bincount(in_the_middle, minlength=4).tolist()).p > 0.01


@pytest.mark.parametrize(("side", "players"), [(8, 64), (8, 1), (50, 1000)])
def test_any_number_of_players_that_fits_has_a_home_each(side: int, players: int) -> None:
    game = marchland.new("colorfight", players, seed=0, config={"width": side, "height": side})
    cells = game.arrays(Cells)
    assert sorted(cells.owner[cells.building == HOME].tolist()) == list(range(players))


def test_a_big_board_works() -> None:
    game = marchland.new("colorfight", 100, seed=0, config={"width": 2048, "height": 512})
    assert game.board.size == 2048 * 512
    game.step()
    assert game.turn == 2


@pytest.mark.parametrize(
    ("players", "arguments", "words"),
    [
        (65, {"config": {"width": 8, "height": 8}}, "no room for 65"),
        (0, {}, "1 to 1000 players"),
        (1001, {}, "1 to 1000 players"),
        (3, {"map": "symmetric"}, "1, 2, 4 or 8 players"),
        (2, {"map": "hexagonal"}, "there are symmetric and random"),
        (2, {"config": {"width": 7}}, ">= 8"),
        (2, {"config": {"height": 2049}}, "<= 2048"),
        (2, {"config": {"max_trun": 7}}, "did you mean 'max_turn'"),
        (2, {"rules": "upsteam"}, "presets are seed and upstream"),
        (2, {"config": [1]}, "an object"),
        (2, {"config": {"cost_spread": [600, 599]}}, "cost_spread"),
        (2, {"config": {"cost_clip": [300, 1]}}, "cost_clip"),
        (2, {"config": {"cost_clip": [1, 1_000_000]}}, "cost_clip"),
        (2, {"seed": "abc"}, "whole number"),
        (10**9, {}, "1 to 1000 players"),
        ([1, 2], {}, "name is text"),
        ([None, "A"], {}, "name is text"),
        ([["A"], ["B"]], {}, "name is text"),
        (["A", "A"], {}, "same name"),
        (["A", ""], {}, "1 to 14 characters"),
        (["A", "x" * 15], {}, "1 to 14 characters"),
        ("AB", {}, "list of names"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(players: object, arguments: dict[str, object], words: str) -> None:
    with pytest.raises(marchland.MarchlandError, match=words):
        marchland.new("colorfight", players, **arguments)  # type: ignore[arg-type]


def test_a_map_of_ones_own() -> None:
    plain = [[5] * 8 for _ in range(8)]
    data = {"natural_gold": plain, "natural_energy": plain, "natural_cost": plain, "homes": [[1, 1], [6, 6]]}
    game = marchland.new("colorfight", 2, map=data, config={"width": 8, "height": 8})
    assert game.view()["game_map"][6][6]["owner"] == 1
    with pytest.raises(marchland.MapError, match="homes"):
        marchland.new("colorfight", 2, map={**data, "homes": [[1, 1], [9, 9]]}, config={"width": 8, "height": 8})
    for homes in (
        [1, 2],
        ["ab", "cd"],
        [[1.5, 2], [3, 4]],
        [[1, 2, 3], [4, 5, 6]],
        "ab",
        [None, None],
        [[True, 1], [2, 2]],
    ):
        with pytest.raises(marchland.MapError, match="homes"):
            marchland.new("colorfight", 2, map={**data, "homes": homes}, config={"width": 8, "height": 8})
    with pytest.raises(marchland.MapError, match="8 rows of 8"):
        marchland.new("colorfight", 2, map={**data, "natural_cost": [[5]]}, config={"width": 8, "height": 8})


def test_a_late_joiner_gets_the_free_cell_farthest_from_all_players_ruling_23() -> None:
    game = marchland.new("colorfight", ["A", "B"], seed=1)
    game.step()
    taken = np.flatnonzero(game.arrays(Cells).owner >= 0).tolist()
    farthest = max(min(game.board.distance(cell, other) for other in taken) for cell in range(game.board.size))
    seat = game.join("eve")
    assert (seat, game.players) == (2, ("A", "B", "eve"))
    assert user(game, 2)["energy"] == 1000
    cells = game.arrays(Cells)
    home = int(np.flatnonzero((cells.building == HOME) & (cells.owner == 2))[0])
    assert min(game.board.distance(home, other) for other in taken) == farthest
    x, y = game.board.at(home)
    assert game.step({2: [attack(x + 1 if x < 29 else x - 1, y, 300)]}).results[2][0].ok


@pytest.mark.parametrize(
    ("name", "config", "words"),
    [
        ("A", {}, "already"),
        ("", {}, "needs a name"),
        ("x" * 15, {}, "1 to 14 characters"),
        ("eve", {"late_join": False}, "after its start"),
    ],
)
def test_a_late_joiner_can_be_refused_ruling_18(name: str, config: dict[str, object], words: str) -> None:
    game = marchland.new("colorfight", ["A", "B"], seed=1, config=config)
    before = game.digest()
    with pytest.raises(marchland.JoinRefusedError, match=words):
        game.join(name)
    assert game.digest() == before


def test_a_full_map_refuses_late_joiners_ruling_18() -> None:
    game = match({(x, y): own(0) for x in range(8) for y in range(8)})
    with pytest.raises(marchland.JoinRefusedError, match="full"):
        game.join("eve")
