"""Play a match by each set of rules and print its digests, in a process of its own.

``python -m marchland.conformance.digests PLACE TURNS SETTINGS``, where SETTINGS are those of a `GameUnderTest` as JSON.
"""

import dataclasses
import json
import os
import random
import subprocess
import sys

from marchland import registry
from marchland.conformance.playing import GameUnderTest, hostile_order, pick_orders

_TIMEOUT = 900.0  # seconds: the process may have to compile first


def play_digests(tested: GameUnderTest, preset: str, turns: int) -> list[str]:
    """The digests of a match in which every player picks from the menu at random and sends a hostile order too."""
    chance = random.Random(17)
    game = tested.new(9, rules=preset)
    digests = [game.digest()]
    for _ in range(turns):
        orders = {
            player: [*pick_orders(game, player, chance), hostile_order(game, chance)]
            for player in range(len(game.players))
        }
        game.step(orders)
        digests.append(game.digest())
    return digests


def play_digests_elsewhere(tested: GameUnderTest, turns: int, **environment: str) -> dict[str, list[str]]:
    """For each preset the digests that another process computes, which has these environment variables."""
    command = [
        *(sys.executable, "-m", "marchland.conformance.digests"),
        *(registry.locate(tested.name), str(turns), json.dumps(dataclasses.asdict(tested))),
    ]
    path = os.pathsep.join(entry or "." for entry in sys.path)  # the game may be importable by this process alone
    done = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        timeout=_TIMEOUT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return dict(zip(tested.presets, map(str.split, done.stdout.splitlines()), strict=True))


def _main(place: str, turns: str, settings: str) -> None:
    tested = GameUnderTest(**json.loads(settings))
    registry.register(tested.name, place)
    for preset in tested.presets:
        sys.stdout.write(" ".join(play_digests(tested, preset, int(turns))) + "\n")


if __name__ == "__main__":
    _main(*sys.argv[1:])
