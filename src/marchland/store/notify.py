"""PostgreSQL NOTIFY: wakes the other nodes after a commit."""

from typing import Final

from sqlalchemy import Connection, text

CHANNEL: Final = "marchland"


def notify(connection: Connection, topic: str) -> None:
    """Send a notification with the commit; SQLite has one node and needs none."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_notify(:channel, :topic)"), {"channel": CHANNEL, "topic": topic})
