"""``marchland bench``: the figures that other people's scripts rely on."""

import json

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
