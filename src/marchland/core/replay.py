"""Replays: what was put into a match, turn by turn, with a digest after each.

A `Recording` notes inputs while a match is played and writes the ``.march`` file. A `Replay` reads it: any turn in
either direction, and the film that shows the match even after its rules have changed.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import zstandard

from marchland.core import blocks, snapshot
from marchland.core.columns import Columns, gathered, scattered
from marchland.core.game import Game
from marchland.core.orders import Packed
from marchland.core.scene import delta_frame, frozen, key_frame
from marchland.errors import ReplayError, SnapshotError
from marchland.messages import Frame, Legend, Outcome

TURNS_IN_A_BLOCK = 50
_SEEK_BUDGET = 20_000_000  # nanoseconds of stepping after which a seek should find a snapshot


class Header(msgspec.Struct, frozen=True):
    """What a replay says about its match."""

    game: str
    version: int
    config: dict[str, Any]
    names: list[str]
    legend: Legend
    first_turn: int


class _Turns(msgspec.Struct, frozen=True, array_like=True):
    """The inputs of consecutive turns and the digest after each; joiners by the turn before which they came."""

    orders: Columns
    digests: bytes
    joins: list[tuple[int, str]]


class _Snapshot(msgspec.Struct, frozen=True, array_like=True):
    """The match before the inputs of turn number ``index`` (counted from 0)."""

    index: int
    state: bytes


class End(msgspec.Struct, frozen=True):
    """How the recording ended."""

    turns: int
    orders: int
    outcome: Outcome | None


class Recording:
    """Notes what goes into a match. Call `note` after every step and `note_join` after every join."""

    def __init__(self, game: Game) -> None:
        self.header = Header(
            game.name, game.version, game.config.values(), list(game.players), game.legend(), game.turn
        )
        self._kind = type(game)
        self.turns: list[Packed] = []
        self.digests: list[str] = []
        self._joins: list[tuple[int, str]] = []
        self._snapshots = [_Snapshot(0, game.snapshot())]
        self._since_snapshot = 0
        self._outcome: Outcome | None = None

    def note(self, game: Game, orders: Packed) -> None:
        """Note the orders that led to the state in which ``game`` is now."""
        self.turns.append(orders)
        self.digests.append(game.digest())
        self._outcome = game.outcome
        # A turn costs about 10 µs and a nanosecond a byte of state; counting so keeps equal matches' files equal.
        self._since_snapshot += 10_000 + game.layout.size
        if self._since_snapshot > _SEEK_BUDGET:
            self._snapshots.append(_Snapshot(len(self.turns), game.snapshot()))
            self._since_snapshot = 0

    def note_join(self, name: str) -> None:
        """Note that ``name`` joined before the next turn."""
        self._joins.append((len(self.turns), name))

    def save(self, path: str | Path, *, film: bool = True) -> None:
        """Write the replay; ``film`` adds the pictures, for viewers of other versions and for the browser."""
        blocks.write(Path(path), self._blocks(film))

    def _blocks(self, film: bool) -> Iterator[blocks.Block]:
        encode = msgspec.msgpack.encode
        yield blocks.block(b"HEAD", encode(self.header))
        for kept in self._snapshots:
            yield blocks.Block(b"SNAP", zstandard.ZstdCompressor(level=1).compress(encode(kept)))
        for first in range(0, len(self.turns), TURNS_IN_A_BLOCK):
            last = first + TURNS_IN_A_BLOCK
            digests = b"".join(bytes.fromhex(digest) for digest in self.digests[first:last])
            joins = [(before, name) for before, name in self._joins if first <= before < last]
            yield blocks.block(b"TURN", encode(_Turns(gathered(self.turns[first:last]), digests, joins)))
        if film:
            for frames in _in_blocks(self._film()):
                yield blocks.block(b"FILM", encode(frames), level=9)
        yield blocks.block(blocks.END, encode(End(len(self.turns), sum(map(len, self.turns)), self._outcome)))

    def _film(self) -> Iterator[Frame]:
        """Every frame from the first to the last, made by playing the match again."""
        game = snapshot.unpack(self._kind, snapshot.read(self._snapshots[0].state))
        joins = _by_turn(self._joins)
        yield key_frame(game, None)
        for index, orders in enumerate(self.turns):
            for name in joins.get(index, ()):
                game.join(name)
            before = frozen(game.picture())
            report = game.step(Packed(orders.table.copy(), orders.pool))
            if (index + 1) % TURNS_IN_A_BLOCK == 0 or index in joins:
                yield key_frame(game, None, report.event_rows)
            else:
                yield delta_frame(game, before, game.picture(), report.event_rows)


def _by_turn(joins: Iterable[tuple[int, str]]) -> dict[int, list[str]]:
    gathered_names: dict[int, list[str]] = {}
    for before, name in joins:
        gathered_names.setdefault(before, []).append(name)
    return gathered_names


def _in_blocks(frames: Iterable[Frame]) -> Iterator[list[Frame]]:
    gathering: list[Frame] = []
    for frame in frames:
        if frame.key and gathering:
            yield gathering
            gathering = []
        gathering.append(frame)
    yield gathering


class Replay:
    """A ``.march`` file, opened. Turn ``n`` means the match as it stood when orders for turn ``n`` were awaited."""

    def __init__(self, path: str | Path, find_game: Callable[[str], type[Game]]) -> None:
        self.path = Path(path)
        self._blocks = blocks.read(self.path)
        try:
            self.header = msgspec.msgpack.decode(self._only(b"HEAD").content(), type=Header)
            self.end = msgspec.msgpack.decode(self._only(blocks.END).content(), type=End)
        except (msgspec.MsgspecError, zstandard.ZstdError) as problem:
            raise ReplayError(f"{path} is damaged: {problem}.") from None
        self._find_game = find_game

    def _only(self, kind: bytes) -> blocks.Block:
        for block in self._blocks:
            if block.kind == kind:
                return block
        raise ReplayError(f"{self.path} is damaged: it has no {kind.decode()} block.")

    def _content(self, kind: bytes) -> list[bytes]:
        return [block.content() for block in self._blocks if block.kind == kind]

    @property
    def first_turn(self) -> int:
        """The turn at which the recording starts."""
        return self.header.first_turn

    @property
    def last_turn(self) -> int:
        """The turn at which it ends."""
        return self.header.first_turn + self.end.turns

    @cached_property
    def kind(self) -> type[Game]:
        """The game's class; `ReplayError` where the file can only be viewed."""
        kind = self._find_game(self.header.game)
        if kind.version != self.header.version:
            raise ReplayError(
                f"{self.path} was recorded with {self.header.game} version {self.header.version}, this is version "
                f"{kind.version}: it can be watched, but not verified, played on or forked."
            )
        return kind

    @cached_property
    def _inputs(self) -> tuple[list[Packed], list[str], dict[int, list[str]]]:
        orders: list[Packed] = []
        digests: list[str] = []
        joins: list[tuple[int, str]] = []
        for content in self._content(b"TURN"):
            turns = msgspec.msgpack.decode(content, type=_Turns)
            orders += scattered(turns.orders)
            digests += [turns.digests[start : start + 16].hex() for start in range(0, len(turns.digests), 16)]
            joins += turns.joins
        if not len(orders) == len(digests) == self.end.turns:
            raise ReplayError(f"{self.path} is damaged: it has {len(orders)} of {self.end.turns} turns.")
        return orders, digests, _by_turn(joins)

    @cached_property
    def _snapshots(self) -> list[_Snapshot]:
        self._only(b"SNAP")
        return [msgspec.msgpack.decode(content, type=_Snapshot) for content in self._content(b"SNAP")]

    def orders(self, turn: int) -> Packed:
        """The orders that were given in ``turn``."""
        return self._inputs[0][self._index(turn, self.end.turns - 1)]

    def at(self, turn: int) -> Game:
        """The match as it stood at ``turn``: a game to look at, to play on or to fork."""
        index = self._index(turn, self.end.turns)
        kept = max((kept for kept in self._snapshots if kept.index <= index), key=lambda kept: kept.index)
        game = self._restored(kept)
        for _ in self._played(game, kept.index, index):
            pass
        return game

    def verify(self, progress: Callable[[int, int], None] = lambda done, total: None) -> None:
        """Recompute every turn; `ReplayError` names the first whose digest differs."""
        game = self._restored(self._snapshots[0])
        digests = self._inputs[1]
        for index in self._played(game, 0, self.end.turns):
            if game.digest() != digests[index]:
                turn = self.first_turn + index
                raise ReplayError(f"{self.path} does not verify: turn {turn} leads to another state than it recorded.")
            progress(index + 1, self.end.turns)

    @property
    def has_film(self) -> bool:
        """Whether the file holds its pictures."""
        return any(block.kind == b"FILM" for block in self._blocks)

    def film(self) -> list[Frame]:
        """Every frame, whatever version the file is of; empty if it was saved without its film."""
        return [
            frame for content in self._content(b"FILM") for frame in msgspec.msgpack.decode(content, type=list[Frame])
        ]

    def text(self) -> str:
        """Every order of the match and the digest after each turn, for people who review a change."""
        game = self.at(self.first_turn)
        lines = [f"{self.header.game} version {self.header.version}, {', '.join(self.header.names)}"]
        for turn in range(self.first_turn, self.last_turn):
            report = game.step(self.orders(turn))
            lines.append(f"turn {turn} {game.digest()}")
            for player, results in report.results.items():
                for result in results:
                    order = msgspec.json.encode(result.order).decode()
                    lines.append(f"  {player} {order}" + ("" if result.ok else f" {result.reason}"))
        if game.outcome:
            places = ", ".join(f"{standing.place}. {standing.name}" for standing in game.outcome.ranking)
            lines.append(f"{game.outcome.reason} {places}")
        return "\n".join(lines) + "\n"

    def _index(self, turn: int, last: int) -> int:
        index = turn - self.first_turn
        if not 0 <= index <= last:
            raise ReplayError(f"{self.path} has turns {self.first_turn} to {self.first_turn + last}, not {turn}.")
        return index

    def _restored(self, kept: _Snapshot) -> Game:
        try:
            return snapshot.unpack(self.kind, snapshot.read(kept.state))
        except SnapshotError as problem:
            raise ReplayError(f"{self.path}: {problem}") from None

    def _played(self, game: Game, start: int, stop: int) -> Iterator[int]:
        orders, _, joins = self._inputs
        for index in range(start, stop):
            for name in joins.get(index, ()):
                game.join(name)
            game.advance(orders[index])
            yield index
