"""The toy game, registered for one test."""

from collections.abc import Iterator

import pytest

from marchland import registry
from marchland.conformance import GameUnderTest
from tests.support.distributions import SUPPORT

TOY = GameUnderTest("toy", config={"max_turn": 60}, large_config={"side": 40})


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[GameUnderTest]:
    monkeypatch.syspath_prepend(SUPPORT)
    registry.register("toy", "toy_game:Toy")
    yield TOY
    registry.unregister("toy")
