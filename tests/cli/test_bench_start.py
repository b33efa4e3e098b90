"""``marchland bench start``: figures for scripts, a table for people."""

import json

from tests.cli.conftest import Run

QUICK = ("bench", "start", "--case", "help", "--case", "import", "--runs", 2)


def test_every_line_is_an_object_with_the_promised_figures(run: Run) -> None:
    ran = run(*QUICK, "--json")
    assert ran.code == 0
    lines = [json.loads(line) for line in ran.out.splitlines()]
    assert [(line["game"], line["scenario"], line["runs"]) for line in lines] == [
        ("start", "help", 2),
        ("start", "import", 2),
    ]
    for line in lines:
        assert 0 < line["wall_s_median"] <= line["wall_s_worst"]
        assert 0 < line["cpu_s_median"] <= line["cpu_s_worst"]


def test_people_get_a_table(run: Run) -> None:
    ran = run(*QUICK)
    assert ran.code == 0
    heading, *rows = [line.split() for line in ran.out.splitlines()]
    assert heading == ["case", "runs", "wall", "s", "worst", "CPU", "s", "worst"]
    assert [row[:2] for row in rows] == [["help", "2"], ["import", "2"]]


def test_an_unknown_case_is_refused(run: Run) -> None:
    ran = run("bench", "start", "--case", "halp")
    assert (ran.code, "did you mean 'help'?" in ran.err) == (2, True)


def test_cases_and_runs_of_anything_else_are_refused(run: Run) -> None:
    ran = run("bench", "colorfight", "--runs", 2)
    assert (ran.code, "No such option '--runs'" in ran.err) == (2, True)
