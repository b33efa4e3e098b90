"""A server that plays without end has a database that does not grow; 5,000 turns: tests/acceptance/growth.py."""

from pathlib import Path

from tests.support.growth import check_growth


def test_after_three_cycles_more_turns_do_not_grow_the_database(tmp_path: Path) -> None:
    check_growth(tmp_path, turns=400)
