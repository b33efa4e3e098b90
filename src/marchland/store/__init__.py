"""Durable storage: embedded SQLite by default, PostgreSQL for several nodes."""

from marchland.store.addresses import database_url
from marchland.store.database import Database
from marchland.store.match_log import SqlMatchLog

__all__ = ["Database", "SqlMatchLog", "database_url"]
