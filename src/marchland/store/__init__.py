"""What must survive: SQLite embedded by default, PostgreSQL for many nodes."""

from marchland.store.match_log import SqlMatchLog
from marchland.store.store import Store, database_url

__all__ = ["SqlMatchLog", "Store", "database_url"]
