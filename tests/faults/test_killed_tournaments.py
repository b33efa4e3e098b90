"""A tournament under SIGKILL counts every match once; 2,000 fixtures are in ``tests/acceptance/tournament.py``."""

from pathlib import Path

from tests.support.killed_tournaments import count_rows, play_under_kills, play_undisturbed, verify_all

MATCHES = 72


def test_a_tournament_under_kills_ends_like_an_undisturbed_one(tmp_path: Path) -> None:
    killed, kills = play_under_kills(tmp_path / "killed.db", MATCHES, 4, 1, "--format", "ladder")
    assert kills.commands + kills.referees == 4
    assert killed == play_undisturbed(tmp_path / "whole.db", MATCHES, "--format", "ladder")
    rows = count_rows(tmp_path / "killed.db")
    assert rows == {"fixtures": MATCHES, "places": 2 * MATCHES, "matches": MATCHES, "results": 2 * MATCHES}
    checked = verify_all(tmp_path / "killed.db")
    assert (checked.archives, checked.problems) == (MATCHES, [])
