"""States of a stranger: whatever their bytes hold, a process that opens and plays them lives on."""

import subprocess
import sys
import time
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import marchland
from marchland.core import snapshot
from marchland.core.position import read_position, rebuild_match, write_position
from marchland.core.recording import Recording
from marchland.games.colorfight.position import count_neighbours
from marchland.games.colorfight.rules.state import EMPTY, Cells
from tests.support.corrupted_states import sealed
from tests.support.small_matches import SMALL

ROUNDS = 100


@pytest.mark.parametrize("game", marchland.games())
def test_corrupted_states_are_refused_or_played_without_a_crash(game: str) -> None:
    command = [sys.executable, "-m", "tests.support.corrupted_states", game, str(ROUNDS)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr[-2000:]
    accepted, refused = map(int, ran.stdout.split())
    assert accepted + refused == ROUNDS
    assert refused > ROUNDS // 4


def colorfight(width: int = 8) -> marchland.Game:
    match = marchland.new("colorfight", 3, seed=1, config={"width": width, "height": 8})
    attacks = [{"do": "attack", "at": [x, y], "energy": 200} for x in range(8) for y in range(8)]
    for _ in range(5):
        match.step(dict.fromkeys(range(3), attacks))
    return match


@pytest.mark.parametrize("part", ["sieges", "attackers", "purses"])
def test_scratch_memory_is_as_large_as_the_match_needs_whatever_the_snapshot_says(part: str) -> None:
    stored = snapshot.read(snapshot.pack(colorfight()))
    forged = msgspec.structs.replace(stored, rows={**stored.rows, part: 0})
    match = marchland.restore(sealed(forged))
    assert match.layout.rows == stored.rows


REBUILT = [name for name in marchland.games() if marchland.find(name).functions.rebuild is not None]


@pytest.mark.parametrize("game", REBUILT)
@given(data=st.data())
def test_a_value_is_accepted_exactly_where_its_position_is(game: str, data: st.DataObject) -> None:
    match = colorfight() if game == "colorfight" else marchland.new(game, 2, seed=1, **SMALL[game])
    schema = match.layout.schema
    field = data.draw(st.sampled_from([field for field in schema.fields if field.part not in schema.work]))
    values = getattr(match.arrays(field.part), field.name)
    place = data.draw(st.integers(0, len(values) - 1))
    limits = np.iinfo(values.dtype)
    values[place] = data.draw(st.integers(-3, 127) | st.integers(int(limits.min), int(limits.max)))
    assert _accepts(rebuild_match, match) == _accepts(_through_position, match)


def _through_position(match: marchland.Game) -> marchland.Game:
    return read_position(type(match), write_position(match))


def _accepts(read: object, match: marchland.Game) -> bool:
    assert callable(read)
    try:
        again = read(match)
    except (marchland.MarchlandError, LookupError):
        return False
    return bool(again.digest() == match.digest())


def test_an_intact_match_is_rebuilt_with_every_byte() -> None:
    match = colorfight(11)
    assert np.array_equal(rebuild_match(match).buffer, match.buffer)


@pytest.mark.alone
def test_a_foreign_replay_of_two_million_cells_opens_in_three_seconds(tmp_path: Path) -> None:
    match = marchland.new("colorfight", 2, seed=1, config={"width": 1500, "height": 1500})
    cells: Cells = match.arrays(Cells)
    cells.owner[cells.building == EMPTY] = 0  # the most that there can be to check
    cells.friends[:] = cells.enemies[:] = 0
    count_neighbours(cells, 1500, 1500)
    match.step()  # counts what the players have
    recording = Recording(match)
    for _ in range(3):
        recording.note(match, match.step().orders)
    recording.save(tmp_path / "large.march", film=False)
    replay = marchland.open_replay(tmp_path / "large.march")
    for turn in (replay.first_turn, 3, replay.last_turn):
        began = time.process_time()
        replay.at(turn)
        assert time.process_time() - began <= 3
