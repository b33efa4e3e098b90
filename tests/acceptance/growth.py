"""A database after 5,000 turns under retention; reduced: tests/server/retention/test_growth.py."""

from pathlib import Path

from tests.support.growth import check_growth


def test_after_three_cycles_5_000_turns_do_not_grow_the_database(tmp_path: Path) -> None:
    check_growth(tmp_path, turns=5_000)
