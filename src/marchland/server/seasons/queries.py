"""Seasons in the database, their games and teams."""

import datetime
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from marchland.errors import Refused
from marchland.messages import MatchCreate, Member, SeasonCreate, SeasonGameCreate, Team
from marchland.store.ids import new_id
from marchland.store.schema import accounts, members, season_games, seasons, teams


class Season(NamedTuple):
    """A season, both days included."""

    id: str
    name: str
    start: datetime.date
    end: datetime.date

    def includes(self, day: datetime.date) -> bool:
        """Whether the day is one of the season's."""
        return self.start <= day <= self.end


class SeasonGame(NamedTuple):
    """A game of a season; ``teams_version`` is raised with every change of its teams."""

    id: str
    season: Season
    name: str
    template: MatchCreate
    match: str | None
    teams_version: int


class Sitting(NamedTuple):
    """A member of a team, as a match seats it."""

    account: str
    name: str
    team: int
    role: Any


def create(connection: Connection, wish: SeasonCreate) -> Season:
    """A new season; refused if it overlaps another, with the reason."""
    made = _checked(connection, Season(new_id(), wish.name, wish.start, wish.end))
    connection.execute(insert(seasons).values(_days(made)))
    return made


def change(connection: Connection, season: Season) -> None:
    """Keep what a season is to be from now on; refused if it overlaps another, with the reason."""
    connection.execute(update(seasons).where(seasons.c.id == season.id).values(_days(_checked(connection, season))))


def _checked(connection: Connection, wish: Season) -> Season:
    if wish.end < wish.start:
        raise Refused("bad_request", f"The season {wish.name!r} ends before it starts.")
    for other in listed(connection):
        if other.id == wish.id:
            continue
        if other.name == wish.name:
            raise Refused("name_taken", f"There is a season {wish.name!r} already.")
        if wish.start <= other.end and other.start <= wish.end:
            raise Refused("overlap", f"The season {wish.name!r} overlaps {other.name!r}, {other.start} to {other.end}.")
    return wish


def _days(season: Season) -> dict[str, str]:
    first, last = season.start.isoformat(), season.end.isoformat()
    return {"id": season.id, "name": season.name, "first": first, "last": last}


def listed(connection: Connection) -> list[Season]:
    """All seasons, the first first."""
    return [_season(row) for row in connection.execute(select(seasons).order_by(seasons.c.first))]


def find(connection: Connection, season: str) -> Season:
    """One season, by id or name; refused if there is none."""
    row = connection.execute(select(seasons).where((seasons.c.id == season) | (seasons.c.name == season))).first()
    if row is None:
        raise Refused("not_found", f"There is no season {season!r}.")
    return _season(row)


def remove(connection: Connection, season: Season) -> None:
    """Forget a season that has no games."""
    if games_of(connection, season.id):
        raise Refused("has_games", f"The season {season.name!r} has games; it stays.")
    connection.execute(delete(seasons).where(seasons.c.id == season.id))


def add_game(connection: Connection, season: Season, wish: SeasonGameCreate) -> SeasonGame:
    """A new game of a season, with its teams."""
    made = SeasonGame(new_id(), season, wish.name, wish.template, None, 0)
    try:
        with connection.begin_nested():
            connection.execute(
                insert(season_games).values(
                    id=made.id, season=season.id, name=wish.name, template=msgspec.json.encode(wish.template)
                )
            )
    except IntegrityError:
        raise Refused("name_taken", f"The season {season.name!r} has a game {wish.name!r} already.") from None
    set_teams(connection, made, wish.teams)
    return made


def games_of(connection: Connection, season: str | None = None) -> list[SeasonGame]:
    """The games of a season, or of all."""
    query = select(season_games, seasons).join(seasons, seasons.c.id == season_games.c.season)
    if season is not None:
        query = query.where(seasons.c.id == season)
    return [_game(row) for row in connection.execute(query.order_by(seasons.c.first, season_games.c.name))]


def game(connection: Connection, game: str) -> SeasonGame:
    """One game; refused if there is none."""
    found = next((one for one in games_of(connection) if one.id == game), None)
    if found is None:
        raise Refused("not_found", f"There is no season game {game!r}.")
    return found


