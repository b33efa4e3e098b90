"""The writer: many in one commit, each with its own answer."""

import asyncio
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event, insert, select
from sqlalchemy.exc import DataError, IntegrityError

from marchland.errors import MarchlandError, StorageUnavailable
from marchland.messages import Receipt
from marchland.store import Database
from marchland.store.match_log import insert_post
from marchland.store.schema import accounts
from tests.support.match_rows import post, started

_PAGE = 4_096


def account(name: str) -> Any:
    values = {"id": name, "name": name, "role": "player", "created": 0.0}
    return lambda connection: connection.execute(insert(accounts).values(values)) and name


def names(connection: Connection) -> list[str]:
    return list(connection.execute(select(accounts.c.name).order_by(accounts.c.name)).scalars())


def test_a_job_that_raises_does_not_harm_those_beside_it(store: Database) -> None:
    def half(connection: Connection) -> None:
        account("half")(connection)
        raise MarchlandError("no")

    async def scene() -> None:
        results = await asyncio.gather(
            store.write(account("ann")), store.write(half), store.write(account("bob")), return_exceptions=True
        )
        assert results[0] == "ann" and results[2] == "bob" and isinstance(results[1], MarchlandError)
        assert await store.read(names) == ["ann", "bob"]

    asyncio.run(scene())


def test_a_job_that_the_database_refuses_does_not_harm_those_beside_it(store: Database) -> None:
    async def scene() -> None:
        match = await started(store)
        results = await asyncio.gather(
            store.write(account("ann")),
            insert_post(store, match, post(1, "a")),
            store.write(account("ann")),
            insert_post(store, match, post(1, "b")),
            store.write(account("bob")),
            return_exceptions=True,
        )
        assert isinstance(results[2], IntegrityError)
        assert [type(one) for one in results if one is not results[2]] == [str, Receipt, Receipt, str]
        assert await store.read(names) == ["ann", "bob"]

    asyncio.run(scene())


def test_a_failing_post_does_not_affect_others_in_its_group(store: Database) -> None:
    """PostgreSQL knows no text with a zero character; no database has integers of 71 bits."""

    async def scene() -> None:
        match = await started(store)
        results = await asyncio.gather(
            insert_post(store, match, post(1, "a")),
            insert_post(store, match, post(1, "b", seat=2**70)),
            insert_post(store, match, post(1, "zero \0")),
            insert_post(store, match, post(1, "c")),
            return_exceptions=True,
        )
        assert isinstance(results[0], Receipt) and isinstance(results[3], Receipt)
        assert isinstance(results[1], OverflowError | DataError)
        assert isinstance(results[2], Exception) == store.is_shared

    asyncio.run(scene())


def test_jobs_run_in_the_order_in_which_they_came(store: Database) -> None:
    async def scene() -> None:
        seen: list[int] = []

        def note(connection: Connection, number: int) -> None:
            seen.append(number)

        await asyncio.gather(*(store.write(partial(note, number=number)) for number in range(2_000)))
        assert seen == list(range(2_000))

    asyncio.run(scene())


def test_the_jobs_of_one_iteration_of_the_event_loop_share_a_commit(store: Database) -> None:
    commits: list[object] = []

    async def scene() -> None:
        match = await started(store)
        event.listen(store.engine, "commit", commits.append)
        await asyncio.gather(*(insert_post(store, match, post(1, str(number))) for number in range(64)))

    asyncio.run(scene())
    assert len(commits) == 1


def test_the_writer_keeps_the_connection_whose_cache_is_current(store: Database) -> None:
    if store.is_shared:
        pytest.skip("only SQLite has a page cache in each connection")
    used: list[object] = []

    async def scene() -> None:
        await asyncio.gather(*(store.read(names) for _ in range(4)))  # several connections are open by then
        event.listen(store.engine, "begin", lambda connection: used.append(connection.connection.dbapi_connection))
        for number in range(4):
            await store.write(account(f"a{number}"))
            with pytest.raises(IntegrityError):
                await store.write(account(f"a{number}"))

    asyncio.run(scene())
    assert len(used) == 8 and len(set(used)) == 1


def test_the_writer_replaces_a_connection_that_has_failed(store: Database) -> None:
    used: list[object] = []

    def lose_connection(connection: Connection) -> None:
        used.append(connection.connection.dbapi_connection)
        connection.connection.dbapi_connection.close()  # type: ignore[union-attr]
        connection.exec_driver_sql("SELECT 1")

    async def scene() -> None:
        with pytest.raises(StorageUnavailable):
            await store.write(lose_connection)
        await store.write(lambda connection: used.append(connection.connection.dbapi_connection))
        await store.write(account("ann"))

    asyncio.run(scene())
    assert used[0] is not used[1]
    assert store.read_now(names) == ["ann"] and store.failure is None


