"""Opens a database for reading, also while a server uses it, with a message for everything that is none."""

import sqlite3
from pathlib import Path
from urllib.parse import quote

import sqlalchemy
from sqlalchemy import Engine, event, inspect, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from marchland.errors import MarchlandError
from marchland.store.addresses import database_url, describe_cause, display_address
from marchland.store.migrations.upgrade import newest_revision


def open_for_reading(address: str, *, older_too: bool = False) -> Engine:
    """An engine that changes nothing; `MarchlandError` unless the database has the schema of this version.

    With ``older_too`` it may also have an older schema, with less tables and columns.
    """
    url = sqlalchemy.make_url(database_url(address))
    shown = display_address(url)
    if url.get_backend_name() == "sqlite":
        if not Path(shown).is_file():
            raise MarchlandError(f"There is no database {shown}.")
        engine = sqlalchemy.create_engine("sqlite://", creator=lambda: _connect_read_only(shown), poolclass=NullPool)
    else:
        try:
            engine = sqlalchemy.create_engine(url)
        except ImportError:
            raise MarchlandError("PostgreSQL needs the extra: pip install 'marchland[postgres]'") from None
        event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("SET TRANSACTION READ ONLY"))
    try:
        revision = _revision(engine)
    except SQLAlchemyError as problem:
        reason = describe_cause(problem)
        if "not a database" in reason:
            raise MarchlandError(f"{shown} is no SQLite database.") from None
        raise MarchlandError(f"The database {shown} cannot be read: {reason}.") from None
    if revision is None:
        raise MarchlandError(f"{shown} is a database, but not one of Marchland.")
    if revision > newest_revision():
        versions = f"it has schema {revision}, this version knows {newest_revision()}"
        raise MarchlandError(f"{shown} was written by a newer version of Marchland: {versions}.")
    if revision < newest_revision() and not older_too:
        versions = f"it has schema {revision}, this version needs {newest_revision()}"
        raise MarchlandError(f"{shown} is of an older version: {versions}. Start the server once to upgrade it.")
    return engine


def has_older_schema(engine: Engine) -> bool:
    """Whether a server of this version would upgrade the database when it starts."""
    return (_revision(engine) or "") < newest_revision()


def _connect_read_only(path: str) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(path)}?mode=ro", uri=True, timeout=30, check_same_thread=False)


def _revision(engine: Engine) -> str | None:
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
