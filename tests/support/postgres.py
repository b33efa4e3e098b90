"""A private PostgreSQL for tests: Debian's binaries on a Unix socket in a folder of their own, gone afterwards."""

import functools
import os
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from marchland.store import Database

_HOMES = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin")


class Cluster:
    """A running server; every test makes a database of its own in it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def empty_database(self) -> str:
        """The URL of a database without tables."""
        return self._url(self._create("template1"))

    def new_database(self) -> str:
        """The URL of a database with tables but no rows, copied, so that migrations run only once."""
        return self._url(self._create(self._migrated))

    @functools.cached_property
    def _migrated(self) -> str:
        name = self._create("template1")
        with Database(self._url(name)):
            return name

    def _create(self, template: str) -> str:
        name = f"t{uuid.uuid4().hex[:12]}"
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        return name

    def _url(self, name: str) -> str:
        return f"postgresql://postgres@/{name}?host={self._folder}"


def binaries() -> Path | None:
    """Where PostgreSQL's programs are, if it is installed."""
    asked = shutil.which("pg_config")
    places = [Path(subprocess.check_output([asked, "--bindir"], text=True).strip())] if asked else []
    places += sorted((place for pattern in _HOMES for place in Path("/").glob(pattern[1:])), reverse=True)
    places += [Path(found).parent for found in [shutil.which("initdb")] if found]
    return next((place for place in places if (place / "initdb").exists() and (place / "pg_ctl").exists()), None)


@contextmanager
def running(programs: Path) -> Iterator[Cluster]:
    """A private cluster. PostgreSQL refuses to run as root, so root becomes ``postgres`` for it."""
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    if os.getuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    user = "postgres" if os.getuid() == 0 else None
    data = folder / "data"

    def run(*command: str | Path) -> None:
        done = subprocess.run(command, user=user, group=user, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{command[0]} failed: {done.stdout}{done.stderr}")

    settings = f"-k {folder} -c listen_addresses= -c fsync=off -c full_page_writes=off -c max_connections=60"
    try:
        run(programs / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
        run(programs / "pg_ctl", "-D", data, "-l", folder / "log", "-o", settings, "-w", "start")
        try:
            yield Cluster(folder)
        finally:
            run(programs / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
