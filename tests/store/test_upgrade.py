"""The migrations lead to exactly the tables that the code knows, from every form that they have had."""

import msgspec
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import column, create_engine, insert, table

from marchland.messages import NewMatch, SeatWish
from marchland.store import Store, matches
from marchland.store.store import database_url
from marchland.store.tables import metadata
from marchland.store.upgrade import upgrade


def test_migrations_make_the_tables_that_the_code_knows(store: Store) -> None:
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_match_of_an_older_database_keeps_its_map(url: str) -> None:
    engine = create_engine(database_url(url))
    upgrade(engine, "0001")
    wish = NewMatch("hive", [SeatWish()], map={"name": "mine"}, config={"max_turn": 7})
    made = {"id": "m", "game": "hive", "name": "old", "state": "lobby", "config": b"{}", "created": 1.0}
    counts = {"open_turn": 1, "entries": 0, "epoch": 0, "lease": 0.0}
    values = {**made, **counts, "made_from": msgspec.json.encode(wish)}
    with engine.begin() as connection:
        connection.execute(insert(table("matches", *map(column, values))).values(values))
    engine.dispose()
    with Store(url) as store:
        found = store.read_now(lambda connection: matches.find(connection, "m"))
    assert found is not None and found.wish == wish
