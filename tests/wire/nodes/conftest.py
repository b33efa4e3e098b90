"""Two nodes on one PostgreSQL: a request may come to the node that does not own the match."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.support.postgres import Cluster
from tests.support.server import Served


class Nodes(NamedTuple):
    """Two servers over one database."""

    one: Served
    other: Served


@pytest.fixture(scope="session")
def nodes(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    url = cluster.new_database()
    started = Nodes(
        *(
            Served(tmp_path_factory.mktemp(name), "--db", url, "--rate-round", "10000", "--creators-see-all")
            for name in ("one", "other")
        )
    )
    yield started
    for node in started:
        node.stop()
