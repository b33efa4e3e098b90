"""Wake-up calls: PostgreSQL tells the other nodes that there is something to look at."""

from typing import Final

from sqlalchemy import Connection, text

CHANNEL: Final = "marchland"


def ring(connection: Connection, whom: str) -> None:
    """Wake whoever expects that call, once what was written here can be read; on SQLite there is nobody."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_notify(:channel, :whom)"), {"channel": CHANNEL, "whom": whom})
