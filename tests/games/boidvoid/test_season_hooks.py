"""BoidVoid's season hooks, as a server calls them."""

from datetime import UTC, date, datetime, timedelta

import pytest

import marchland
from marchland.core.orders import HOST_PLAYER
from marchland.core.season_hooks import Item, ItemUse, LedgerState, SeasonState, SeatedMember
from marchland.errors import MarchlandError
from marchland.games.boidvoid.season.hooks import SEASON_HOOKS

BEGAN = datetime(2026, 5, 4, 12, tzinfo=UTC)
SEASON = SeasonState(
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
    return [job.name for job in SEASON_HOOKS.due_jobs(SEASON, settled, now)]


def test_in_the_middle_of_a_turn_only_the_day_and_the_turn_begin() -> None:
    assert names(BEGAN + timedelta(minutes=30)) == ["season_start", "daily_maintenance", "turn_start"]


def test_in_the_last_part_of_a_turn_it_is_locked() -> None:
    assert names(BEGAN + timedelta(minutes=58))[-1] == "turn_lock"


def test_a_turn_that_has_had_its_length_ends_and_says_so() -> None:
    jobs = SEASON_HOOKS.due_jobs(SEASON, frozenset(), BEGAN + timedelta(hours=1))
    assert [job.name for job in jobs if job.ends_turn] == ["turn_end"]


def test_what_is_settled_is_not_due_again() -> None:
    now = BEGAN + timedelta(minutes=30)
    settled = frozenset(job.key for job in SEASON_HOOKS.due_jobs(SEASON, frozenset(), now))
    assert names(now, settled) == []


def test_daily_maintenance_gives_stakes_and_new_nfts_and_the_game_accepts_them() -> None:
    game = marchland.new("boidvoid", ["ada", "bob"], seed=1)
    ship = Item(2_000_000, 1, "spaceship", 7, 1, {"modifiers": {"attack": 2}})
    orders = SEASON_HOOKS.job_orders("daily_maintenance", SEASON, game, LedgerState([ship], {0: 500}), BEGAN)
    assert {"do": "stake", "player": 0, "amount": 500} in orders
    assert {"do": "nft", "nft": 2_000_000, "player": 1, "kind": "spaceship"} in orders
    assert all(game.act(HOST_PLAYER, order).results[HOST_PLAYER][0].ok for order in orders)
    again = SEASON_HOOKS.job_orders("daily_maintenance", SEASON, game, LedgerState([ship], {}), BEGAN)
    assert again == []


def test_leaders_are_seated_after_members_who_give_their_rank_up() -> None:
    orders = SEASON_HOOKS.team_orders(
        [SeatedMember(0, 0, "leader"), SeatedMember(1, 0, "trooper"), SeatedMember(2, 1, "vice")]
    )
    assert [order["rank"] for order in orders] == ["trooper", "vice", "leader"]


@pytest.mark.parametrize(
    ("order", "use"),
    [
        ({"do": "build", "at": [1, 1], "nft": 2_000_000}, ItemUse(2_000_000, burned=True)),
        ({"do": "boost", "ship": 1, "nft": 2_000_000, "mode": "stake"}, ItemUse(2_000_000, burned=False)),
        ({"do": "build", "at": [1, 1], "nft": 5}, None),
        ({"do": "build", "nft": "2000000"}, None),
        ("rubbish", None),
    ],
)
def test_an_action_uses_the_nft_that_it_names_unless_no_ledger_has_it(order: object, use: ItemUse | None) -> None:
    assert SEASON_HOOKS.item_used_by(order) == use


def test_an_nft_with_a_modifier_that_its_kind_lacks_is_refused() -> None:
    with pytest.raises(MarchlandError, match="build_rate"):
        SEASON_HOOKS.check_item("spaceship", {"modifiers": {"build_rate": 1}})
    SEASON_HOOKS.check_item("spaceship", {"modifiers": {"attack": 1}})


def test_an_nft_that_is_not_in_use_is_released() -> None:
    game = marchland.new("boidvoid", ["ada", "bob"], seed=1)
    game.act(HOST_PLAYER, {"do": "nft", "nft": 2_000_000, "player": 0, "kind": "boost"})
    assert SEASON_HOOKS.released_items(game, {2_000_000, 3_000_000}) == {2_000_000}


def test_the_host_gives_the_minute_of_the_day_before_a_turn_ends() -> None:
    game = marchland.new("boidvoid", ["ada", "bob"], seed=1)
    assert game.host_orders_at("end", BEGAN) == [{"do": "clock", "minute": 720}]
    assert game.host_orders_at("lock", BEGAN) == [{"do": "lock"}]
    assert game.lock_percent == 5


@pytest.mark.parametrize(("name", "ends_turn"), [("turn_end", True), ("turn_lock", False), ("season_end", False)])
def test_a_manual_job_knows_whether_it_ends_the_turn(name: str, ends_turn: bool) -> None:
    assert SEASON_HOOKS.job(name, "key") == (name, "key", ends_turn)


def test_every_manual_job_is_described() -> None:
    assert set(SEASON_HOOKS.manual_jobs) <= set(SEASON_HOOKS.job_descriptions)
