"""Kernels of these tests are cached in a folder of their own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from marchland.kernels import cache


@pytest.fixture(autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("MARCHLAND_CACHE", str(folder))
    cache.cache_root.cache_clear()
    cache.prune_once.cache_clear()
    yield folder
    cache.cache_root.cache_clear()
