"""Two nodes that start at the same moment on a new database."""

from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import wait as wait_for

from sqlalchemy import select

from marchland.server.accounts.queries import ensure_admin
from marchland.store import Database
from marchland.store.schema import accounts, tokens
from tests.support.postgres import Cluster

TOKEN = "the-admin-of-both-nodes"


def test_both_find_the_admin_that_one_of_them_creates(cluster: Cluster) -> None:
    url = cluster.empty_database()

    def start(store: Database) -> None:
        with store.engine.begin() as connection:
            ensure_admin(connection, TOKEN)

    with Database(url) as first, Database(url) as second, ThreadPoolExecutor(1) as pool:
        with first.engine.begin() as connection:
            ensure_admin(connection, TOKEN)
            starting = pool.submit(start, second)
            wait_for([starting], timeout=0.5)  # it cannot see yet what is not committed
        starting.result(timeout=60)
        with first.engine.connect() as connection:
            assert list(connection.execute(select(accounts.c.name)).scalars()) == ["admin"]
            assert len(list(connection.execute(select(tokens.c.id)))) == 1
