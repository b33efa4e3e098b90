"""Ruling 15: late joiners, and the board that grows for them."""

from pathlib import Path

import numpy as np
import pytest

import marchland
from marchland.core.recording import Recording
from marchland.games.enova.maps.lattice import lattice_terrain
from marchland.games.enova.rules.state import Cells
from tests.games.enova.builders import counted, move, owned, position, standing

OPEN = {"open_world": True}


def test_a_world_that_is_not_open_refuses_late_joiners() -> None:
    game = marchland.new("enova", 3, seed=1)
    with pytest.raises(marchland.JoinRefusedError, match="open world"):
        game.join("eve")


def test_the_open_rules_are_those_of_the_seed_in_an_open_world() -> None:
    game = marchland.new("enova", 4, seed=1, rules="open")
    changed = {"rules": "open", "open_world": True}
    assert game.config.values() == {**marchland.new("enova", 4, seed=1).config.values(), **changed}
    assert game.join("eve") == 4


def test_rules_that_there_are_not_are_refused_with_those_that_there_are() -> None:
    with pytest.raises(marchland.ConfigError, match="seed and open"):
        marchland.new("enova", 2, rules="opne")


@pytest.mark.parametrize("map", ["torus", "C..C\n"])
def test_an_open_world_is_a_lattice(map: str) -> None:
    with pytest.raises(marchland.MapError, match="lattice"):
        marchland.new("enova", 2, seed=1, config=OPEN, map=map)


def test_a_position_that_is_no_lattice_takes_no_joiner() -> None:
    game = position("C..C", land={(0, 0): (0, 1), (3, 0): (1, 1)}, open_world=True)
    with pytest.raises(marchland.JoinRefusedError, match="no lattice"):
        game.join("eve")


def test_a_joiner_has_what_all_players_had_at_their_first_orders() -> None:
    game = marchland.new("enova", 4, seed=1, config=OPEN)
    for _ in range(5):
        game.step()
    seat = game.join("eve")
    assert (seat, game.players[4]) == (4, "eve")
    assert counted(game)[4] == (1, 1, 3)
    game.step()
    assert counted(game)[4] == (1, 1, 4)


def test_spare_castles_are_taken_before_the_board_grows() -> None:
    game = marchland.new("enova", 3, seed=1, config=OPEN)
    game.join("eve")
    assert game.view()["size"] == [5, 5]
    assert len(owned(game)) == 4


def test_the_board_grows_by_a_column_or_a_row_and_stays_as_square_as_can_be() -> None:
    game = marchland.new("enova", 4, seed=1, config=OPEN)
    sizes = []
    for number in range(13):
        game.join(f"joiner {number}")
        sizes.append(tuple(game.view()["size"]))
        width, height = sizes[-1]
        assert np.array_equal(game.arrays(Cells).terrain, lattice_terrain(width, height, 4).reshape(-1))
    assert sizes == [(9, 5)] * 2 + [(9, 9)] * 3 + [(13, 9)] * 3 + [(13, 13)] * 4 + [(17, 13)]


def test_every_tile_keeps_its_coordinates_its_owner_and_its_units() -> None:
    game = marchland.new("enova", 4, seed=1, config=OPEN)
    bots = [game.bots["random"](seed=seat) for seat in range(4)]
    for _ in range(12):
        game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
    before, units = owned(game), standing(game)
    game.join("eve")
    after = owned(game)
    assert {at: after[at] for at in before} == before
    assert [what for at, what in after.items() if at not in before] == [(4, 3)]
    assert standing(game) == units + 3


def test_a_grown_board_is_played_on_like_any_other() -> None:
    game = marchland.new("enova", 4, seed=1, config=OPEN)
    seat = game.join("eve")
    (castle,) = (at for at, (owner, _) in owned(game).items() if owner == seat)
    order = move(castle, (castle[0] - 1, castle[1]), 1)
    assert game.step({seat: [order]}).results[seat][0].ok
    assert owned(game)[castle[0] - 1, castle[1]] == (seat, 1)
    for twin in (game.copy(), marchland.restore(game.snapshot()), marchland.from_position(game.position())):
        twin.join("fay")
        other = game.copy()
        other.join("fay")
        assert twin.digest() == other.digest()


def test_a_joiner_starts_as_far_from_all_owned_land_as_possible() -> None:
    game = marchland.new("enova", 1, seed=1, config=OPEN)
    ((x, y),) = owned(game)
    game.join("eve")
    assert owned(game)[4 - x, 4 - y] == (1, 3)


def test_a_replay_records_when_a_player_joined(tmp_path: Path) -> None:
    game = marchland.new("enova", 4, seed=1, config={**OPEN, "turn_limit": 20})
    recording = Recording(game)
    while game.outcome is None:
        if game.turn in (3, 7, 11):
            for name in (f"eve {game.turn}", f"fay {game.turn}"):
                game.join(name)
                recording.note_join(name)
        bots = [game.bots["random"](seed=seat + 100 * game.turn) for seat in range(len(game.players))]
        report = game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
        recording.note(game, report.orders)
    recording.save(tmp_path / "open.march")
    replay = marchland.open_replay(tmp_path / "open.march")
    replay.verify()
    assert replay.at(20).players[4:] == ("eve 3", "fay 3", "eve 7", "fay 7", "eve 11", "fay 11")
    assert [frame.turn for frame in replay.film() if frame.key] == [1, 4, 8, 12]
