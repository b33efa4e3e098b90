"""SQL of match slots in rooms, rounds, seasons and wire rooms."""

from sqlalchemy import Connection, select, union_all

from marchland.store.schema import matches, rooms, runs, season_games, wire_rooms


def orphaned_matches(connection: Connection, before: float) -> list[str]:
    """Matches created for a slot before that time which have not started and are in no slot."""
    tables = (rooms, runs, season_games, wire_rooms)
    in_slots = union_all(*(select(table.c.match).where(table.c.match.is_not(None)) for table in tables))
    query = select(matches.c.id).where(
        matches.c.state == "lobby",
        matches.c.room.is_not(None),
        matches.c.creator.is_(None),
        matches.c.created < before,
        matches.c.id.not_in(in_slots),
    )
    return list(connection.execute(query).scalars())
