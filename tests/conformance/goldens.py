"""Writes the golden replays anew: ``python -m tests.conformance.goldens [GAME ...]``."""

import sys
from pathlib import Path

import marchland
from marchland.core.replay import Recording
from tests.conformance.playing import small_match

FOLDER = Path(__file__).parent / "goldens"


def recorded(name: str) -> Recording:
    """A small match between the game's own bots, to its end."""
    game = small_match(name, seed=42)
    bots = [
        game.bots[kind](seed=seat)
        for seat, kind in zip(range(len(game.players)), ["greedy", "random"] * 9, strict=False)
    ]
    recording = Recording(game)
    while game.outcome is None:
        report = game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
        recording.note(game, report.orders)
    return recording


def main(names: list[str]) -> None:
    """Write a replay and its readable form for each game."""
    FOLDER.mkdir(exist_ok=True)
    for name in names or marchland.games():
        path = FOLDER / f"{name}.march"
        recorded(name).save(path)
        path.with_suffix(".txt").write_text(marchland.open_replay(path).text())


if __name__ == "__main__":
    main(sys.argv[1:])
