"""The bots that come with the game."""

from marchland.games.boidvoid.game import BoidVoid


def winner_is_greedy(seed: int) -> bool:
    """A match of three greedy players against three random ones, who take turns at each side of the map."""
    game = BoidVoid.new(6, seed=seed, map="duel", config={"turn_limit": 30})
    side = seed % 2
    bots = [game.bots["greedy" if seat % 2 == side else "random"](seed=10 * seed + seat) for seat in range(6)]
    while game.outcome is None:
        game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
    return set(game.outcome.winners) == {side, side + 2, side + 4}


def test_greedy_beats_random() -> None:
    assert sum(winner_is_greedy(seed) for seed in range(20)) >= 18


def test_idle_does_nothing() -> None:
    game = BoidVoid.new(2, seed=1, map="duel")
    assert game.bots["idle"]().play(game.observe(0)) == []
