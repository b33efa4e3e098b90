#!/usr/bin/env python3
"""Copy a SQLite database while a server writes to it: ``backup.py league.db league-copy.db``."""

import argparse
import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path


def back_up(source: Path, copy: Path) -> None:
    """Write a checked copy; an earlier copy is replaced only by a complete one."""
    partial = copy.with_name(f"{copy.name}.part")
    partial.unlink(missing_ok=True)
    opened = sqlite3.connect(f"{source.resolve().as_uri()}?mode=rw", uri=True)
    with closing(opened) as database, closing(sqlite3.connect(partial)) as target:
        database.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")  # so that the copy is one file
        (verdict,) = target.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise sqlite3.DatabaseError(f"the copy is damaged: {verdict}")
    with partial.open("rb") as written:
        os.fsync(written.fileno())
    partial.replace(copy)


def main() -> int:
    """Back up one file; 1 if that was not possible."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("source", type=Path)
    arguments.add_argument("copy", type=Path)
    chosen = arguments.parse_args()
    try:
        back_up(chosen.source, chosen.copy)
    except (sqlite3.Error, OSError) as problem:
        sys.stderr.write(f"No backup of {chosen.source}: {problem}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
