"""Databases that a server cannot use: one message that says what to do, no traceback, an exit code."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from marchland.store import Database
from tests.support.postgres import Cluster

BAD_INPUT = 2


def message_of(database: str | Path) -> str:
    """The one line with which ``marchland serve`` refuses a database."""
    command = [sys.executable, "-m", "marchland.cli", "serve", "--port", "0"]
    environment = {**os.environ, "MARCHLAND_DB": str(database)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=environment)
    assert done.returncode == BAD_INPUT, done.stderr
    (line,) = done.stderr.splitlines()
    return line


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database that was used."""
    path = tmp_path / "server.db"
    with Database(str(path)):
        pass
    return path


def damage(path: Path, first: float = 0.5, last: float = 1.0) -> None:
    """Overwrite a part of the file, by default its second half."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(int(size * first))
        file.write(b"\xa5" * int(size * (last - first)))


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Buy milk.\n" * 1000)
    assert message_of(path) == f"{path} is no SQLite database. Name another file with --db."
    assert path.read_text() == "Buy milk.\n" * 1000


def test_a_database_of_a_newer_version(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    message = message_of(database)
    assert "has schema 9999" in message
    assert "Install the version that wrote it" in message


def test_a_database_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "recipes.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    assert "tables of another program" in message_of(path)


def test_a_damaged_database(database: Path) -> None:
    damage(database)
    message = message_of(database)
    assert message.startswith(f"The database {database} is damaged: ")
    assert "restore a backup (docs/operations.md)" in message


def test_a_folder_in_place_of_a_database(tmp_path: Path) -> None:
    assert message_of(tmp_path).startswith(f"The database {tmp_path} cannot be opened: ")


def test_a_postgresql_that_cannot_be_reached(tmp_path: Path) -> None:
    message = message_of(f"postgresql://user:secret@/league?host={tmp_path}")
    assert message.startswith("The database postgresql://user:***@/league")
    assert "secret" not in message
    assert message.endswith("Is PostgreSQL running there, and is --db right?")


def test_a_postgresql_without_the_right_to_create_tables(cluster: Cluster) -> None:
    url = cluster.empty_database()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE ROLE guest LOGIN")
    message = message_of(url.replace("postgres@", "guest@"))
    assert "permission denied" in message
    assert "needs the right to create tables" in message


def test_a_large_damaged_database_is_found_while_the_server_runs(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("CREATE TABLE padding (data BLOB)")
        connection.execute("INSERT INTO padding VALUES (randomblob(20000000))")
        connection.execute("CREATE INDEX ix_padding ON padding (length(data))")
    damage(database, 0.25, 0.5)  # in the padding, not in tables that the start reads
    with Database(str(database)) as store:
        assert store._integrity._thread is not None
        store._integrity._thread.join(60)
        assert str(store.failure).startswith("The database is damaged: ")
