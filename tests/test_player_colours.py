"""One table of player colours, for the terminal and the browser."""

import re
from pathlib import Path

import pytest

from marchland.player_colours import HATCHED_PLAYERS, player_colour, player_hatch, render_typescript

GENERATED = Path(__file__).parents[1] / "web" / "src" / "app" / "playerColours.generated.ts"


@pytest.fixture(scope="module")
def typescript() -> str:
    return GENERATED.read_text()


def number(typescript: str, name: str) -> int:
    found = re.search(rf"export const {name} = (\d+);", typescript)
    assert found is not None
    return int(found[1])


def test_the_table_of_the_browser_is_up_to_date(typescript: str) -> None:
    assert typescript == render_typescript(), "run python web/generate.py"


def test_terminal_and_browser_agree_on_the_colours_of_64_players(typescript: str) -> None:
    assert re.findall(r'"(#[0-9a-f]{6})"', typescript) == [player_colour(seat) for seat in range(64)]


def test_terminal_and_browser_agree_on_the_hatches_of_64_players(typescript: str) -> None:
    base, hatched = number(typescript, "BASE_COLOURS"), number(typescript, "HATCHED_PLAYERS")
    assert [player_hatch(seat) for seat in range(64)] == [seat // base if seat < hatched else 0 for seat in range(64)]


def test_32_players_differ_in_colour_or_hatch() -> None:
    looks = {(player_colour(seat), player_hatch(seat)) for seat in range(HATCHED_PLAYERS)}
    assert len(looks) == HATCHED_PLAYERS == 32


def test_players_beyond_the_hatches_have_hues_of_their_own() -> None:
    assert len({player_colour(seat) for seat in range(32, 232)}) == 200
