"""Records a match while it is played and writes its ``.march`` file."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from marchland.core import march_file, snapshot
from marchland.core.compression import zstd
from marchland.core.game import Game
from marchland.core.order_columns import encode_columns
from marchland.core.orders import Packed
from marchland.core.reasons import CommonReason
from marchland.core.replay_blocks import INPUTS_IN_A_BLOCK, End, Header, Input, Inputs, SavedState, joins_by_input
from marchland.core.report import Report
from marchland.core.scene import delta_frame, detached, key_frame
from marchland.messages import Frame, Outcome

_SEEK_BUDGET = 20_000_000  # nanoseconds of stepping after which a seek should find a snapshot


class Recording:
    """Notes what goes into a match: call `note` after every step, `note_act` and `note_join` after the others."""

    def __init__(self, game: Game) -> None:
        self.header = Header(
            game.name, game.version, game.config.values(), list(game.players), game.legend(), game.turn
        )
        self._kind = type(game)
        self._inputs: list[Input] = []
        self._joins: list[tuple[int, str]] = []
        self._snapshots = [SavedState(0, game.snapshot())]
        self._since_snapshot = 0
        self._outcome: Outcome | None = None

    @property
    def turns(self) -> list[Packed]:
        """The orders of every turn so far."""
        return [noted.orders for noted in self._inputs if not noted.act]

    def note(self, game: Game, orders: Packed, *, act: bool = False) -> None:
        """Note the orders that led to the state in which ``game`` is now; after the end nothing happens any more."""
        if self._outcome:
            return
        self._inputs.append(Input(orders, act, game.digest()))
        self._outcome = game.outcome
        # A turn costs about 10 µs and a nanosecond a byte of state; counting so keeps equal matches' files equal.
        self._since_snapshot += 10_000 + game.layout.size
        if self._since_snapshot > _SEEK_BUDGET:
            self._snapshots.append(SavedState(len(self._inputs), game.snapshot()))
            self._since_snapshot = 0

    def note_act(self, game: Game, report: Report) -> None:
        """Note an immediate action; a refused one changed nothing and is left out."""
        if (report.orders.table[-1] == CommonReason.OK).any():
            self.note(game, report.orders, act=True)

    def note_join(self, name: str) -> None:
        """Note that ``name`` joined."""
        self._joins.append((len(self._inputs), name))

    def save(self, path: str | Path, *, film: bool = True) -> None:
        """Write the replay; ``film`` adds the pictures, for viewers of other versions and for the browser."""
        march_file.write(Path(path), self._blocks(film))

    def to_bytes(self, *, film: bool = True) -> bytes:
        """The content of the file that `save` writes."""
        return march_file.encode(self._blocks(film))

    def _blocks(self, film: bool) -> Iterator[march_file.Block]:
        encode = msgspec.msgpack.encode
        yield march_file.block(b"HEAD", encode(self.header))
        for stored in self._snapshots:
            yield march_file.Block(b"SNAP", zstd.compress(encode(stored), level=1))
        for first in range(0, len(self._inputs), INPUTS_IN_A_BLOCK):
            noted = self._inputs[first : first + INPUTS_IN_A_BLOCK]
            inputs = Inputs(
                encode_columns([played.orders for played in noted]),
                b"".join(bytes.fromhex(played.digest) for played in noted),
                bytes(played.act for played in noted),
            )
            yield march_file.block(b"TURN", encode(inputs))
        if film:
            for frames in _in_blocks(self._film()):
                yield march_file.block(b"FILM", encode(frames), level=9)
        turns = self.turns
        yield march_file.block(
            march_file.END, encode(End(len(turns), sum(map(len, turns)), self._outcome, self._joins))
        )

    def _film(self) -> Iterator[Frame]:
        """Every frame from the first to the last, made by playing the match again."""
        game = snapshot.unpack(self._kind, snapshot.read(self._snapshots[0].state))
        joins = joins_by_input(self._joins)
        yield key_frame(game, None)
        for index, noted in enumerate(self._inputs):
            for name in joins.get(index, ()):
                game.join(name)
            before = detached(game.picture())
            again = Packed(noted.orders.table.copy(), noted.orders.pool)
            report = game.apply_packed_action(again) if noted.act else game.step(again)
            if (index + 1) % INPUTS_IN_A_BLOCK == 0 or index in joins:
                yield key_frame(game, None, report.event_rows)
            else:
                yield delta_frame(game, before, game.picture(), report.event_rows)


def _in_blocks(frames: Iterable[Frame]) -> Iterator[list[Frame]]:
    block: list[Frame] = []
    for frame in frames:
        if frame.key and block:
            yield block
            block = []
        block.append(frame)
    yield block
