"""Replays a match from a snapshot and the entries after it: a turn's state, frames, turn logs, the replay file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from marchland.core.game import Game
from marchland.core.recording import Recording
from marchland.core.report import Report
from marchland.core.scene import delta_frame, detached, key_frame
from marchland.errors import ReplayError
from marchland.match.log import Entry, Post
from marchland.match.orders import merge_posts
from marchland.messages import Frame, LogLine, TurnLog


def apply_entry(game: Game, entry: Entry) -> Report | None:
    """Apply an entry again; `ReplayError` if the digest differs from the recorded one."""
    if entry.kind == "join":
        game.join(entry.name)
        report = None
    else:
        packed = entry.decode_orders()
        report = game.apply_packed_action(packed) if entry.kind == "act" else game.step(packed)
    if game.digest() != entry.digest:
        raise ReplayError(f"Entry {entry.index} of the match leads to another state than it did.")
    return report


def state_at(game: Game, entries: Iterable[Entry], turn: int) -> Game:
    """The game as ``turn`` began."""
    for entry in entries:
        if entry.turn >= turn:
            break
        apply_entry(game, entry)
    return game


def frames(game: Game, entries: Iterable[Entry], audience: int | None, first: int, count: int) -> Iterator[Frame]:
    """A key frame of turn ``first``, then what each input did, up to ``count`` turns later."""
    started = False
    for entry in entries:
        if not started and entry.turn >= first:
            yield key_frame(game, audience)
            started = True
        if entry.turn >= first + count:
            return
        before = detached(game.picture(audience)) if started else None
        report = apply_entry(game, entry)
        if before is not None:
            yield (
                key_frame(game, audience)
                if report is None
                else delta_frame(game, before, game.picture(audience), report.event_rows, audience)
            )
    if not started:
        yield key_frame(game, audience)


def turn_logs(
    game: Game, entries: Iterable[Entry], posts: Mapping[int, Sequence[Post]], seat: int, first: int, count: int
) -> Iterator[TurnLog]:
    """The results of one seat's orders, turn by turn, with the orders as that seat posted them."""
    for entry in entries:
        if entry.turn >= first + count:
            return
        if entry.turn < first or entry.kind == "join":
            apply_entry(game, entry)
            continue
        report = apply_entry(game, entry)
        assert report is not None
        reports = report.player_reports.get(seat, [])
        if entry.kind == "turn":
            report = _with_original_orders(game, report, seat, merge_posts(type(game), posts.get(entry.turn, ())))
        results = report.results.get(seat, [])
        if entry.kind == "turn" or results:
            timing = entry.seats[seat] if seat < len(entry.seats) else None
            latency = timing.latency if timing else None
            yield TurnLog(entry.turn, entry.seq, results, bool(timing and timing.late), latency, reports)


def readable_log(
    game: Game, entries: Iterable[Entry], seat: int | None, first: int, count: int, *, is_own: bool
) -> Iterator[LogLine]:
    """What happened in these turns, in sentences; those that concern one seat, or all. Private ones only for the own
    seat."""
    log = None
    for entry in entries:
        if entry.turn >= first + count:
            return
        if log is None and entry.turn >= first:
            log = game.readable_log()
        report = apply_entry(game, entry)
        for line in log.add_report(game, report) if log is not None and report is not None else ():
            if (seat is None or seat in line.players) and (is_own or not line.private):
                yield line


def _with_original_orders(game: Game, report: Report, seat: int, orders: Mapping[int, Sequence[Any]]) -> Report:
    """A turn's report of one seat, with its orders as posted: the log stores only the packed form."""
    own, original = game.pack_orders(orders)
    codes = report.orders.table[-1, report.orders.table[0] == seat]
    if len(codes) != len(own):  # a built-in bot's orders are not posts
        return report
    own.table[-1] = codes
    return report.with_orders(game, own, original)


def to_recording(game: Game, entries: Iterable[Entry]) -> Recording:
    """The replay of a match from the state that ``game`` is in."""
    recording = Recording(game)
    for entry in entries:
        report = apply_entry(game, entry)
        if entry.kind == "join":
            recording.note_join(entry.name)
        elif report is not None:
            recording.note(game, report.orders, act=entry.kind == "act")
    return recording
