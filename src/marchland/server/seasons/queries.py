"""SQL of seasons, their games and teams."""

import datetime
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from marchland.errors import Refused
from marchland.messages import MatchCreate, Member, SeasonCreate, Team
from marchland.messages.names import skeleton
from marchland.server.names import check_distinct
from marchland.store.batches import batches
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
    notes: tuple[str, ...] = ()
    """What the running match could not take over of the teams."""


class TeamMember(NamedTuple):
    """A member of a team with the facts that a match needs to seat it."""

    account: str
    name: str
    team: int
    role: Any


def insert_season(connection: Connection, request: SeasonCreate) -> Season:
    """A new season; refused if it overlaps another."""
    season = Season(new_id(), request.name, request.start, request.end)
    _check_season(connection, season)
    connection.execute(insert(seasons).values(_columns(season)))
    return season


def update_season(connection: Connection, season: Season) -> None:
    """Store a changed season; refused if it overlaps another."""
    _check_season(connection, season)
    connection.execute(update(seasons).where(seasons.c.id == season.id).values(_columns(season)))


def _check_season(connection: Connection, season: Season) -> None:
    if season.end < season.start:
        raise Refused("bad_request", "season_ends_early", season=season.name)
    for other in list_seasons(connection):
        if other.id == season.id:
            continue
        check_distinct(season.name, [other.name], "season")
        if season.start <= other.end and other.start <= season.end:
            days = {"start": str(other.start), "end": str(other.end)}
            raise Refused("overlap", "seasons_overlap", season=season.name, other=other.name, **days)


def _columns(season: Season) -> dict[str, str]:
    first, last = season.start.isoformat(), season.end.isoformat()
    return {"id": season.id, "name": season.name, "first": first, "last": last}


def list_seasons(connection: Connection) -> list[Season]:
    """All seasons, by start."""
    return [_season(row) for row in connection.execute(select(seasons).order_by(seasons.c.first))]


def find_season(connection: Connection, season: str) -> Season:
    """One season, by id or name; refused if there is none."""
    row = connection.execute(select(seasons).where((seasons.c.id == season) | (seasons.c.name == season))).first()
    if row is None:
        raise Refused("not_found", "no_such_season", season=season)
    return _season(row)


def delete_season(connection: Connection, season: Season) -> None:
    """Delete a season that has no games."""
    if list_games(connection, season.id):
        raise Refused("has_games", "season_has_games", season=season.name)
    connection.execute(delete(seasons).where(seasons.c.id == season.id))


def insert_game(
    connection: Connection, season: Season, name: str, template: MatchCreate, roster: Sequence[Team] = ()
) -> SeasonGame:
    """A new game of a season, with its teams."""
    game = SeasonGame(new_id(), season, name, template, None, 0)
    _check_game_name(connection, game)
    try:
        with connection.begin_nested():
            connection.execute(
                insert(season_games).values(
                    id=game.id, season=season.id, name=name, template=msgspec.json.encode(template)
                )
            )
    except IntegrityError:
        raise Refused("name_taken", "season_game_name_taken", season=season.name, game=name) from None
    set_teams(connection, game, roster)
    return game


def _check_game_name(connection: Connection, game: SeasonGame) -> None:
    others = (other for other in list_games(connection, game.season.id) if other.id != game.id)
    check_distinct(
        game.name,
        (other.name for other in others if other.name != game.name),
        f"game of the season {game.season.name!r} named",
    )


def list_games(connection: Connection, season: str | None = None) -> list[SeasonGame]:
    """The games of a season, or of all."""
    query = select(season_games, seasons).join(seasons, seasons.c.id == season_games.c.season)
    if season is not None:
        query = query.where(seasons.c.id == season)
    return [_game(row) for row in connection.execute(query.order_by(seasons.c.first, season_games.c.name))]


def find_game(connection: Connection, game: str) -> SeasonGame:
    """One game; refused if there is none."""
    found = next((row for row in list_games(connection) if row.id == game), None)
    if found is None:
        raise Refused("not_found", "no_such_season_game", game=game)
    return found


def update_game(connection: Connection, game: SeasonGame) -> None:
    """Store name and template of a game; refused if another of its season has the name."""
    values = {"name": game.name, "template": msgspec.json.encode(game.template)}
    _check_game_name(connection, game)
    try:
        with connection.begin_nested():
            connection.execute(update(season_games).where(season_games.c.id == game.id).values(**values))
    except IntegrityError:
        raise Refused("name_taken", "season_game_name_taken", season=game.season.name, game=game.name) from None


