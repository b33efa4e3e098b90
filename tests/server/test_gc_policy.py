"""What a server has held for long is searched for garbage seldom, but it is."""

import gc
from collections.abc import Iterator

import pytest

from marchland.server.gc_policy import GcFreezer


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    gc.unfreeze()
    yield
    gc.unfreeze()


def test_what_survives_a_whole_search_is_left_alone() -> None:
    searches = GcFreezer()
    for generation in (0, 1):
        gc.collect(generation)
        searches.tick()
        assert gc.get_freeze_count() == 0
    gc.collect()
    searches.tick()
    assert gc.get_freeze_count() > 1000


def test_after_ten_minutes_everything_is_searched_again() -> None:
    searches = GcFreezer()
    gc.collect()
    searches.tick()
    searches._thawed -= 601
    searches.tick()
    assert gc.get_freeze_count() == 0
    searches.tick()
    assert gc.get_freeze_count() == 0
    gc.collect()
    searches.tick()
    assert gc.get_freeze_count() > 1000
