"""Plays a fixed match and prints the digest of every turn: ``python -m tests.conformance.digests NAME TURNS``."""

import random
import sys

from tests.conformance.playing import orders_from_the_menu, small_match


def played(name: str, turns: int) -> list[str]:
    """The digests of a match in which everybody picks from the menu by lot."""
    chance = random.Random(17)
    game = small_match(name, seed=9)
    digests = [game.digest()]
    for _ in range(turns):
        game.step({player: orders_from_the_menu(game, player, chance) for player in range(len(game.players))})
        digests.append(game.digest())
    return digests


if __name__ == "__main__":
    sys.stdout.write("\n".join(played(sys.argv[1], int(sys.argv[2]))))
