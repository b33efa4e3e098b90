"""Every hostile bot in a jail, beside matches of honest bots: 28 bots, as two users; about three minutes."""

import statistics

import pytest

from tests.support import hostile_bots
from tests.support.jails import USERS, Honest, needs_jail, play_honest, read_reports, skip_without_jail, start_attacks

pytestmark = needs_jail

MATCHES = 5
SLOWER = 1.5


@pytest.mark.parametrize("user", USERS)
def test_hostile_bots_have_no_effect_on_the_machine_or_on_a_match_beside(user: str) -> None:
    skip_without_jail(user)
    play_honest()
    alone = [play_honest() for _ in range(MATCHES)]
    attacks = start_attacks(list(hostile_bots.ATTACKS), user)
    beside: list[Honest] = []
    while attacks.poll() is None or len(beside) < MATCHES:
        beside.append(play_honest())
    reports = read_reports(attacks)
    cpu_alone, cpu_beside = (statistics.median(match.cpu for match in played) for played in (alone, beside))
    wall_alone, wall_beside = (statistics.median(match.wall for match in played) for played in (alone, beside))
    for report in reports:
        print(f"{report['name']:40} {report['memory'] >> 20:5} MB  {report['failure'][:80] or 'played'}")
    print(f"{user}: a match takes {cpu_alone:.2f} s of CPU alone and {cpu_beside:.2f} s beside them,")
    print(f"by the clock {wall_alone:.2f} s and {wall_beside:.2f} s")
    assert [report["name"] for report in reports] == list(hostile_bots.ATTACKS)
    assert {report["name"]: report["effects"] for report in reports if report["effects"]} == {}
    assert {match.digest for match in beside} == {alone[0].digest}
    assert cpu_beside <= SLOWER * cpu_alone
