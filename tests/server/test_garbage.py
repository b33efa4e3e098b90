"""What a server has held for long is searched for garbage seldom, but it is."""

import gc
from collections.abc import Iterator

import pytest

from marchland.server.garbage import Searches


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    yield
    gc.unfreeze()


def test_what_survives_a_whole_search_is_left_alone() -> None:
    searches = Searches()
    gc.unfreeze()
    for generation in (0, 1):
        searches("stop", {"generation": generation})
        assert gc.get_freeze_count() == 0
    searches("stop", {"generation": 2})
    assert gc.get_freeze_count() > 1000
    searches("start", {"generation": 2})
    assert gc.get_freeze_count() > 1000


def test_after_ten_minutes_everything_is_searched_again() -> None:
    searches = Searches()
    searches("stop", {"generation": 2})
    searches._searched -= 601
    searches("start", {"generation": 2})
    assert gc.get_freeze_count() == 0
    searches("stop", {"generation": 2})
    searches("start", {"generation": 2})
    assert gc.get_freeze_count() > 1000
