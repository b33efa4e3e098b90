"""``marchland bench``: the figures that other people's scripts rely on."""

import json
import shutil

import pytest

from marchland.games.colorfight import bench
from tests.cli.conftest import Run


def test_every_line_is_an_object_with_the_promised_figures(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SIZES", ((30, 8, 12), (32, 8, 6)))
    monkeypatch.setattr(bench, "BATCH", 8)
    ran = run("bench", "colorfight", "--json")
    assert ran.code == 0
    lines = [json.loads(line) for line in ran.out.splitlines()]
    kinds = ("", "step/", "info/", "state/")
    first, second = ([f"{kind}{size}/8p" for kind in kinds] for size in ("30x30", "32x32"))
    assert [line["scenario"] for line in lines] == [*first, "batch/8x30x30/8p", *second]
    for line in lines:
        assert {"game", "scenario", "cells", "players", "orders_per_turn", "us_per_turn", "ns_per_cell"} <= set(line)
        assert line["us_per_turn"] > 0
    assert lines[0]["memcpy_ratio"] > 0
    assert lines[4]["match_turns_per_second"] > 0


def test_a_game_that_is_not_there_is_refused(run: Run) -> None:
    ran = run("bench", "chess")
    assert (ran.code, "no game 'chess'" in ran.err) == (2, True)


def test_rated_matches_between_bots_in_c_are_measured(run: Run) -> None:
    if shutil.which("cc") is None:
        pytest.skip("there is no cc on this machine")
    ran = run("bench", "tournament", "enova", "--matches", 1, "--sandbox", "open", "--json")
    (line,) = [json.loads(line) for line in ran.out.splitlines()]
    assert (ran.code, line["game"], line["scenario"], line["turns"]) == (0, "enova", "tournament/open/idle", 200)
    figures = ("host_us_per_seat_turn", "cpu_ms_per_match", "matches_per_hour_by_cpu", "matches_per_hour")
    assert all(line[name] > 0 for name in figures)
