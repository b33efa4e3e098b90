"""Conformance checks as cases of a pytest function."""

from collections.abc import Sequence

import pytest

from marchland.conformance import Check
from tests.support.small_matches import TESTED


def with_every_game(checks: Sequence[Check]) -> pytest.MarkDecorator:
    """Parametrise a test by ``check`` and ``tested``: each check with each game."""
    cases = [
        pytest.param(check, tested, id=f"{check.__name__.removeprefix('check_')}-{name}")
        for check in checks
        for name, tested in TESTED.items()
    ]
    return pytest.mark.parametrize(("check", "tested"), cases)
