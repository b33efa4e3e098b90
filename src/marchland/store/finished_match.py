"""Inserts a match that was played elsewhere, with its replay as archive, so that a server lists and shows it."""

from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, insert

from marchland.core.compression import zstd
from marchland.messages import MatchCreate, SeatInfo
from marchland.store.archive_writer import ArchiveWriter
from marchland.store.archived_match import Archive, ArchivedMatch, EntryRest, LogPart
from marchland.store.match_log import insert_results
from marchland.store.schema import archives, matches, seats


class FinishedMatch(NamedTuple):
    """A match that was played to its end outside of the server."""

    id: str
    request: MatchCreate
    room: str
    seats: list[SeatInfo]
    replay: bytes
    """Its ``.march`` file, with or without film."""
    began: float
    ended: float


def insert_finished_match(connection: Connection, finished: FinishedMatch) -> None:
    """Insert all rows of the match; its turns are read from the archive only."""
    archive = archive_replay(finished)
    replay = ArchivedMatch(finished.id, archive).replay
    assert replay.end.outcome is not None, "the match has not ended"
    request = finished.request
    connection.execute(
        insert(matches).values(
            id=finished.id,
            game=request.game,
            name=request.name,
            state="over",
            made_from=msgspec.json.encode(msgspec.structs.replace(request, map=None)),
            map=None if request.map is None else msgspec.json.encode(request.map),
            config=msgspec.json.encode(replay.header.config),
            room=finished.room,
            created=finished.began,
            started=finished.began,
            ended=finished.ended,
            open_turn=replay.last_turn,
            entries=len(replay.inputs),
            outcome=msgspec.json.encode(replay.end.outcome),
            storage="archive",
            listed=True,
            late_joiners=False,
        )
    )
    seated = [{"match": finished.id, **msgspec.structs.asdict(seat)} for seat in finished.seats]
    connection.execute(insert(seats), seated)
    insert_results(connection, finished.id, replay.end.outcome)
    connection.execute(insert(archives), ArchiveWriter(finished.id, archive).pieces)


def archive_replay(finished: FinishedMatch) -> Archive:
    """The archive of a match of which there is no log but its replay: no posts, and each turn ended at the end."""
    replay = ArchivedMatch(finished.id, Archive(finished.replay, b"")).replay
    turns = range(replay.first_turn, replay.last_turn)
    rest = [EntryRest("turn", turn, 0, finished.ended, 0.0, [], "", -1, "", b"", "") for turn in turns]
    return Archive(finished.replay, zstd.compress(msgspec.msgpack.encode(LogPart(rest, []))))
