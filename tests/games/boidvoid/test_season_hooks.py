"""BoidVoid's season hooks, as a server calls them."""

from datetime import UTC, date, datetime, timedelta

import pytest

import marchland
from marchland.core.orders import HOST_PLAYER
from marchland.core.season_hooks import Item, ItemUse, LedgerState, SeasonState, SeatedMember
from marchland.errors import MarchlandError
from marchland.games.boidvoid.season.hooks import SEASON_HOOKS
from tests.games.boidvoid.builders import ME, position, unit

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
    game = position([ME], players=4)  # 0 and 1 lead their teams, 2 and 3 are vice-leaders
    assert SEASON_HOOKS.team_orders(game, [])[0] == {"do": "retire", "player": 0}
    members = [SeatedMember(0, 0, "trooper"), SeatedMember(1, 1, "vice"), SeatedMember(2, 0, "leader")]
    orders = SEASON_HOOKS.team_orders(game, members)
    assert [(order["player"], order["rank"]) for order in orders] == [
        (0, "trooper"),
        (3, "trooper"),
        (1, "vice"),
        (2, "leader"),
    ]
    assert len(game.act_as_host(orders).results[HOST_PLAYER]) == 4
    assert SEASON_HOOKS.team_orders(game, members) == []


def test_a_member_on_the_map_changes_teams_once_the_ship_is_destroyed() -> None:
    game = position([ME], players=4)
    moved = [SeatedMember(0, 1, "trooper")]
    assert 0 not in [order["player"] for order in SEASON_HOOKS.team_orders(game, moved)]
    assert SEASON_HOOKS.misplaced_seats(game, moved) == {0: "stays in the former team until the ship is destroyed"}
    game.act(0, {"do": "detonate", "unit": 0})
    game.act_as_host(SEASON_HOOKS.team_orders(game, moved))
    assert SEASON_HOOKS.misplaced_seats(game, moved) == {}
    assert game.view()["players"][0]["team"] == 1


def test_who_has_just_been_seated_gets_stake_and_a_full_battery() -> None:
    game = position([ME], players=4, config={"start_stake": 0})
    game.act_as_host(SEASON_HOOKS.newcomer_orders(game, {2}, LedgerState([], {2: 70, 3: 80})))
    assert [unit(game, seat)["battery"] for seat in (2, 3)] == [7000, 0]


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


def test_a_manual_job_of_a_turn_has_the_key_of_that_turn_and_maintenance_may_be_repeated() -> None:
    jobs = {name: SEASON_HOOKS.manual_job(name, SEASON, BEGAN) for name in SEASON_HOOKS.manual_jobs}
    assert jobs["turn_end"] == ("turn_end", "turn_end/m/3", True)
    assert jobs["season_start"] == ("season_start", "season_start/spring/2026-05-01", False)
    later = SEASON_HOOKS.manual_job("daily_maintenance", SEASON, BEGAN + timedelta(seconds=1))
    assert later.key != jobs["daily_maintenance"].key


def test_turns_that_the_matchs_clock_ended_are_listed_once() -> None:
    jobs = SEASON_HOOKS.ended_turn_jobs(SEASON, frozenset({"turn_end/m/1"}))
    assert [job.key for job in jobs] == ["turn_end/m/2"]


def test_the_start_of_a_season_gives_stakes_with_full_batteries() -> None:
    game = position([], players=2, config={"start_stake": 0})
    orders = SEASON_HOOKS.job_orders("season_start", SEASON, game, LedgerState([], {0: 300, 1: 0}), BEGAN)
    game.act_as_host(orders)
    assert [unit(game, seat)["battery"] for seat in (0, 1)] == [30000, 0]


def test_the_modifiers_of_a_template_add_to_those_of_its_schema_and_its_sprite_replaces() -> None:
    schema = {"modifiers": {"attack": 2, "range": 1}, "sprite": "hull.png", "burnable": False}
    template = {"modifiers": {"attack": 3, "health": 5}, "sprite": "raider.png"}
    assert SEASON_HOOKS.merge_facts(schema, template) == {
        "modifiers": {"attack": 5, "range": 1, "health": 5},
        "sprite": "raider.png",
        "burnable": False,
    }


def test_an_nft_of_which_a_job_gave_only_a_part_is_completed() -> None:
    game = position([ME], players=2)
    item = Item(2_000_000, 0, "boost", 7, 1, {"modifiers": {"attack": 2}, "turns": 3, "burnable": False})
    orders = SEASON_HOOKS.item_orders(game, item)
    game.act_as_host(orders[:2])
    game.act_as_host(SEASON_HOOKS.item_orders(game, item))
    (nft,) = game.view(0)["nfts"]
    assert nft == {"id": 2_000_000, "kind": "boost", "player": 0, "template": 7, "turns": 3, "burnable": False} | {
        "traits": {"attack": 2}
    }
    assert SEASON_HOOKS.item_orders(game, item) == []


def test_a_modifier_among_the_facts_is_refused_with_its_place() -> None:
    with pytest.raises(MarchlandError, match="'health' is a modifier"):
        SEASON_HOOKS.check_item("spaceship", {"health": 1})


def test_every_manual_job_is_described() -> None:
    assert set(SEASON_HOOKS.manual_jobs) <= set(SEASON_HOOKS.job_descriptions)
