"""A server that is killed twenty times under load; reduced: tests/faults/test_crashes.py."""

from collections.abc import Iterator

import pytest

from tests.support.crashes import CHECKS, Aftermath, Check, crash_repeatedly

KILLS = 20


@pytest.fixture(scope="module")
def aftermath(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Aftermath]:
    with crash_repeatedly(tmp_path_factory.mktemp("crashes"), KILLS) as left:
        yield left


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_twenty_kills_lose_and_double_nothing(aftermath: Aftermath, check: Check) -> None:
    check(aftermath)
