"""What agents of the public competition say, and what they must be answered."""

from pathlib import Path

import pytest

from tests.serving import Served
from tests.wire.transcripts import LiveConnection, transcripts


@pytest.mark.parametrize("path", transcripts(Path(__file__).parent))
def test_the_server_answers_as_it_is_written(path: Path, served: Served) -> None:
    LiveConnection(served, "/hive").play(path)
