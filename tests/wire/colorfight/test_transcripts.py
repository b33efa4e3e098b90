"""Recorded conversations of Colorfight clients with the server."""

import os
from pathlib import Path

import pytest

from tests.support.server import Served
from tests.support.transcripts import TranscriptPlayer, list_transcripts


@pytest.mark.parametrize("path", list_transcripts(Path(__file__).parent))
def test_the_server_answers_as_recorded(path: Path, served: Served) -> None:
    room = f"room-{os.urandom(4).hex()}"
    TranscriptPlayer(served, "/colorfight", room=room).play(path)
