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


def test_a_replay_with_a_batch_of_the_host_of_which_the_first_is_refused_verifies(tmp_path: Path) -> None:
    game = BoidVoid.new(2, seed=5, map="duel")
    recording = Recording(game)
    stakes = [{"do": "stake", "player": player, "amount": 70} for player in (9, 0, 1)]
    recording.note_act(game, game.act_as_host(stakes))
    recording.note_act(game, game.act_as_host(stakes[:1]))
    recording.note(game, game.step().orders)
    recording.save(tmp_path / "batch.march")
    replay = Replay(tmp_path / "batch.march", lambda name: BoidVoid)
    replay.verify()
    assert [player["stake"] for player in replay.at(2).view()["players"]] == [70, 70]
