"""Writes the golden replays anew: ``python -m tests.conformance.goldens [GAME ...]``."""

import sys
from pathlib import Path

import marchland
from marchland.core.replay import Recording
from tests.conformance.digests import presets
from tests.conformance.playing import small_match

FOLDER = Path(__file__).parent / "goldens"


def golden(name: str, preset: str) -> Path:
    """Where the golden replay of a game under a preset lies; the usual one bears the game's name alone."""
    return FOLDER / (f"{name}.march" if preset == presets(name)[0] else f"{name}-{preset}.march")


def recorded(name: str, preset: str) -> Recording:
    """A small match between the game's own bots, to its end."""
    game = small_match(name, seed=42, rules=preset or None)
    kinds = ["greedy", "random"] * len(game.players)
    bots = [game.bots[kind](seed=seat) for seat, kind in zip(range(len(game.players)), kinds, strict=False)]
    recording = Recording(game)
    while game.outcome is None:
        report = game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
        recording.note(game, report.orders)
    return recording


def main(names: list[str]) -> None:
    """Write a replay and its readable form for each game and each of its presets."""
    FOLDER.mkdir(exist_ok=True)
    for name in names or marchland.games():
        for preset in presets(name):
            path = golden(name, preset)
            recorded(name, preset).save(path)
            path.with_suffix(".txt").write_text(marchland.open_replay(path).text())


if __name__ == "__main__":
    main(sys.argv[1:])
