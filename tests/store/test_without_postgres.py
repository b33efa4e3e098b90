"""An installation without the extra `postgres`: SQLite works, a PostgreSQL URL is refused with what to install."""

import subprocess
import sys
from pathlib import Path

import pytest

from marchland.errors import MarchlandError
from marchland.store import Database


@pytest.fixture(autouse=True)
def no_psycopg(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)  # Python's way to say that it cannot be imported


@pytest.mark.parametrize("url", ["postgresql://someone@/league", "postgres://someone@/league"])
def test_a_postgresql_url_is_refused_with_what_to_install(url: str) -> None:
    with pytest.raises(MarchlandError, match=r"^PostgreSQL needs the extra: pip install 'marchland\[postgres\]'$"):
        Database(url)


def test_a_sqlite_file_is_opened(tmp_path: Path) -> None:
    with Database(str(tmp_path / "league.db")) as store:
        assert store.engine.dialect.name == "sqlite"


def test_the_server_is_imported() -> None:
    script = "import sys\nsys.modules['psycopg'] = None\nimport marchland.server.run"
    subprocess.run([sys.executable, "-c", script], check=True)
