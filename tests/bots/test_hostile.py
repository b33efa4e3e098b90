"""Hostile bots in jails have no effect on anything outside, and not on a match beside them."""

import pytest

from tests.support import hostile_bots
from tests.support.jails import USERS, needs_jail, play_honest, read_reports, skip_without_jail, start_attacks

pytestmark = needs_jail

SEED = 20
CHOSEN = hostile_bots.choose(5, SEED)
"""All of them play in ``make acceptance``."""


def test_there_are_at_least_25_of_them() -> None:
    assert len(hostile_bots.ATTACKS) >= 25


def test_in_the_open_their_effects_are_found() -> None:
    reports = read_reports(start_attacks([hostile_bots.OPEN_LEVEL, *hostile_bots.HARMLESS], USERS[0]))
    assert [report["name"] for report in reports] == list(hostile_bots.HARMLESS)
    assert all(report["effects"] for report in reports), reports


@pytest.mark.parametrize("user", USERS)
def test_in_a_jail_they_have_none(user: str) -> None:
    skip_without_jail(user)
    alone = play_honest(10)
    attacks = start_attacks(CHOSEN, user)
    beside = play_honest(10)
    reports = read_reports(attacks)
    assert {report["name"]: report["effects"] for report in reports} == {name: [] for name in CHOSEN}
    assert beside.digest == alone.digest
