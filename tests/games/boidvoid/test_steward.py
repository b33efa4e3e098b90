"""A season from its first day to after its last, in simulated time, driven by nothing but its jobs."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta

import msgspec

import marchland
from marchland.games.boidvoid.game import BoidVoid
from marchland.games.boidvoid.ledger import Book, MemoryLedger, Nft
from marchland.games.boidvoid.season import Books, Job, RunningGame, Season, with_game, with_season
from marchland.games.boidvoid.steward import Steward
from tests.games.boidvoid.arena import position, unit

HALL = Nft(id=2**40, owner="p0", kind="superstructure", template=9, modifiers={"health": 30, "build_rate": 1})
SPRING = Season("spring", date(2030, 3, 1), date(2030, 3, 4))
FIRST = datetime(2030, 3, 1, tzinfo=UTC)
TURN = 6 * 3600


def steward() -> Steward:
    books = with_season(Books(date(2030, 2, 27)), SPRING)
    books = with_game(books, RunningGame("g", "spring", turn_length=TURN))
    ledger = MemoryLedger(Book([HALL], {"p0": 70}))
    return Steward(books, {"g": position([{"id": 0, "at": [1, 0]}], config={"rules": "season"})}, ledger)


def restarted(host: Steward, games: dict[str, bytes] | None = None) -> Steward:
    """What a new process makes of what was stored; of the games as they are, or as they were stored."""
    kept = games or {name: game.snapshot() for name, game in host.games.items()}
    found: dict[str, BoidVoid] = {name: marchland.restore(data) for name, data in kept.items()}  # type: ignore[misc]
    return Steward(msgspec.json.decode(msgspec.json.encode(host.books), type=Books), found, host.ledger)


def played(hours: range, host: Steward) -> list[Job]:
    """Triggered every hour."""
    return [job for hour in hours for job in host.tick(FIRST + timedelta(hours=hour))]


def test_a_season_runs_from_its_first_day_to_its_last() -> None:
    host = steward()
    jobs = played(range(-24, 24 * 5), host)
    counted = Counter(job.name for job in jobs)
    assert counted == {
        "season_start": 1,
        "daily_maintenance": 4,
        "turn_start": 16,
        "turn_end": 15,  # the sixteenth would end with the season
        "season_end": 1,
    }
    assert host.games["g"].turn == 16
    outcome = host.games["g"].outcome
    assert outcome is not None and outcome.reason == "The season is over."
    assert played(range(24 * 5, 24 * 6), host) == []


def test_daily_maintenance_tells_stakes_and_nfts_of_the_ledger() -> None:
    host = steward()
    host.tick(FIRST)
    game = host.games["g"]
    assert game.view()["players"][0]["stake"] == 70
    assert unit(game, 0)["battery"] == 7000
    assert [nft["id"] for nft in game.view(0)["nfts"]] == [HALL.id]
    assert isinstance(host.ledger, MemoryLedger)
    host.ledger.book.nfts = [msgspec.structs.replace(HALL, owner="p1")]
    host.tick(FIRST + timedelta(days=1))
    assert [nft["id"] for nft in game.view(1)["nfts"]] == [HALL.id]
    host.ledger.book.nfts = []
    host.tick(FIRST + timedelta(days=2))
    assert game.view(1)["nfts"] == []


def test_the_lock_comes_before_the_turn_end_and_goes_with_it() -> None:
    host = steward()
    host.tick(FIRST)
    host.tick(FIRST + timedelta(seconds=TURN * 0.96))
    assert host.games["g"].view()["locked"]
    host.tick(FIRST + timedelta(seconds=TURN))
    assert not host.games["g"].view()["locked"]


def test_after_downtime_days_are_caught_up_and_one_turn_ends() -> None:
    host = steward()
    played(range(8), host)
    turn = host.games["g"].turn
    host = restarted(host)
    back = FIRST + timedelta(hours=57)
    jobs = host.tick(back)
    assert [(job.name, job.when) for job in jobs] == [
        ("daily_maintenance", "2030-03-02"),
        ("daily_maintenance", "2030-03-03"),
        ("turn_end", str(turn)),
        ("turn_start", str(turn + 1)),
    ]
    assert host.books.game("g").turn_began == back
    assert host.tick(back) == []


def test_a_host_that_dies_before_its_books_are_stored_ends_no_turn_twice() -> None:
    host = steward()
    played(range(6), host)
    stored = host.books
    six = FIRST + timedelta(hours=6)
    host.tick(six)
    digest, turn = host.games["g"].digest(), host.games["g"].turn
    host.books = stored  # the games were stored, the books were not
    again = restarted(host)
    again.tick(six)
    assert (again.games["g"].turn, again.books.game("g").turn) == (turn, turn)
    assert again.books.game("g") == restarted(again).books.game("g")
    again.tick(six)
    twin = restarted(host, {"g": again.games["g"].snapshot()})
    assert twin.games["g"].digest() == again.games["g"].digest() == digest


def test_the_same_hours_with_and_without_restarts_are_the_same_season() -> None:
    straight, stumbling = steward(), steward()
    played(range(20), straight)
    for hour in range(20):
        stumbling.tick(FIRST + timedelta(hours=hour))
        stumbling = restarted(stumbling)
        stumbling.tick(FIRST + timedelta(hours=hour))
    assert stumbling.books == straight.books
    assert stumbling.games["g"].digest() == straight.games["g"].digest()


def test_an_admin_runs_a_job_by_hand() -> None:
    host = steward()
    host.tick(FIRST)
    host.run(Job("turn_end", "g", "1"), FIRST + timedelta(hours=1), {"g": {0: [{"do": "battery", "attack": 70}]}})
    host.run(Job("turn_end", "g", "1"), FIRST + timedelta(hours=1))
    assert (host.games["g"].turn, host.books.game("g").turn) == (2, 2)
    assert unit(host.games["g"], 0)["ratio"] == 70
    assert "70 %" in host.logs["g"].of_player(0)[-1].text