def change_game(connection: Connection, game: SeasonGame) -> None:
    """Keep name and template of a game; refused if another of its season has the name."""
    values = {"name": game.name, "template": msgspec.json.encode(game.template)}
    try:
        with connection.begin_nested():
            connection.execute(update(season_games).where(season_games.c.id == game.id).values(**values))
    except IntegrityError:
        raise Refused("name_taken", f"The season {game.season.name!r} has a game {game.name!r} already.") from None


def remove_game(connection: Connection, game: SeasonGame) -> None:
    """Forget a game, its teams with it."""
    for table in (members, teams):
        connection.execute(delete(table).where(table.c.game == game.id))
    connection.execute(delete(season_games).where(season_games.c.id == game.id))


def put(connection: Connection, game: SeasonGame, match: str) -> bool:
    """Give a game its match; False if it has one already."""
    changed = connection.execute(
        update(season_games).where(season_games.c.id == game.id, season_games.c.match.is_(None)).values(match=match)
    )
    return changed.rowcount == 1


def set_teams(connection: Connection, game: SeasonGame, wished: Sequence[Team]) -> None:
    """Replace the teams of a game: one leader each, at most one vice-leader, nobody twice."""
    _check_teams(connection, wished)
    connection.execute(delete(members).where(members.c.game == game.id))
    connection.execute(delete(teams).where(teams.c.game == game.id))
    for number, team in enumerate(wished):
        connection.execute(insert(teams).values(game=game.id, number=number, name=team.name))
        connection.execute(
            insert(members),
            [{"game": game.id, "account": one.account, "team": number, "role": one.role} for one in team.members],
        )
    connection.execute(
        update(season_games).where(season_games.c.id == game.id).values(teams_version=season_games.c.teams_version + 1)
    )


def _check_teams(connection: Connection, wished: Sequence[Team]) -> None:
    if len({team.name for team in wished}) < len(wished):
        raise Refused("bad_request", "Two teams have the same name.")
    everybody = [one.account for team in wished for one in team.members]
    if len(set(everybody)) < len(everybody):
        raise Refused("bad_request", "An account can be in one team, once.")
    known = set(connection.execute(select(accounts.c.id).where(accounts.c.id.in_(everybody))).scalars())
    strange = next((one for one in everybody if one not in known), None)
    if strange is not None:
        raise Refused("bad_request", f"There is no account {strange!r}.")
    for team in wished:
        roles = [one.role for one in team.members]
        if roles.count("leader") != 1 or roles.count("vice") > 1:
            raise Refused("bad_request", f"The team {team.name!r} needs one leader and at most one vice-leader.")


def teams_of(connection: Connection, game: str) -> list[Team]:
    """The teams of a game."""
    named = connection.execute(select(teams.c.number, teams.c.name).where(teams.c.game == game)).all()
    sitting = sittings(connection, game)
    return [
        Team(name, [Member(one.account, one.role) for one in sitting if one.team == number])
        for number, name in sorted(named)
    ]


def sittings(connection: Connection, game: str) -> list[Sitting]:
    """Every member of every team, the leaders first, so that a match seats them in this order."""
    query = (
        select(members.c.account, accounts.c.name, members.c.team, members.c.role)
        .join(accounts, accounts.c.id == members.c.account)
        .where(members.c.game == game)
    )
    rank = {"leader": 0, "vice": 1, "trooper": 2}
    found = [Sitting(*row) for row in connection.execute(query)]
    return sorted(found, key=lambda one: (rank[one.role], one.team, one.name))


def _season(row: Row[Any]) -> Season:
    day = datetime.date.fromisoformat
    return Season(row.id, row.name, day(row.first), day(row.last))


def _game(row: Row[Any]) -> SeasonGame:
    day = datetime.date.fromisoformat
    values = row._mapping
    season = Season(
        values[seasons.c.id], values[seasons.c.name], day(values[seasons.c.first]), day(values[seasons.c.last])
    )
    return SeasonGame(
        values[season_games.c.id],
        season,
        values[season_games.c.name],
        msgspec.json.decode(values[season_games.c.template], type=MatchCreate),
        values[season_games.c.match],
        values[season_games.c.teams_version],
    )
