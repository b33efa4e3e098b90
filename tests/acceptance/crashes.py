"""A server that is killed twenty times under load; reduced: tests/faults/test_crashes.py."""

import pytest

from tests.faults.test_crashes import *  # noqa: F403


@pytest.fixture(scope="module")  # type: ignore[no-redef]
def kills() -> int:
    return 20
