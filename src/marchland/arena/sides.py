"""The sides of a match: each seat is one, or each team where the game has teams."""

from marchland.core.game import Game


def sides_of(game: Game) -> list[int]:
    """The side of each seat."""
    if not game.team_figure:
        return list(range(len(game.players)))
    column = 1 + game.figures.index(game.team_figure)
    return [int(figures[column]) for figures in game.picture().players]
