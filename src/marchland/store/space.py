"""The size of the database, and how SQLite returns free pages to the file system.

PostgreSQL reuses and returns space by its own autovacuum.
"""

import os
from pathlib import Path

from sqlalchemy import Connection, Engine, func, inspect, select, text

from marchland.store.schema import metadata

_STEP_PAGES = 64
"""Pages that one transaction returns: a quarter of a megabyte."""
_SLACK = 0.02
"""Share of the file that may stay free, so that a steady load does not shrink and grow it all the time."""
_INCREMENTAL = 2


def has_returnable_pages(connection: Connection) -> bool:
    """Whether a SQLite file has more free pages than it should."""
    return connection.dialect.name == "sqlite" and returns_space(connection) and _count_excess(connection) > 0


def vacuum_step(connection: Connection) -> None:
    """Return some free pages of a SQLite file to the file system."""
    pages = min(_STEP_PAGES, _count_excess(connection))
    if pages > 0:  # 0 would return all of them
        cursor = connection.connection.cursor()
        cursor.execute(f"PRAGMA incremental_vacuum({pages})")
        cursor.fetchall()  # one page with each row, which has no columns: SQLAlchemy would not fetch it


def vacuum(engine: Engine) -> None:
    """Rewrite a SQLite file without free pages; from then on it returns them by itself."""
    connection = engine.raw_connection()  # outside any transaction
    try:
        cursor = connection.cursor()
        for statement in ("PRAGMA auto_vacuum=INCREMENTAL", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"):
            cursor.execute(statement)
    finally:
        connection.close()


def returns_space(connection: Connection) -> bool:
    """Whether free pages are returned while the server runs."""
    return connection.dialect.name != "sqlite" or _pragma(connection, "auto_vacuum") == _INCREMENTAL


def database_bytes(connection: Connection) -> int:
    """The size of the database on disk; of SQLite with its write-ahead log."""
    if connection.dialect.name == "postgresql":
        return int(connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one())
    (path,) = [row[2] for row in connection.exec_driver_sql("PRAGMA database_list") if row[1] == "main"]
    return sum(Path(file).stat().st_size for file in (path, f"{path}-wal") if os.path.exists(file))  # noqa: PTH110


def table_bytes(connection: Connection) -> dict[str, int]:
    """The size of each table, the largest first; of SQLite without its indexes and the space that is free."""
    known = set(inspect(connection).get_table_names())
    tables = [table for table in metadata.sorted_tables if table.name in known]
    if connection.dialect.name == "postgresql":
        query = text("SELECT pg_total_relation_size(CAST(:name AS regclass))")
        sizes = {table.name: int(connection.execute(query, {"name": table.name}).scalar_one()) for table in tables}
    else:
        sizes = {}
        for table in tables:
            lengths = [func.coalesce(func.length(column), 0) for column in table.columns]
            total = connection.execute(select(func.sum(sum(lengths[1:], lengths[0])))).scalar()
            sizes[table.name] = int(total or 0)
    return dict(sorted(sizes.items(), key=lambda item: -item[1]))


def free_bytes(connection: Connection) -> int:
    """Bytes of a SQLite file that hold nothing."""
    if connection.dialect.name != "sqlite":
        return 0
    return _pragma(connection, "freelist_count") * _pragma(connection, "page_size")


def _count_excess(connection: Connection) -> int:
    return _pragma(connection, "freelist_count") - int(_pragma(connection, "page_count") * _SLACK)


def _pragma(connection: Connection, name: str) -> int:
    return int(connection.exec_driver_sql(f"PRAGMA {name}").scalar_one())
