"""Replays with immediate actions."""

import random
from pathlib import Path

from marchland.core.orders import HOST_PLAYER
from marchland.core.recording import Recording
from marchland.core.replay import Replay
from marchland.games.boidvoid.game import BoidVoid


def test_a_replay_with_immediate_actions_verifies(tmp_path: Path) -> None:
    game = BoidVoid.new(4, seed=5, map="duel")
    recording = Recording(game)
    chance = random.Random(1)
    for turn in range(6):
        for player in range(4):
            for verb in ("spawn", "move", "capture"):
                menu = game.legal(player, {"do": verb})
                pieces = getattr(menu, "pieces", [])
                if pieces:
                    order = {"do": verb, "unit": pieces[0]}
                    following = game.legal(player, order)
                    if following is not None:
                        order[following.param] = list(chance.choice(following.cells))  # type: ignore[union-attr]
                    recording.note_act(game, game.act(player, order))
        recording.note_act(game, game.act(HOST_PLAYER, {"do": "clock", "minute": turn}))
        recording.note(game, game.step().orders)
    recording.save(tmp_path / "acts.march")
    Replay(tmp_path / "acts.march", lambda name: BoidVoid).verify()
