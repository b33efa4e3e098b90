"""The bots that come with the game."""

import marchland


def test_greedy_beats_random_in_nineteen_of_twenty_duels() -> None:
    lost = []
    for seed in range(20):
        game = marchland.new("colorfight", 2, seed=seed)
        greedy = seed % 2
        bots = {greedy: game.bots["greedy"](seed=seed), 1 - greedy: game.bots["random"](seed=seed)}
        while game.outcome is None:
            game.step({seat: bot.play(game.observe(seat)) for seat, bot in bots.items()})
        if game.outcome.winners != [greedy]:
            lost.append(seed)
    assert len(lost) <= 1


def test_greedy_minds_the_settings() -> None:
    game = marchland.new("colorfight", 2, seed=0, config={"well_gold": 500, "mine_gold": 500, "home_defence": 5000})
    bots = [game.bots["greedy"]() for _ in range(2)]
    for _ in range(150):
        report = game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
        reasons = {result.reason for listed in report.results.values() for result in listed}
        assert "NOT_ENOUGH_GOLD" not in reasons


def test_idle_gives_no_orders() -> None:
    game = marchland.new("colorfight", 2, seed=0)
    assert game.bots["idle"]().play(game.observe(0)) == []


def test_greedys_orders_are_accepted() -> None:
    game = marchland.new("colorfight", 4, seed=0)
    bots = [game.bots["greedy"]() for _ in range(4)]
    given = refused = 0
    for _ in range(100):
        report = game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
        results = [result for listed in report.results.values() for result in listed]
        given += len(results)
        refused += sum(not result.ok for result in results)
    assert given > 1000
    assert refused < given // 100
