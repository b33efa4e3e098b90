"""Reads a ``.march`` file: any turn in either direction, and the film, which any version of a game can show."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import msgspec

from marchland.core import march_file, snapshot
from marchland.core.compression import MOST_DECOMPRESSED, zstd
from marchland.core.game import Game
from marchland.core.order_columns import decode_columns
from marchland.core.orders import Packed
from marchland.core.replay_blocks import End, Header, Input, Inputs, SavedState, joins_by_input
from marchland.errors import ReplayError, SnapshotError, TooLargeError
from marchland.messages import Frame, ranking_of

_MEGABYTE = 1 << 20
_LEAST_LIMIT = 16 * _MEGABYTE
"""The limit of the first and of the last block, and the least limit of the others."""

Content = TypeVar("Content")


class Replay:
    """A ``.march`` file, opened. Turn ``n`` means the match as it stood when turn ``n`` was open.

    With ``data``, the content comes from there, and ``path`` only names it.
    """

    def __init__(self, path: str | Path, find_game: Callable[[str], type[Game]], data: bytes | None = None) -> None:
        self.path = Path(path)
        self._blocks = march_file.read(self.path) if data is None else march_file.decode(self.path, data)
        self.header = self._first(b"HEAD", Header)
        self.end = self._first(march_file.END, End)
        self._find_game = find_game

    def _first(self, kind: bytes, type_: type[Content]) -> Content:
        for block in self._blocks:
            if block.kind == kind:
                return self._decode(block, type_, _LEAST_LIMIT)[0]
        raise ReplayError(f"{self.path} is damaged: it has no {kind.decode()} block.")

    def _content(self, kind: bytes, type_: type[Content], limit: int) -> Iterator[Content]:
        """The content of all blocks of a kind, which have ``limit`` bytes together at most."""
        for block in self._blocks:
            if block.kind == kind:
                content, size = self._decode(block, type_, limit)
                limit -= size
                yield content

    def _decode(self, block: march_file.Block, type_: type[Content], limit: int) -> tuple[Content, int]:
        try:
            content = block.content(limit)
            return msgspec.msgpack.decode(content, type=type_), len(content)
        except (msgspec.MsgspecError, zstd.ZstdError, TooLargeError) as problem:
            raise ReplayError(f"{self.path} cannot be read: its {block.kind.decode()} block says {problem}.") from None

    @property
    def _most_of_snapshot(self) -> int:
        """The limit of a snapshot: room for 256 bytes of state in each cell, far more than any game has."""
        return _limit(self.header.legend.board.size, 256)

    @property
    def _most_of_film(self) -> int:
        """The limit of the film: every frame changes every layer of every cell, 16 bytes each."""
        legend = self.header.legend
        return _limit(legend.board.size * max(len(legend.layers), 1) * (self.end.turns + 1), 16)

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
    def _inputs(self) -> list[Input]:
        inputs: list[Input] = []
        for block in self._content(b"TURN", Inputs, MOST_DECOMPRESSED):
            digests = [block.digests[start : start + 16].hex() for start in range(0, len(block.digests), 16)]
            try:
                orders = decode_columns(block.orders)
            except (ValueError, LookupError) as problem:
                raise ReplayError(f"{self.path} is damaged: {problem}.") from None
            inputs += map(Input, orders, map(bool, block.acts), digests)
        if sum(not played.act for played in inputs) != self.end.turns:
            raise ReplayError(f"{self.path} is damaged: it does not hold the {self.end.turns} turns that it should.")
        return inputs

    @cached_property
    def _joins(self) -> dict[int, list[str]]:
        return joins_by_input(self.end.joins)

    @cached_property
    def _ends_of_turns(self) -> list[int]:
        """For each turn, how many inputs had gone in when it was over."""
        return [index + 1 for index, played in enumerate(self._inputs) if not played.act]

    @cached_property
    def _snapshots(self) -> dict[int, march_file.Block]:
        """The snapshots, still compressed, by the number of the input before which each was taken."""
        found = {
            self._decode(block, SavedState, self._most_of_snapshot)[0].index: block
            for block in self._blocks
            if block.kind == b"SNAP"
        }
        if 0 not in found:
            raise ReplayError(f"{self.path} is damaged: it has no snapshot of its start.")
        return found

    @property
    def inputs(self) -> Sequence[Input]:
        """Every turn and immediate action, in order."""
        return self._inputs

    @property
    def snapshot_indexes(self) -> Sequence[int]:
        """The number of inputs before each snapshot of the file, in order; the first is the start."""
        return sorted(self._snapshots)

    def orders(self, turn: int) -> Packed:
        """The orders that were given in ``turn``."""
        return self._inputs[self._ends_of_turns[self._index(turn, self.end.turns - 1)] - 1].orders.copy()

    def at(self, turn: int) -> Game:
        """The match as ``turn`` began, joiners included: a game to look at, to play on or to fork."""
        index = self._index(turn, self.end.turns)
        stop = self._ends_of_turns[index - 1] if index else 0
        start = max(index for index in self._snapshots if index <= stop)
        game = self._restore(start)
        for _ in self._apply_inputs(game, start, stop):
            pass
        for name in self._joins.get(stop, ()):
            game.join(name)
        return game

    def verify(self, progress: Callable[[int, int], None] = lambda done, total: None) -> None:
        """Recompute every turn; `ReplayError` names the first whose digest differs."""
        game = self._restore(0)
        digests = {index: self._restore(index).digest() for index in self._snapshots if index}
        for index in self._apply_inputs(game, 0, len(self._inputs)):
            digest = game.digest()
            if digest != self._inputs[index].digest or digests.get(index + 1, digest) != digest:
                turn = self.first_turn + sum(not played.act for played in self._inputs[:index])
                raise ReplayError(f"{self.path} does not verify: turn {turn} leads to another state than it recorded.")
            progress(index + 1, len(self._inputs))
        orders = sum(len(played.orders) for played in self._inputs if not played.act)
        if (ranking_of(game.outcome), orders) != (ranking_of(self.end.outcome), self.end.orders):
            raise ReplayError(f"{self.path} does not verify: it ends otherwise than it says.")

    @property
    def has_film(self) -> bool:
        """Whether the file holds its pictures."""
        return any(block.kind == b"FILM" for block in self._blocks)

    def film(self) -> list[Frame]:
        """Every frame, whatever version the file is of; empty if it was saved without its film."""
        return [frame for frames in self._content(b"FILM", list[Frame], self._most_of_film) for frame in frames]

    def text(self) -> str:
        """Every order of the match and the digest after it, for people who review a change."""
        game = self._restore(0)
        lines = [f"{self.header.game} version {self.header.version}, {', '.join(self.header.names)}"]
        for index, played in enumerate(self._inputs):
            for name in self._joins.get(index, ()):
                game.join(name)
                lines.append(f"{name} joins")
            turn = game.turn
            report = game.apply_packed_action(played.orders) if played.act else game.step(played.orders)
            lines.append(f"{'act in ' if played.act else ''}turn {turn} {game.digest()}")
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

    def saved_state(self, index: int) -> SavedState:
        """The snapshot after so many inputs, one of `snapshot_indexes`."""
        stored, _ = self._decode(self._snapshots[index], SavedState, self._most_of_snapshot)
        return stored

    def _restore(self, index: int) -> Game:
        stored = self.saved_state(index)
        try:
            return snapshot.unpack_untrusted(self.kind, snapshot.read(stored.state, self._most_of_snapshot))
        except SnapshotError as problem:
            raise ReplayError(f"{self.path}: {problem}") from None

    def _apply_inputs(self, game: Game, start: int, stop: int) -> Iterator[int]:
        for index in range(start, stop):
            for name in self._joins.get(index, ()):
                game.join(name)
            game.apply_packed(self._inputs[index].orders, act=self._inputs[index].act)
            yield index


def _limit(items: int, bytes_each: int) -> int:
    """A limit of decompressed bytes that grows with what the file announces, up to a ceiling."""
    return max(0, min(_LEAST_LIMIT + items * bytes_each, MOST_DECOMPRESSED))
