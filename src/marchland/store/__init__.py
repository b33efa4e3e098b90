"""Durable storage: embedded SQLite by default, PostgreSQL for several nodes."""

from marchland.store.database import Database, database_url
from marchland.store.match_log import SqlMatchLog

__all__ = ["Database", "SqlMatchLog", "database_url"]
