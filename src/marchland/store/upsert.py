"""INSERT ... ON CONFLICT DO NOTHING, which SQLAlchemy has per dialect."""

import importlib
from typing import Any

from sqlalchemy import Connection, Table


def insert_or_ignore(connection: Connection, table: Table, values: dict[str, Any]) -> None:
    """Insert a row unless one with the same key is there. Only the dialect in use is imported."""
    dialect: Any = importlib.import_module(f"sqlalchemy.dialects.{connection.dialect.name}")
    connection.execute(dialect.insert(table).values(values).on_conflict_do_nothing())
