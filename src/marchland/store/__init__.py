"""Durable storage: embedded SQLite by default, PostgreSQL for several nodes."""

from marchland.store.database import Store, database_url
from marchland.store.match_log import SqlMatchLog

__all__ = ["SqlMatchLog", "Store", "database_url"]