def delete_game(connection: Connection, game: SeasonGame) -> None:
    """Delete a game with its teams."""
    for table in (members, teams):
        connection.execute(delete(table).where(table.c.game == game.id))
    connection.execute(delete(season_games).where(season_games.c.id == game.id))


def set_match(connection: Connection, game: SeasonGame, match: str) -> bool:
    """Compare and set the game's match: False if it has one already."""
    changed = connection.execute(
        update(season_games).where(season_games.c.id == game.id, season_games.c.match.is_(None)).values(match=match)
    )
    return changed.rowcount == 1


def set_teams(connection: Connection, game: SeasonGame, roster: Sequence[Team]) -> None:
    """Replace the teams of a game, their members by id or name: one leader each, at most one vice-leader, no account
    twice."""
    roster = _with_account_ids(connection, roster)
    _check_teams(roster)
    connection.execute(delete(members).where(members.c.game == game.id))
    connection.execute(delete(teams).where(teams.c.game == game.id))
    for number, team in enumerate(roster):
        connection.execute(insert(teams).values(game=game.id, number=number, name=team.name))
        connection.execute(
            insert(members),
            [
                {"game": game.id, "account": member.account, "team": number, "role": member.role}
                for member in team.members
            ],
        )
    connection.execute(
        update(season_games).where(season_games.c.id == game.id).values(teams_version=season_games.c.teams_version + 1)
    )


def set_notes(connection: Connection, game: str, notes: Sequence[str]) -> None:
    """Store what the running match could not take over of the teams."""
    values = {"notes": msgspec.json.encode(notes) if notes else None}
    connection.execute(update(season_games).where(season_games.c.id == game).values(**values))


def _with_account_ids(connection: Connection, roster: Sequence[Team]) -> list[Team]:
    """The teams with the ids of accounts that are named."""
    named = [member.account for team in roster for member in team.members]
    ids: dict[str, str] = {}
    for some in batches(named):
        found = select(accounts.c.id, accounts.c.name).where(accounts.c.id.in_(some) | accounts.c.name.in_(some))
        for account, name in connection.execute(found):
            ids[name] = ids[account] = account
    unknown = next((account for account in named if account not in ids), None)
    if unknown is not None:
        raise Refused("bad_request", "member_unknown", account=unknown)
    return [
        Team(team.name, [msgspec.structs.replace(member, account=ids[member.account]) for member in team.members])
        for team in roster
    ]


def _check_teams(roster: Sequence[Team]) -> None:
    if len({skeleton(team.name) for team in roster}) < len(roster):
        raise Refused("bad_request", "team_names_alike")
    ids = [member.account for team in roster for member in team.members]
    if len(set(ids)) < len(ids):
        raise Refused("bad_request", "member_twice")
    for team in roster:
        roles = [member.role for member in team.members]
        if roles.count("leader") != 1 or roles.count("vice") > 1:
            raise Refused("bad_request", "team_leaders", team=team.name)


def teams_of(connection: Connection, game: str) -> list[Team]:
    """The teams of a game."""
    found = members_of(connection, game)
    return [
        Team(name, [Member(member.account, member.role) for member in found if member.team == number])
        for number, name in enumerate(team_names_of(connection, game))
    ]


def team_names_of(connection: Connection, game: str) -> list[str]:
    """The names of a game's teams, by number."""
    query = select(teams.c.name).where(teams.c.game == game).order_by(teams.c.number)
    return [*connection.execute(query).scalars()]


def members_of(connection: Connection, game: str) -> list[TeamMember]:
    """Every member of every team, the leaders first, so that a match seats them in this order."""
    query = (
        select(members.c.account, accounts.c.name, members.c.team, members.c.role)
        .join(accounts, accounts.c.id == members.c.account)
        .where(members.c.game == game)
    )
    rank = {"leader": 0, "vice": 1, "trooper": 2}
    found = [TeamMember(*row) for row in connection.execute(query)]
    return sorted(found, key=lambda member: (rank[member.role], member.team, member.name))


def members_of_match(connection: Connection, match: str) -> dict[str, str]:
    """The accounts of the teams that play a match, with their names in it."""
    games = connection.execute(select(season_games.c.id).where(season_games.c.match == match)).scalars()
    return {member.account: member.name for game in games.all() for member in members_of(connection, game)}


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
        tuple(msgspec.json.decode(values[season_games.c.notes] or b"[]")),
    )
