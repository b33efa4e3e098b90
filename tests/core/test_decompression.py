"""Compressed bytes of a stranger: a few kilobytes that claim gigabytes are refused before they take memory."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
import xxhash

import marchland
from marchland.core import march_file, snapshot
from marchland.core.compression import MOST_DECOMPRESSED, decompress, zstd
from marchland.core.order_columns import Columns
from marchland.core.recording import Recording
from marchland.core.replay_blocks import Inputs, SavedState
from marchland.errors import TooLargeError

BOMB_BYTES = 2**31
MOST_MEMORY = 900 * 2**20
"""Less than the bomb; the interpreter with its libraries and the ceiling of one content have room."""

OPEN = """
import sys, resource
import marchland
resource.setrlimit(resource.RLIMIT_DATA, (int(sys.argv[2]),) * 2)
try:
    replay = marchland.open_replay(sys.argv[1])
    replay.film()
    replay.at(replay.last_turn)
except marchland.ReplayError as problem:
    print(problem)
"""


@pytest.fixture(scope="module")
def bomb() -> bytes:
    """Two gigabytes of zeros, compressed."""
    compressor, zeros = zstd.ZstdCompressor(level=1), bytes(2**24)
    parts = [compressor.compress(zeros) for _ in range(BOMB_BYTES // len(zeros))]
    return b"".join(parts) + compressor.flush()


def recorded() -> Recording:
    game = marchland.new("colorfight", 2, seed=1, config={"width": 8, "height": 8})
    recording = Recording(game)
    recording.note(game, game.step().orders)
    return recording


def open_limited(path: Path) -> str:
    """What opening a file says, in a process that has too little memory for a bomb."""
    command = [sys.executable, "-c", OPEN, str(path), str(MOST_MEMORY)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.parametrize("kind", [b"HEAD", b"SNAP", b"TURN", b"FILM", b"LAST"])
def test_a_bomb_in_any_block_is_refused_with_its_name(tmp_path: Path, bomb: bytes, kind: bytes) -> None:
    blocks = [march_file.Block(kind, bomb) if block.kind == kind else block for block in recorded()._blocks(True)]
    march_file.write(tmp_path / "bomb.march", blocks)
    assert (tmp_path / "bomb.march").stat().st_size < 300_000
    said = open_limited(tmp_path / "bomb.march")
    assert f"its {kind.decode()} block says its content has more than" in said


def test_a_bomb_inside_a_snapshot_is_refused(tmp_path: Path, bomb: bytes) -> None:
    state = snapshot._MAGIC + xxhash.xxh3_64_digest(bomb) + bomb
    inner = march_file.block(b"SNAP", msgspec.msgpack.encode(SavedState(0, state)))
    blocks = [inner if block.kind == b"SNAP" else block for block in recorded()._blocks(True)]
    march_file.write(tmp_path / "bomb.march", blocks)
    assert "no snapshot of a match: its content has more than" in open_limited(tmp_path / "bomb.march")


def test_the_blocks_of_a_film_share_one_limit(tmp_path: Path) -> None:
    blocks = list(recorded()._blocks(True))
    (film,) = (block for block in blocks if block.kind == b"FILM")
    frames = msgspec.msgpack.decode(film.content(MOST_DECOMPRESSED))
    long = march_file.block(b"FILM", msgspec.msgpack.encode(frames * 4000), level=1)
    march_file.write(tmp_path / "long.march", [*blocks[:-1], *[long] * 20, blocks[-1]])
    replay = marchland.open_replay(tmp_path / "long.march")
    with pytest.raises(marchland.ReplayError, match="FILM block says its content has more than"):
        replay.film()


def test_turns_that_announce_more_orders_than_there_are_bytes_are_refused(tmp_path: Path) -> None:
    claim = Inputs(Columns([10**12], [[]] * 5, [0], []), bytes(16), bytes(1))
    forged = march_file.block(b"TURN", msgspec.msgpack.encode(claim))
    blocks = [forged if block.kind == b"TURN" else block for block in recorded()._blocks(True)]
    march_file.write(tmp_path / "claims.march", blocks)
    assert "numbers of its orders cannot be" in open_limited(tmp_path / "claims.march")


def test_content_of_exactly_the_limit_is_read() -> None:
    assert decompress(zstd.compress(bytes(1000)), 1000) == bytes(1000)
    with pytest.raises(TooLargeError, match="more than 999 bytes"):
        decompress(zstd.compress(bytes(1000)), 999)


def test_a_truncated_frame_is_refused() -> None:
    with pytest.raises(zstd.ZstdError):
        decompress(zstd.compress(bytes(range(256)))[:-3], 1000)


def test_the_largest_board_of_colorfight_is_below_the_ceiling() -> None:
    layout = marchland.find("colorfight").schema.layout(
        cells=2048 * 2048, players=1000, sieges=0, attackers=0, purses=0
    )
    assert layout.size < MOST_DECOMPRESSED


def test_a_map_of_many_empty_rows_takes_no_memory() -> None:
    check = (
        f"import resource\nfrom marchland import maps\nmaps.find_adapter('datspulse')\n"
        f"resource.setrlimit(resource.RLIMIT_DATA, ({MOST_MEMORY},) * 2)\n"
        "print(maps.check_map('datspulse', {'map': [''] * 15_001, 'spots': []}).problems[0].sentence)\n"
    )
    ran = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, timeout=120)
    assert "The map must be a hexagon" in ran.stdout, ran.stderr
