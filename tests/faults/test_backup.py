"""Backups of a server that plays and accepts orders: restored, its matches continue and its promises hold."""

import asyncio
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import takewhile
from pathlib import Path

from marchland.messages import Receipt
from marchland.store import Database
from marchland.store.match_log import entries_from, receipt_of
from tests.support.match_logs import replay_log
from tests.support.pages import ROOT, code_blocks, commands_of, read_page
from tests.support.postgres import Cluster, binaries
from tests.support.posting_players import PostingPlayer, wait_for_turns
from tests.support.server import Person, Served
from tests.support.two_nodes import Load, seat_players

LOAD = Load(matches=2, seats=2, kills=0, seed=1, patience=60)
BACKUP = ROOT / "deploy" / "backup.py"

Promises = list[tuple[PostingPlayer, dict[str, Receipt]]]


class Place:
    """A database with the folder of its server."""

    def __init__(self, folder: Path, url: str) -> None:
        folder.mkdir()
        self.folder, self.url = folder, url

    def serve(self) -> Served:
        return Served(self.folder, "--db", self.url, "--lease", "1")


async def play_during(players: Sequence[PostingPlayer], work: Callable[[], None] | None) -> Promises:
    """Play some turns, then do the work while play goes on; returns what was acknowledged before the work began."""
    playing = [asyncio.create_task(player.play()) for player in players]
    await wait_for_turns(players, 3, LOAD.patience)
    acknowledged = [(player, dict(player.receipts)) for player in players]
    if work is not None:
        await asyncio.to_thread(work)
    await wait_for_turns(players, 3, LOAD.patience)
    for task in playing:
        assert not task.done(), task.exception()
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    return acknowledged


def back_up_under_load(place: Place, work: Callable[[], None]) -> Promises:
    """Promises that the backup must contain."""
    server = place.serve()
    try:
        return asyncio.run(play_during(seat_players([server], LOAD), work))
    finally:
        server.stop()


def continue_matches(place: Place, promises: Promises) -> list[PostingPlayer]:
    """The same accounts play the same matches on a server over the restored database."""
    server = place.serve()
    try:
        players = []
        for player, _ in promises:
            with Person(server, player.token) as person:
                players.append(PostingPlayer([server], player.match, person, prefix="restored/"))
        asyncio.run(play_during(players, None))
        return players
    finally:
        server.stop()


def check_restored(source: Place, restored: Place, promises: Promises, later: list[PostingPlayer]) -> None:
    """What was acknowledged before the backup is there with its turns and digests, and play has continued."""
    with Database(source.url) as store, store.engine.connect() as connection:
        played = {player.match: entries_from(connection, player.match, 0) for player, _ in promises}
    with Database(restored.url) as store, store.engine.connect() as connection:
        for player, receipts in [*promises, *((player, player.receipts) for player in later)]:
            assert receipts
            for key, receipt in receipts.items():
                assert receipt_of(connection, player.match, player.seat, key, receipt.turn, receipt.turn) == receipt
        for (player, receipts), continued in zip(promises, later, strict=True):
            entries = replay_log(connection, player.match)
            pairs = zip(entries, played[player.match], strict=False)
            shared = len(list(takewhile(lambda pair: pair[0].digest == pair[1].digest, pairs)))
            closed = max(receipt.turn for receipt in receipts.values()) - 1  # the last turn was still open
            assert shared >= closed - entries[0].turn
            assert entries[-1].turn >= continued.last_turn - 1 >= closed


def test_a_sqlite_backup_of_a_busy_server_continues_its_matches(tmp_path: Path) -> None:
    source = Place(tmp_path / "source", str(tmp_path / "source" / "league.db"))
    restored = Place(tmp_path / "restored", str(tmp_path / "restored" / "league.db"))

    def work() -> None:
        subprocess.run([sys.executable, BACKUP, source.url, restored.url], check=True, timeout=60)

    promises = back_up_under_load(source, work)
    later = continue_matches(restored, promises)
    check_restored(source, restored, promises, later)


def test_a_dump_of_a_busy_postgresql_continues_its_matches(cluster: Cluster, tmp_path: Path) -> None:
    """With the commands of docs/operations.md."""
    source = Place(tmp_path / "source", cluster.empty_database())
    restored = Place(tmp_path / "restored", cluster.empty_database())
    dump, restore = page_commands("pg_dump", "pg_restore")
    programs = binaries()
    assert programs is not None
    names = {
        "postgresql://marchland@localhost/league": source.url,
        "postgresql://marchland@localhost/restored": restored.url,
        "league.dump": str(tmp_path / "league.dump"),
    }

    def run(words: list[str]) -> None:
        arguments = [substitute(word, names) for word in words[1:]]
        done = subprocess.run([programs / words[0], *arguments], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr

    promises = back_up_under_load(source, lambda: run(dump))
    run(restore)
    later = continue_matches(restored, promises)
    check_restored(source, restored, promises, later)


def page_commands(*programs: str) -> list[list[str]]:
    """The first command of each program on the page about operations."""
    blocks = code_blocks(read_page("operations.md"), "sh")
    shown = [words for block in blocks for words in commands_of(block)]
    return [next(words for words in shown if words[0] == program) for program in programs]


def substitute(word: str, names: dict[str, str]) -> str:
    for name, value in names.items():
        word = word.replace(name, value)
    return word


def test_a_backup_of_what_is_no_database_leaves_the_earlier_copy(tmp_path: Path) -> None:
    wrong, copy = tmp_path / "wrong.db", tmp_path / "copy.db"
    wrong.write_text("this is no database" * 100)
    copy.write_text("an earlier copy")
    done = subprocess.run([sys.executable, BACKUP, wrong, copy], capture_output=True, text=True, timeout=60)
    assert (done.returncode, copy.read_text()) == (1, "an earlier copy")
    assert done.stderr.startswith(f"No backup of {wrong}: ")


def test_a_backup_of_a_missing_file_creates_none(tmp_path: Path) -> None:
    missing = tmp_path / "missing.db"
    done = subprocess.run([sys.executable, BACKUP, missing, tmp_path / "copy.db"], capture_output=True, timeout=60)
    assert done.returncode == 1
    assert not missing.exists() and not (tmp_path / "copy.db").exists()


def test_an_earlier_copy_is_replaced_by_a_complete_one(tmp_path: Path) -> None:
    source = tmp_path / "league.db"
    with Database(str(source)):
        pass
    (tmp_path / "copy.db").write_text("an earlier copy")
    subprocess.run([sys.executable, BACKUP, source, tmp_path / "copy.db"], check=True, timeout=60)
    assert sorted(path.name for path in tmp_path.glob("copy.db*")) == ["copy.db"]
    with Database(str(tmp_path / "copy.db")) as store, store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
