"""What Colorfight's first clients say, and what they must be answered."""

import os
from pathlib import Path

import pytest

from tests.serving import Served
from tests.wire.transcripts import LiveConnection, transcripts


@pytest.mark.parametrize("path", transcripts(Path(__file__).parent))
def test_the_server_answers_as_it_is_written(path: Path, served: Served) -> None:
    room = f"room-{os.urandom(4).hex()}"
    LiveConnection(served, "/colorfight", room=room).play(path)
