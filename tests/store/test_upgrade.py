"""The migrations lead to exactly the tables that the code knows, from every form that they have had."""

from pathlib import Path

import msgspec
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, column, create_engine, insert, inspect, table, text

from marchland.messages import MatchCreate, SeatRequest
from marchland.server.matches import queries as match_queries
from marchland.store import Database
from marchland.store.addresses import database_url
from marchland.store.migrations.upgrade import upgrade
from marchland.store.schema import metadata


def test_migrations_make_the_tables_that_the_code_knows(empty_url: str) -> None:
    engine = create_engine(database_url(empty_url))
    upgrade(engine, "0001")
    upgrade(engine)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()


def test_a_new_database_is_as_if_it_had_been_migrated(tmp_path: Path) -> None:
    described = []
    for first in ("0001", "head"):
        engine = create_engine(f"sqlite:///{tmp_path}/{first}.db")
        upgrade(engine, first)
        upgrade(engine)
        with engine.connect() as connection:
            version = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
            tables = {name: connection.execute(text(f"PRAGMA table_info({name})")).all() for name in names(engine)}
            indexes = connection.execute(text("SELECT sql FROM sqlite_master WHERE type = 'index' ORDER BY name")).all()
            listed = connection.execute(text("SELECT name, wr FROM pragma_table_list WHERE schema = 'main'")).all()
        columns = {name: sorted(tuple(row)[1:] for row in rows) for name, rows in tables.items()}
        without_rowid = {name for name, is_without in listed if is_without}
        described.append((version, columns, without_rowid, indexes, foreign_keys(engine)))
        engine.dispose()
    assert described[0] == described[1]


def names(engine: Engine) -> list[str]:
    return inspect(engine).get_table_names()


def foreign_keys(engine: Engine) -> list[str]:
    return [str(key) for name in names(engine) for key in sorted(map(str, inspect(engine).get_foreign_keys(name)))]


def test_a_match_of_an_older_database_keeps_its_map(empty_url: str) -> None:
    engine = create_engine(database_url(empty_url))
    upgrade(engine, "0001")
    request = MatchCreate("hive", [SeatRequest()], map={"name": "mine"}, config={"max_turn": 7})
    made = {"id": "m", "game": "hive", "name": "old", "state": "lobby", "config": b"{}", "created": 1.0}
    counts = {"open_turn": 1, "entries": 0, "epoch": 0, "lease": 0.0}
    values = {**made, **counts, "made_from": msgspec.json.encode(request)}
    with engine.begin() as connection:
        connection.execute(insert(table("matches", *map(column, values))).values(values))
    engine.dispose()
    with Database(empty_url) as store:
        found = store.read_now(lambda connection: match_queries.find(connection, "m"))
    assert found is not None and found.request == request


def test_accounts_whose_names_look_alike_keep_them(empty_url: str) -> None:
    engine = create_engine(database_url(empty_url))
    upgrade(engine, "0003")
    accounts = table("accounts", *map(column, ("id", "name", "role", "created", "skeleton")))
    old = [("b", "EVE", 2.0), ("a", "eve", 1.0), ("c", "bob", 3.0)]
    with engine.begin() as connection:
        rows = [{"id": one, "name": name, "role": "player", "created": created} for one, name, created in old]
        connection.execute(insert(accounts), rows)
    upgrade(engine)
    with engine.connect() as connection:
        found = connection.execute(accounts.select().order_by(accounts.c.id)).all()
    engine.dispose()
    assert [(row.name, row.skeleton) for row in found] == [("eve", "eve"), ("EVE", None), ("bob", "bob")]


def test_posts_of_an_older_database_stay_as_they_are(empty_url: str) -> None:
    engine = create_engine(database_url(empty_url))
    upgrade(engine, "0009")
    names = ("match", "turn", "seat", "key", "number", "orders", "size", "ready", "received")
    posts = table("posts", *map(column, names))
    old = [("m", 1, seat, "key", 9 - seat, b"[]", 0, bool(seat), 0.5) for seat in range(3)]
    with engine.begin() as connection:
        connection.execute(insert(posts), [dict(zip(names, row, strict=True)) for row in old])
    upgrade(engine)
    with engine.connect() as connection:
        found = connection.execute(posts.select().order_by(posts.c.seat)).all()
    engine.dispose()
    assert [tuple(row) for row in found] == old
