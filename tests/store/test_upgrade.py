"""The migrations lead to exactly the tables that the code knows."""

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from marchland.store import Store
from marchland.store.tables import metadata


def test_migrations_make_the_tables_that_the_code_knows(store: Store) -> None:
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
