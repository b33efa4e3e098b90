"""Matches that were made for a room, a round or a season, and whether they have their place there."""

from sqlalchemy import Connection, select, union_all

from marchland.store.schema import matches, rooms, runs, season_games, wire_rooms


def orphans(connection: Connection, before: float) -> list[str]:
    """Matches from before that moment which have not started and have no place."""
    tables = (rooms, runs, season_games, wire_rooms)
    places = union_all(*(select(table.c.match).where(table.c.match.is_not(None)) for table in tables))
    query = select(matches.c.id).where(
        matches.c.state == "lobby",
        matches.c.room.is_not(None),
        matches.c.creator.is_(None),
        matches.c.created < before,
        matches.c.id.not_in(places),
    )
    return list(connection.execute(query).scalars())
