"""Seasons, their games and teams."""

import asyncio
import datetime
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection

from marchland.errors import Refused
from marchland.messages import MatchCreate, Member, SeasonCreate, SeatRequest, Team
from marchland.server.accounts import queries as account_queries
from marchland.server.seasons import queries as season_queries
from marchland.server.seasons.queries import SeasonGame
from marchland.store import Database

TEMPLATE = MatchCreate("boidvoid", [SeatRequest()])


def season(name: str, first: str, last: str) -> SeasonCreate:
    return SeasonCreate(name, datetime.date.fromisoformat(first), datetime.date.fromisoformat(last))


SPRING = season("spring", "2030-03-01", "2030-03-10")


def written(store: Database, work: Any) -> Any:
    return asyncio.run(store.write(work))


def game(connection: Connection, *teams: Team) -> SeasonGame:
    return season_queries.insert_game(
        connection, season_queries.insert_season(connection, SPRING), "g", TEMPLATE, list(teams)
    )


def people(connection: Connection) -> list[str]:
    return [account_queries.create(connection, name).id for name in ("ann", "bob", "eve")]


def test_a_season_that_overlaps_another_is_refused_with_the_reason(store: Database) -> None:
    written(store, partial(season_queries.insert_season, request=SPRING))
    with pytest.raises(Refused, match="overlaps 'spring', 2030-03-01 to 2030-03-10"):
        written(store, partial(season_queries.insert_season, request=season("next", "2030-03-10", "2030-04-01")))
    with pytest.raises(Refused, match="overlaps"):
        written(store, partial(season_queries.insert_season, request=season("long", "2030-01-01", "2030-12-31")))
    with pytest.raises(Refused, match="already"):
        written(store, partial(season_queries.insert_season, request=season("spring", "2031-03-01", "2031-03-02")))
    with pytest.raises(Refused, match="before it starts"):
        written(store, partial(season_queries.insert_season, request=season("odd", "2031-03-02", "2031-03-01")))
    made = written(store, partial(season_queries.insert_season, request=season("next", "2030-03-11", "2030-03-11")))
    assert [one.name for one in store.read_now(season_queries.list_seasons)] == ["spring", "next"]
    assert made.includes(datetime.date(2030, 3, 11)) and not made.includes(datetime.date(2030, 3, 12))


def test_a_season_with_games_stays(store: Database) -> None:
    made = written(store, game)
    with pytest.raises(Refused, match="has games"):
        written(store, lambda connection: season_queries.delete_season(connection, made.season))
    with pytest.raises(Refused, match="has a game 'g' already"):
        written(store, lambda c: season_queries.insert_game(c, made.season, "g", TEMPLATE))


def test_a_season_has_as_many_games_as_are_needed(store: Database) -> None:
    made = written(store, game)
    for number in range(9):
        name = f"game {number}"
        written(store, partial(season_queries.insert_game, season=made.season, name=name, template=TEMPLATE))
    assert len(store.read_now(lambda c: season_queries.list_games(c, made.season.id))) == 10


def test_a_game_gets_its_match_once(store: Database) -> None:
    made = written(store, game)
    assert written(store, lambda connection: season_queries.set_match(connection, made, "first")) is True
    assert written(store, lambda connection: season_queries.set_match(connection, made, "second")) is False
    assert store.read_now(partial(season_queries.find_game, game=made.id)).match == "first"


def test_teams_have_one_leader_and_at_most_one_vice_leader(store: Database) -> None:
    ann, bob, eve = written(store, people)
    made = written(store, game)

    def members(*roles: Any) -> list[Team]:
        return [Team("red", [Member(who, role) for who, role in zip((ann, bob, eve), roles, strict=False)])]

    for wrong in (("trooper",), ("leader", "leader"), ("leader", "vice", "vice")):
        with pytest.raises(Refused, match="one leader and at most one vice-leader"):
            written(store, partial(season_queries.set_teams, game=made, roster=members(*wrong)))
    assert store.read_now(partial(season_queries.teams_of, game=made.id)) == []
    right = members("leader", "vice", "trooper")
    written(store, partial(season_queries.set_teams, game=made, roster=right))
    assert store.read_now(partial(season_queries.teams_of, game=made.id)) == right
    found = store.read_now(partial(season_queries.members_of, game=made.id))
    assert [member.name for member in found] == [
        "ann",
        "bob",
        "eve",
    ]


def test_an_account_is_in_one_team_and_unknown_accounts_are_refused(store: Database) -> None:
    ann, bob, _ = written(store, people)
    made = written(store, game)
    twice = [Team("red", [Member(ann, "leader")]), Team("blue", [Member(bob, "leader"), Member(ann)])]
    with pytest.raises(Refused, match="one team, once"):
        written(store, partial(season_queries.set_teams, game=made, roster=twice))
    with pytest.raises(Refused, match="no account of the id or name 'unknown'"):
        written(
            store, partial(season_queries.set_teams, game=made, roster=[Team("red", [Member("unknown", "leader")])])
        )
    same = [Team("red", [Member(ann, "leader")]), Team("red", [Member(bob, "leader")])]
    with pytest.raises(Refused, match="same name"):
        written(store, partial(season_queries.set_teams, game=made, roster=same))


def test_every_change_of_the_teams_raises_their_version(store: Database) -> None:
    ann, bob, _ = written(store, people)
    made = written(store, partial(game))
    for leader in (ann, bob, ann):
        before = store.read_now(partial(season_queries.find_game, game=made.id)).teams_version
        written(store, partial(season_queries.set_teams, game=made, roster=[Team("red", [Member(leader, "leader")])]))
        assert store.read_now(partial(season_queries.find_game, game=made.id)).teams_version == before + 1
