"""``marchland db``: what a database holds, what the policy deletes, whether everything verifies."""

import asyncio
import contextlib
import json
import lzma
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

import marchland
from tests.cli.conftest import Run
from tests.support.asgi import running_app
from tests.support.finished_matches import begin, finish
from tests.support.game_loading import loaded_games

MONTHS = 100 * 86_400
PREVIOUS_VERSION = Path(__file__).parents[1] / "data" / "previous_version.db.xz"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with two finished matches of people: one of yesterday, one that ended months ago."""
    folder = tmp_path_factory.mktemp("db")

    async def play() -> None:
        async with running_app(folder, loaded_games()) as app:
            for _ in range(2):
                await finish(app, await begin(app, "colorfight", turns=3))

    asyncio.run(play())
    with edited(folder / "server.db") as database:
        database.execute("UPDATE matches SET ended = ended - 86400")
        database.execute(f"UPDATE matches SET ended = ended - {MONTHS}, name = 'old' WHERE rowid = 1")
    return folder / "server.db"


@pytest.fixture
def database(played: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return Path(shutil.copy(played, tmp_path / "league 1.db"))


@contextlib.contextmanager
def edited(path: Path) -> Any:
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        yield connection
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def answer(run: Run, *arguments: object) -> dict[str, Any]:
    ran = run("db", *arguments, "--json")
    assert ran.code == 0, ran.err
    found: dict[str, Any] = json.loads(ran.out)
    return found


def test_stats_show_tables_and_matches(run: Run, database: Path) -> None:
    figures = answer(run, "stats", "--db", database)
    assert figures["bytes"] >= database.stat().st_size and figures["returns_space"]
    assert figures["tables"]["entries"] > 0 == figures["tables"]["archives"] == figures["archive_bytes"]
    assert [(row["room"], row["state"], row["storage"], row["matches"]) for row in figures["matches"]] == [
        (None, "over", "log", 2)
    ]
    shown = run("db", "stats", "--db", database)
    assert shown.code == 0 and "snapshots" in shown.out and "over" in shown.out


def test_a_dry_run_names_what_would_be_deleted_and_changes_nothing(run: Run, database: Path) -> None:
    before = database.read_bytes()
    found = answer(run, "prune", "--db", database, "--dry-run", "--days-with-people", 30)
    assert [(one["what"], one["why"]) for one in found["expired"]] == [("match", "with people, older than 30 days")]
    assert found["unarchived"] == 1
    assert answer(run, "prune", "--db", database, "--dry-run")["expired"] == []
    assert database.read_bytes() == before


def test_pruning_archives_and_deletes(run: Run, database: Path) -> None:
    done = answer(run, "prune", "--db", database, "--days-with-people", 30)
    assert (done["archived"], done["deleted"]) == (2, 1)
    figures = answer(run, "stats", "--db", database)
    assert [(row["storage"], row["matches"]) for row in figures["matches"]] == [("archive", 1)]
    assert figures["archive_bytes"] > 0 == figures["tables"]["entries"] == figures["tables"]["posts"]
    assert answer(run, "check", "--db", database) == {
        "matches": 1,
        "archives": 1,
        "unverifiable": [],
        "problems": [],
        "breaking_off": [],
    }


def test_vacuum_makes_a_file_of_an_earlier_version_return_its_space(run: Run, database: Path) -> None:
    with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as older:
        older.executescript("PRAGMA journal_mode=DELETE; PRAGMA auto_vacuum=NONE; VACUUM")
    assert not answer(run, "stats", "--db", database)["returns_space"]
    assert answer(run, "prune", "--db", database, "--vacuum")["seconds"] > 0
    figures = answer(run, "stats", "--db", database)
    assert figures["returns_space"] and figures["free_bytes"] == 0


def test_check_finds_a_log_that_lacks_an_entry(run: Run, database: Path) -> None:
    assert run("db", "check", "--db", database).code == 0
    with edited(database) as connection:
        connection.execute("DELETE FROM entries WHERE number = 1")
    ran = run("db", "check", "--db", database)
    assert ran.code == 1 and "it has 2 entries, its log 1" in ran.out


def test_check_finds_a_damaged_archive(run: Run, database: Path) -> None:
    answer(run, "prune", "--db", database)
    with edited(database) as connection:
        piece = "match = (SELECT match FROM archives LIMIT 1) AND part = 'replay'"
        (data,) = connection.execute(f"SELECT data FROM archives WHERE {piece}").fetchone()
        changed = data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]
        connection.execute(f"UPDATE archives SET data = ? WHERE {piece}", (changed,))
    ran = run("db", "check", "--db", database, "--json")
    found = json.loads(ran.out)
    assert ran.code == 1 and len(found["problems"]) == 1 and "checksum" in found["problems"][0]


def test_check_names_the_running_matches_that_an_upgrade_breaks_off(run: Run, tmp_path: Path) -> None:
    database = tmp_path / "server.db"
    database.write_bytes(lzma.decompress(PREVIOUS_VERSION.read_bytes()))
    ran = run("db", "check", "--db", database)
    assert ran.code == 0, ran.err
    installed = marchland.find("colorfight").version
    assert f"(old colorfight, turn 20) will break off: version 1 of colorfight, this is version {installed}." in ran.out
    assert "old hive" not in ran.out


@pytest.mark.parametrize("command", ["stats", "prune", "check"])
def test_what_is_no_database_is_said_in_one_line(run: Run, tmp_path: Path, command: str, database: Path) -> None:
    missing = tmp_path / "missing.db"
    ran = run("db", command, "--db", missing)
    assert (ran.code, ran.err) == (2, f"There is no database {missing}.\n")
    assert not missing.exists()
    text = tmp_path / "text.db"
    text.write_text("This is no database, but long enough to be one. " * 40)
    assert run("db", command, "--db", text).err == f"{text} is no SQLite database.\n"
    with edited(database) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    assert "was written by a newer version of Marchland: it has schema 9999" in run("db", command, "--db", database).err
    with edited(database) as connection:
        connection.execute("DROP TABLE alembic_version")
    assert run("db", command, "--db", database).err == f"{database} is a database, but not one of Marchland.\n"
