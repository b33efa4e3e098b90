"""What BoidVoid asks of whoever hosts its seasons."""

from datetime import UTC, date, datetime, timedelta

import pytest

import marchland
from marchland.core.hosting import Belongings, Course, Item, Seated, Use
from marchland.core.orders import HOST
from marchland.errors import MarchlandError
from marchland.games.boidvoid.hosting import HOSTING

BEGAN = datetime(2026, 5, 4, 12, tzinfo=UTC)
COURSE = Course(
    match="m",
    season="spring",
    start=date(2026, 5, 1),
    end=date(2026, 5, 31),
    since=date(2026, 5, 4),
    turn=3,
    turn_began=BEGAN,
    turn_length=3600,
    config={"lock": 5},
)


def names(now: datetime, settled: frozenset[str] = frozenset()) -> list[str]:
    return [job.name for job in HOSTING.due(COURSE, settled, now)]


def test_in_the_middle_of_a_turn_only_the_day_and_the_turn_begin() -> None:
    assert names(BEGAN + timedelta(minutes=30)) == ["season_start", "daily_maintenance", "turn_start"]


def test_in_the_last_part_of_a_turn_it_is_locked() -> None:
    assert names(BEGAN + timedelta(minutes=58))[-1] == "turn_lock"


def test_a_turn_that_has_had_its_length_ends_and_says_so() -> None:
    jobs = HOSTING.due(COURSE, frozenset(), BEGAN + timedelta(hours=1))
    assert [job.name for job in jobs if job.ends_turn] == ["turn_end"]


def test_what_is_settled_is_not_due_again() -> None:
    now = BEGAN + timedelta(minutes=30)
    settled = frozenset(job.key for job in HOSTING.due(COURSE, frozenset(), now))
    assert names(now, settled) == []


def test_daily_maintenance_tells_stakes_and_new_nfts_and_the_game_takes_them() -> None:
    game = marchland.new("boidvoid", ["ada", "bob"], seed=1)
    ship = Item(2_000_000, 1, "spaceship", 7, 1, {"modifiers": {"attack": 2}})
    told = HOSTING.orders("daily_maintenance", COURSE, game, Belongings([ship], {0: 500}), BEGAN)
    assert {"do": "stake", "player": 0, "amount": 500} in told
    assert {"do": "nft", "nft": 2_000_000, "player": 1, "kind": "spaceship"} in told
    assert all(game.act(HOST, order).results[HOST][0].ok for order in told)
    again = HOSTING.orders("daily_maintenance", COURSE, game, Belongings([ship], {}), BEGAN)
    assert again == []


def test_leaders_are_seated_after_those_who_give_their_rank_up() -> None:
    told = HOSTING.seating([Seated(0, 0, "leader"), Seated(1, 0, "trooper"), Seated(2, 1, "vice")])
    assert [order["rank"] for order in told] == ["trooper", "vice", "leader"]


@pytest.mark.parametrize(
    ("order", "use"),
    [
        ({"do": "build", "at": [1, 1], "nft": 2_000_000}, Use(2_000_000, burned=True)),
        ({"do": "boost", "ship": 1, "nft": 2_000_000, "mode": "stake"}, Use(2_000_000, burned=False)),
        ({"do": "build", "at": [1, 1], "nft": 5}, None),
        ({"do": "build", "nft": "2000000"}, None),
        ("rubbish", None),
    ],
)
def test_an_action_uses_the_nft_that_it_names_unless_it_is_the_houses(order: object, use: Use | None) -> None:
    assert HOSTING.use_of(order) == use


def test_an_nft_with_a_modifier_that_its_kind_lacks_is_refused() -> None:
    with pytest.raises(MarchlandError, match="build_rate"):
        HOSTING.check_item("spaceship", {"modifiers": {"build_rate": 1}})
    HOSTING.check_item("spaceship", {"modifiers": {"attack": 1}})


def test_an_nft_that_nobody_uses_is_free() -> None:
    game = marchland.new("boidvoid", ["ada", "bob"], seed=1)
    game.act(HOST, {"do": "nft", "nft": 2_000_000, "player": 0, "kind": "boost"})
    assert HOSTING.freed(game, {2_000_000, 3_000_000}) == {2_000_000}


def test_a_host_tells_the_minute_of_the_day_before_a_turn_ends() -> None:
    game = marchland.new("boidvoid", ["ada", "bob"], seed=1)
    assert game.told("end", BEGAN) == [{"do": "clock", "minute": 720}]
    assert game.told("lock", BEGAN) == [{"do": "lock"}]
    assert game.lock_percent == 5
