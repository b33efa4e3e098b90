"""Matches between a game's own bots are recorded, verified and compared with golden replays."""

import tempfile
from pathlib import Path

from marchland.conformance.playing import Check, GameUnderTest
from marchland.core.recording import Recording
from marchland.core.replay import Replay
from marchland.registry import find

_BOTS = ("greedy", "random")


def record_bots(tested: GameUnderTest, preset: str = "") -> Recording:
    """A match between the game's own bots, greedy and random ones where it has them, to its end."""
    game = tested.new(42, rules=preset)
    names = [name for name in _BOTS if name in game.bots] or list(game.bots)
    bots = [game.bots[names[seat % len(names)]](seed=seat) for seat in range(len(game.players))]
    recording = Recording(game)
    while game.outcome is None:
        report = game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
        recording.note(game, report.orders)
    return recording


def golden_path(folder: Path, tested: GameUnderTest, preset: str) -> Path:
    """Where the golden replay of a preset is saved; that of the first preset has the game's name alone."""
    first = preset == tested.presets[0]
    return folder / (f"{tested.name}.march" if first else f"{tested.name}-{preset}.march")


def write_goldens(folder: Path, tested: GameUnderTest) -> None:
    """Write a golden replay of each preset and its text; review them and commit them with the code."""
    folder.mkdir(exist_ok=True)
    for preset in tested.presets:
        path = golden_path(folder, tested, preset)
        record_bots(tested, preset).save(path)
        path.with_suffix(".txt").write_text(Replay(path, find).text())


def check_golden(folder: Path, tested: GameUnderTest, preset: str) -> None:
    """The golden replay verifies, and the bots still play that match, order by order."""
    path = golden_path(folder, tested, preset)
    _check_replay(Replay(path, find))
    with tempfile.TemporaryDirectory() as temporary:
        again = Path(temporary) / "again.march"
        record_bots(tested, preset).save(again)
        assert Replay(again, find).text() == path.with_suffix(".txt").read_text()


def check_recorded_matches_verify(tested: GameUnderTest) -> None:
    """A match between the game's own bots ends, under every preset, and its replay verifies."""
    with tempfile.TemporaryDirectory() as folder:
        for preset in tested.presets:
            path = Path(folder) / "match.march"
            record_bots(tested, preset).save(path)
            _check_replay(Replay(path, find))


def _check_replay(replay: Replay) -> None:
    replay.verify()
    assert replay.end.outcome is not None
    assert len(replay.film()) == replay.end.turns + 1


CHECKS: tuple[Check, ...] = (check_recorded_matches_verify,)
