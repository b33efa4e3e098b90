"""Write the golden replays again: ``python -m tests.conformance.goldens [GAME ...]``."""

import sys
from pathlib import Path

from marchland.conformance.replays import write_goldens
from tests.support.small_matches import TESTED

FOLDER = Path(__file__).parent / "goldens"


def main(names: list[str]) -> None:
    """Write a replay and its readable form for each game and each of its presets."""
    for name in names or TESTED:
        write_goldens(FOLDER, TESTED[name])


if __name__ == "__main__":
    main(sys.argv[1:])
