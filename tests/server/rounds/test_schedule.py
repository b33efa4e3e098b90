"""What is due when, and what it is points_for: no server, no clock."""

import datetime

from marchland.messages import AtTimes, Every, MatchCreate, RoundCreate, Scoring, SeatRequest, WhenReady
from marchland.server.rounds.queries import Entrant, RoundRun, SeatResult
from marchland.server.rounds.schedule import free_places, next_run
from marchland.server.rounds.service import plan_seats
from marchland.server.rounds.standings import compute_standings, points_for
from marchland.server.seasons.matches import turn_times

TEMPLATE = MatchCreate("colorfight", [SeatRequest("builtin", "greedy"), SeatRequest("open")])
NOON = datetime.datetime(2030, 3, 5, 12, tzinfo=datetime.UTC)


def figures(place: int, account: str | None = "a", *, run: int = 0, **values: int) -> SeatResult:
    return SeatResult(run, account, account or "bot", place, values)


def test_points_fall_by_one_for_each_further_place_down_to_one_for_any_result() -> None:
    scoring = Scoring(points=(170, 114, 86, 69, 58, 50, 44, 43, 42), earned_by="calories")
    assert [points_for(scoring, figures(place)) for place in range(1, 10)] == [170, 114, 86, 69, 58, 50, 44, 43, 42]
    assert points_for(scoring, figures(10, calories=5)) == 41
    assert points_for(scoring, figures(50, calories=5)) == 1
    assert points_for(scoring, figures(51, calories=5)) == 1
    assert points_for(scoring, figures(99)) == 0


def test_a_figure_can_be_added_up_instead_of_points() -> None:
    assert points_for(Scoring(figure="gold"), figures(7, gold=12)) == 12


def test_equal_points_are_ordered_by_the_fewest_losses_and_else_share_a_place() -> None:
    scoring = Scoring(points=(10, 5), ties=("lost",))
    results = [
        figures(1, "ann", lost=3),
        figures(2, "bob", lost=9),
        figures(1, "bob", run=1, lost=0),
        figures(2, "ann", run=1, lost=4),
        figures(1, "eve", run=2, lost=4),
        figures(2, "dan", run=2, lost=3),
        figures(2, "dan", run=3, lost=1),
    ]
    found = compute_standings((scoring, one) for one in results)
    assert [(one.name, one.place, one.points) for one in found] == [
        ("ann", 1, 15),
        ("bob", 2, 15),
        ("dan", 3, 10),
        ("eve", 3, 10),
    ]
    assert (found[0].played, found[0].figures) == (2, {"lost": 7})


def test_the_next_playing_comes_after_the_break_and_a_whole_lobby() -> None:
    body = RoundCreate("cup", TEMPLATE, 1000.0, runs=3, lobby=300, pause=60)
    run = RoundRun("r", 0, 1000.0, "over", "m")
    assert next_run(body, run, 1600.0, 1601.0) == RoundRun("r", 1, 1960.0, "lobby", None)
    assert next_run(body, run._replace(number=2), 1600.0, 1601.0) is None


def test_after_an_empty_lobby_the_next_one_opens_at_once() -> None:
    body = RoundCreate("cup", TEMPLATE, 1000.0, runs=0, lobby=300, pause=60)
    assert next_run(body, RoundRun("r", 0, 1000.0, "empty", None), 1000.0, 1001.0) == RoundRun(
        "r", 1, 1301.0, "lobby", None
    )


def test_a_schedule_is_followed_and_missed_runs_are_not_made_up_for() -> None:
    body = RoundCreate("cup", TEMPLATE, 1000.0, runs=0, every=1000.0, lobby=300)
    run = RoundRun("r", 0, 1000.0, "over", "m")
    on_time = next_run(body, run, 1600.0, 1601.0)
    assert on_time is not None and (on_time.number, on_time.starts) == (1, 2000.0)
    late = next_run(body, run, 9_500.0, 9_501.0)
    assert late is not None and (late.number, late.starts) == (1, 10_000.0)


def test_after_downtime_nothing_starts_before_half_a_lobby() -> None:
    body = RoundCreate("cup", TEMPLATE, 1000.0, runs=0, every=1000.0, lobby=300)
    for now, starts in ((9_800.0, 10_000.0), (9_900.0, 11_000.0)):
        found = next_run(body, RoundRun("r", 0, 1000.0, "over", "m"), 1600.0, now)
        assert found is not None and found.starts == starts


def test_all_registered_players_have_seats_beside_the_organisers_bots() -> None:
    body = RoundCreate("cup", TEMPLATE, 1000.0)
    places = plan_seats(body, RoundRun("r", 4, 1000.0, "lobby", None), [Entrant("a1", "ann"), Entrant("b1", "bob")])
    assert [(seat.kind, seat.name, seat.account, seat.bot) for seat in places.seats] == [
        ("builtin", "", None, "greedy"),
        ("bot", "ann", "a1", ""),
        ("bot", "bob", "b1", ""),
    ]
    assert len(places.request.seats) == 3 and places.request.name == "cup 5" and not places.request.auto_start
    assert free_places(body, 2) == free_places(body, 0) - 2


def test_a_turn_ends_when_it_was_to_end_whatever_happened_meanwhile() -> None:
    noon = NOON.timestamp()
    assert turn_times(Every(3600.0), noon, noon - 9999) == (NOON - datetime.timedelta(hours=1), 3600.0)
    assert turn_times(Every(3600.0), None, noon) == (NOON, 3600.0)
    assert turn_times(WhenReady(), None, noon) == (None, 0.0)


def test_a_turn_between_two_times_of_the_day_began_at_the_first() -> None:
    day = NOON.timestamp() - 86_400 * 7
    assert turn_times(AtTimes(["06:00", "12:00"]), NOON.timestamp(), day) == (NOON.replace(hour=6), 6 * 3600.0)
    assert turn_times(AtTimes(["12:00"]), NOON.timestamp(), day)[1] == 86_400.0
    assert turn_times(AtTimes(["12:00"]), None, NOON.timestamp() - 600) == (
        NOON - datetime.timedelta(minutes=10),
        600.0,
    )


def test_runs_use_the_maps_in_turn_and_only_the_first_has_the_templates_seed() -> None:
    template = MatchCreate("datspulse", [SeatRequest("builtin", "greedy")], seed=4)
    request = RoundCreate("cup", template, 1.0, maps=("lattice", "jitter"))
    plans = [plan_seats(request, RoundRun("id", number, 1.0, "lobby", None), []).request for number in range(3)]
    assert [(plan.map, plan.seed) for plan in plans] == [("lattice", 4), ("jitter", None), ("lattice", None)]