def test_a_post_writes_few_pages(tmp_path: Path) -> None:
    """Sixteen clients, each with keys of its own, post again and again in one turn."""
    path = tmp_path / "march.db"
    orders = [{"do": "attack", "at": [column, row], "energy": 10} for column in range(5) for row in range(2)]

    async def scene(store: Database) -> None:
        match = await started(store)
        for batch in range(100):
            posts = (post(1, f"{client}.{batch}", seat=client % 8, orders=orders) for client in range(16))
            await asyncio.gather(*(insert_post(store, match, one) for one in posts))

    with Database(str(path)) as store, store.engine.begin() as reader:
        reader.execute(select(accounts)).all()  # while it reads, the log does not begin again at its start
        before = Path(f"{path}-wal").stat().st_size
        asyncio.run(scene(store))
        written = Path(f"{path}-wal").stat().st_size - before
    assert written / _PAGE < 2 * 1_600


def test_a_cancelled_caller_does_not_stop_its_write(store: Database) -> None:
    async def scene() -> None:
        waiting = asyncio.ensure_future(store.write(account("ann")))
        await asyncio.sleep(0)
        waiting.cancel()
        await store.write(account("bob"))
        assert await store.read(names) == ["ann", "bob"]

    asyncio.run(scene())


def test_a_loop_that_ended_does_not_stop_the_writing_for_others(store: Database) -> None:
    async def hasty() -> None:
        for number in range(300):
            asyncio.ensure_future(store.write(account(f"a{number:03}")))  # noqa: RUF006 - not awaited on purpose
        await asyncio.sleep(0)

    asyncio.run(hasty())
    asyncio.run(store.write(account("b")))
    assert len(store.read_now(names)) == 301


def test_what_waits_is_written_before_the_store_is_closed(url: str) -> None:
    async def scene(store: Database) -> list[Any]:
        waiting = [asyncio.ensure_future(store.write(account(f"a{number}"))) for number in range(100)]
        await asyncio.sleep(0)
        await asyncio.to_thread(store.close)
        return list(await asyncio.gather(*waiting))

    written = asyncio.run(scene(Database(url)))
    with Database(url) as again:
        assert len(written) == 100 == len(again.read_now(names))


def test_a_closed_store_says_that_it_is_not_available(url: str) -> None:
    store = Database(url)
    store.close()
    with pytest.raises(StorageUnavailable):
        asyncio.run(store.write(account("ann")))


def test_a_full_disk_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    path = str(tmp_path / "march.db")
    acknowledged: list[str] = []

    async def scene(store: Database) -> str:
        match = await started(store)
        pages = store.read_now(lambda connection: connection.exec_driver_sql("PRAGMA page_count").scalar_one())
        limit = f"PRAGMA max_page_count={pages + 40}"
        event.listen(store.engine, "begin", lambda connection: connection.exec_driver_sql(limit))
        for batch in range(50):
            keys = [f"{batch}/{number}" for number in range(20)]
            results = await asyncio.gather(
                *(insert_post(store, match, post(1, key, orders=["x" * 500])) for key in keys), return_exceptions=True
            )
            acknowledged.extend(key for key, one in zip(keys, results, strict=True) if isinstance(one, Receipt))
            if any(isinstance(one, StorageUnavailable) for one in results):
                break
        else:
            raise AssertionError("the disk never was full")
        return match

    async def afterwards(store: Database, match: str) -> None:
        began = time.time()
        for key in acknowledged:
            assert (await insert_post(store, match, post(1, key))).received < began
        await insert_post(store, match, post(1, "there is room again"))

    with Database(path) as store:
        match = asyncio.run(scene(store))
    assert acknowledged
    with Database(path) as again:
        asyncio.run(afterwards(again, match))


def test_a_second_server_on_one_file_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "march.db")
    with Database(path), pytest.raises(MarchlandError, match="Another server uses"):
        Database(path)
    Database(path).close()


def test_the_error_for_a_database_that_cannot_be_opened_hides_its_password() -> None:
    with pytest.raises(MarchlandError, match="cannot be opened") as error:
        Database("postgresql://eve:secret@127.0.0.1:1/none")
    assert "secret" not in str(error.value)
