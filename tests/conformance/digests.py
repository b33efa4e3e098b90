"""Plays a match by each set of rules and prints its digests: ``python -m tests.conformance.digests NAME TURNS``."""

import random
import sys

import marchland
from tests.conformance.playing import hostile_order, orders_from_the_menu, small_match


def presets(name: str) -> list[str]:
    """The game's named sets of rules; one without a name where it has none."""
    return list(marchland.find(name).config_type.presets) or [""]


def played(name: str, preset: str, turns: int) -> list[str]:
    """The digests of a match in which everybody picks from the menu by lot and sends some rubbish too."""
    chance = random.Random(17)
    game = small_match(name, seed=9, rules=preset or None)
    digests = [game.digest()]
    for _ in range(turns):
        orders = {
            player: [*orders_from_the_menu(game, player, chance), hostile_order(game, chance)]
            for player in range(len(game.players))
        }
        game.step(orders)
        digests.append(game.digest())
    return digests


if __name__ == "__main__":
    name, turns = sys.argv[1], int(sys.argv[2])
    for preset in presets(name):
        print(*played(name, preset, turns))
