"""``marchland db``: look at a server's database, prune it, check it."""

import time
from typing import TYPE_CHECKING, Any

import click

from marchland.cli.options import OrderedGroup
from marchland.cli.retention_options import retention_options

if TYPE_CHECKING:
    from marchland.server.settings import Settings

_DAY = 86_400.0

_db = click.option(
    "--db",
    required=True,
    metavar="FILE|URL",
    envvar="MARCHLAND_DB",
    show_envvar=True,
    help="A SQLite file, or postgresql://user@host/name.",
)
_json = click.option("--json", is_flag=True, help="Print one JSON object.")


@click.group("db", cls=OrderedGroup)
def database() -> None:
    """Show, prune and check a server's database."""


@database.command()
@_db
@_json
def stats(db: str, json: bool) -> None:
    """Show what a database holds, also while a server uses it."""
    from marchland.cli.terminal.output import print_json, stdout_console, table

    figures = _stats(db)
    if json:
        print_json(figures)
        return
    console = stdout_console()
    free = f", {_megabytes(figures['free_bytes'])} of it free" if figures["free_bytes"] else ""
    console.print(f"{figures['database']}: {_megabytes(figures['bytes'])}{free}", soft_wrap=True)
    if not figures["returns_space"]:
        console.print("It does not return free space by itself: marchland db prune --vacuum, once.", style="muted")
    sizes = table()
    for column in ("table", "size"):
        sizes.add_column(column, justify="right" if column == "size" else "left")
    for name, size in figures["tables"].items():
        if size:
            sizes.add_row(name, _megabytes(size))
    console.print(sizes)
    shown = table()
    for column in ("room", "state", "storage", "matches", "oldest"):
        shown.add_column(column, justify="right" if column in ("matches", "oldest") else "left")
    for row in figures["matches"]:
        age = f"{(figures['now'] - row['oldest']) / _DAY:,.1f} days"
        shown.add_row(row["room"] or "", row["state"], row["storage"], f"{row['matches']:,}", age)
    console.print(shown)


@database.command()
@_db
@retention_options
@click.option("--dry-run", is_flag=True, help="Only show what would be deleted.")
@click.option("--vacuum", is_flag=True, help="Rewrite a SQLite file without free space.")
@_json
def prune(db: str, dry_run: bool, vacuum: bool, json: bool, **policy: Any) -> None:
    """Archive finished matches and delete expired ones; a SQLite file only while no server uses it."""
    from marchland.cli.terminal.output import print_json, stdout_console
    from marchland.server.settings import Settings

    settings = Settings(db=db, **policy)
    done = _list_expired(settings) if dry_run else _prune(settings, vacuum=vacuum)
    if json:
        print_json(done)
        return
    console = stdout_console()
    if dry_run:
        for expired in done["expired"]:
            console.print(f"{expired['match']}  {expired['what']}  {expired['why']}", soft_wrap=True)
        console.print(f"{len(done['expired']):,} to delete, {done['unarchived']:,} to archive")
        return
    console.print(
        f"archived {done['archived']:,}, deleted {done['deleted']:,} matches and {done['replays_deleted']:,} replays: "
        f"{_megabytes(done['bytes_before'])} → {_megabytes(done['bytes_after'])} in {done['seconds']:.1f} s",
        soft_wrap=True,
    )


@database.command()
@_db
@_json
def check(db: str, json: bool) -> int:
    """Verify pages, archives and logs, also while a server uses the database; exit code 1 if something is wrong.

    Running matches that this version of Marchland cannot continue are named, so run it before an upgrade, too.
    """
    import msgspec

    from marchland.cli.terminal.output import print_json, stdout_console
    from marchland.server.retention.check import check_database
    from marchland.store.inspection import open_for_reading

    engine = open_for_reading(db, older_too=True)
    try:
        found = check_database(engine)
    finally:
        engine.dispose()
    if json:
        print_json(msgspec.to_builtins(found._asdict()))
    else:
        console = stdout_console()
        for problem in found.problems:
            console.print(problem, soft_wrap=True)
        for outdated in found.breaking_off:
            versions = f"version {outdated.version} of {outdated.game}, this is version {outdated.installed}"
            console.print(
                f"Match {outdated.match} ({outdated.name}, turn {outdated.turn}) will break off: {versions}. "
                "Let it end before the upgrade.",
                soft_wrap=True,
            )
        older = f", {len(found.unverifiable):,} of an earlier version" if found.unverifiable else ""
        verdict = f"{len(found.problems):,} problems" if found.problems else "ok"
        broken = f", {len(found.breaking_off):,} will break off" if found.breaking_off else ""
        console.print(f"{verdict}: {found.matches:,} matches, {found.archives:,} archives{older}{broken}")
    return 1 if found.problems else 0


def _stats(db: str) -> dict[str, Any]:
    import msgspec

    from marchland.server.retention import queries
    from marchland.store import space
    from marchland.store.addresses import display_address
    from marchland.store.inspection import open_for_reading

    engine = open_for_reading(db)
    try:
        with engine.connect() as connection:
            return {
                "database": display_address(engine.url) if "://" in db else db,
                "now": time.time(),
                "bytes": space.database_bytes(connection),
                "free_bytes": space.free_bytes(connection),
                "returns_space": space.returns_space(connection),
                "archive_bytes": queries.archive_bytes(connection),
                "oldest_match": queries.oldest_match(connection),
                "tables": space.table_bytes(connection),
                "matches": msgspec.to_builtins(queries.count_matches(connection)),
            }
    finally:
        engine.dispose()


def _list_expired(settings: "Settings") -> dict[str, Any]:
    import msgspec

    from marchland.server.retention import queries
    from marchland.store.inspection import open_for_reading

    engine = open_for_reading(settings.db)
    try:
        with engine.connect() as connection:
            now = time.time()
            expired = queries.list_expired(connection, settings, now)
            gone = {item.match for item in expired if item.what == "match"}
            unarchived = queries.list_unarchived(connection, now, [], None)
            return {
                "expired": msgspec.to_builtins(expired),
                "unarchived": sum(item.match not in gone for item in unarchived),
            }
    finally:
        engine.dispose()


def _prune(settings: "Settings", *, vacuum: bool) -> dict[str, Any]:
    import asyncio

    from marchland.server.retention.service import RetentionService
    from marchland.store import Database, space
    from marchland.store.inspection import open_for_reading

    open_for_reading(settings.db).dispose()  # a mistyped name must not create a database
    began = time.monotonic()
    with Database(settings.db) as store:
        before = store.read_now(space.database_bytes)
        done = asyncio.run(RetentionService(store, settings).apply(time.time()))
        if vacuum and not store.is_shared:
            space.vacuum(store.engine)
        after = store.read_now(space.database_bytes)
    seconds = round(time.monotonic() - began, 3)
    return {**done._asdict(), "bytes_before": before, "bytes_after": after, "seconds": seconds}


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size >= 100_000 else f"{size / 1e3:,.1f} kB"
