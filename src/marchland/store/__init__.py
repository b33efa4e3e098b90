"""What must survive: SQLite embedded by default, PostgreSQL for many nodes."""

from marchland.store.journal import SqlJournal, accept
from marchland.store.store import Store, database_url

__all__ = ["SqlJournal", "Store", "accept", "database_url"]
