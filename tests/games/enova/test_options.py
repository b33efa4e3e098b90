"""Options beside the rule document's letter: single units that die, places of the eliminated (rulings 25 and 26)."""

from typing import Any

import msgspec
import pytest

import marchland
from marchland.core import snapshot
from marchland.core.game import Game
from marchland.games.enova.game import Enova
from marchland.games.enova.rules.state import SCHEMA_WITHOUT_DEPARTURES, Departures
from tests.games.enova.builders import battles, move, owned, position


def beaten(units: int, **config: Any) -> Game:
    """So many units are attacked by a hundred times as many; the tile behind them is their own."""
    land = {(0, 0): (0, 100 * units), (1, 0): (1, units), (2, 0): (1, 0)}
    game = position("C.C", land=land, **config)
    report = game.step({0: [move((0, 0), (1, 0))]})
    assert battles(report)[0]["winner"] == 0
    return game


def test_a_beaten_single_unit_retreats_by_the_letter() -> None:
    assert owned(beaten(1))[2, 0] == (1, 1 + 1)  # and the castle's production


def test_with_the_option_a_beaten_single_unit_is_killed() -> None:
    assert owned(beaten(1, single_unit_dies=True))[2, 0] == (1, 0 + 1)


@pytest.mark.parametrize(("units", "survive"), [(2, 1), (3, 2), (5, 3)])
def test_with_the_option_larger_forces_lose_half_rounded_down_as_always(units: int, survive: int) -> None:
    assert owned(beaten(units, single_unit_dies=True))[2, 0] == (1, survive + 1)


def hunted(**config: Any) -> Game:
    """Player 0 eliminates player 1 in the first turn, players 2 and 3 in the second."""
    land = {(0, 0): (0, 90), (1, 0): (1, 1), (3, 0): (0, 90), (4, 0): (2, 1), (6, 0): (0, 90), (7, 0): (3, 1)}
    game = position("C.X..X..", land=land, players=4, **config)
    game.step({0: [move((0, 0), (1, 0))]})
    assert game.alive() == [True, False, True, True]
    game.step({0: [move((3, 0), (4, 0)), move((6, 0), (7, 0))]})
    return game


def places(game: Game) -> dict[int, int]:
    assert game.outcome is not None
    return {standing.player: standing.place for standing in game.outcome.ranking}


def test_the_eliminated_share_the_last_place_by_the_letter() -> None:
    assert places(hunted()) == {0: 1, 1: 2, 2: 2, 3: 2}


def test_with_the_option_who_was_eliminated_later_ranks_higher() -> None:
    assert places(hunted(rank_eliminated="by turn")) == {0: 1, 2: 2, 3: 2, 1: 4}


def test_the_turn_of_elimination_is_in_views_and_survives_positions_and_snapshots() -> None:
    game = hunted(rank_eliminated="by turn")
    assert [player.get("left") for player in game.view()["players"]] == [None, 1, 2, 2]
    assert [(one["player"], one["turn"]) for one in game.position()["departures"]] == [(1, 1), (2, 2), (3, 2)]
    assert marchland.from_position(game.position()).digest() == game.digest()
    assert marchland.restore(game.snapshot()).digest() == game.digest()


def test_by_the_letter_no_turn_of_elimination_is_recorded() -> None:
    game = hunted()
    assert game.position()["departures"] == []
    assert all("left" not in player for player in game.view()["players"])


@pytest.mark.parametrize(
    "departures",
    [
        [(0, 1)],
        [(4, 1)],
        [(-1, 1)],
        [(1, 0)],
        [(1, -5)],
        [(1, 2**31)],
        [(1, 2**70)],
        [(1, 2), (2, 1)],
        [(1, 1), (1, 2)],
    ],
)
def test_a_position_with_departures_that_cannot_be_is_refused(departures: list[tuple[int, int]]) -> None:
    listed = [{"player": player, "turn": turn} for player, turn in departures]
    position = hunted(rank_eliminated="by turn").position() | {"departures": listed}
    with pytest.raises(marchland.PositionError):
        marchland.from_position(position)


def test_departures_without_the_option_are_refused() -> None:
    with pytest.raises(marchland.PositionError, match="departures"):
        marchland.from_position(hunted().position() | {"departures": [{"player": 1, "turn": 1}]})


def test_a_snapshot_from_before_the_option_goes_on_and_can_be_played_to_the_end() -> None:
    game = hunted()
    stored = snapshot.read(game.snapshot())
    rows = {name: count for name, count in stored.rows.items() if name != "departures"}
    old = msgspec.structs.replace(
        stored, schema=SCHEMA_WITHOUT_DEPARTURES.hash, rows=rows, state=stored.state[: -len(Departures._fields)]
    )
    again = snapshot.unpack(Enova, old)
    assert again.digest() == game.digest()
    assert again.outcome == game.outcome
