"""Many matches of one game, stepped together: a row of bytes for each, spread over threads.

Kernels release the GIL, so plain threads use every core. Matches of different sizes are grouped by layout.
"""

import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from marchland.core.dice import signed_words
from marchland.core.events import NO_EVENTS
from marchland.core.game import Game
from marchland.core.order_input import Orders
from marchland.core.orders import Packed
from marchland.core.state import KEY0, KEY1, OVER, TURN, Bytes, Layout
from marchland.processors import count_processors


class BatchOrders(NamedTuple):
    """One turn's orders of many matches, laid end to end."""

    orders: npt.NDArray[np.int64]
    order_starts: npt.NDArray[np.int64]
    pools: npt.NDArray[np.int64]
    pool_starts: npt.NDArray[np.int64]

    @classmethod
    def of(cls, packed: Sequence[Packed]) -> "BatchOrders":
        """From the packed orders of each match."""
        tables = [match.table.reshape(-1) for match in packed]
        pools = [match.pool for match in packed]
        return cls(np.concatenate(tables), _starts(tables), np.concatenate(pools), _starts(pools))


def _starts(arrays: Sequence[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum([len(array) for array in arrays]))).astype(np.int64)


class _Group(NamedTuple):
    """Matches that share board, settings and sizes: one block of memory, one row each."""

    game: Game
    layout: Layout
    states: Bytes
    members: list[int]
    workspaces: list[Bytes]
    """Scratch memory, one for each thread."""

    def row(self, place: int) -> Bytes:
        return self.states[place * self.layout.size : (place + 1) * self.layout.size]


class Batch:
    """Many matches of one game.

    ``ended`` says what becomes of a match that is over: ``"skip"`` leaves it as it is, ``"reset"`` takes it back to the
    state in which it was given to the batch, with new random numbers.
    """

    def __init__(
        self, games: Sequence[Game], *, ended: Literal["skip", "reset"] = "skip", threads: int | None = None
    ) -> None:
        if not games or len({type(game) for game in games}) > 1:
            raise ValueError("A batch holds one or more matches of one game.")
        if ended not in ("skip", "reset"):
            raise ValueError(f"Matches that have ended are skipped or reset, not {ended!r}.")
        self.kind = type(games[0])
        self.ended = ended
        self._threads = threads or count_processors()
        self._groups = list(_group_by_layout(games, self._threads))
        self._place = {member: (group, place) for group in self._groups for place, member in enumerate(group.members)}
        self._starts = [group.states.copy() for group in self._groups] if ended == "reset" else []
        self._names = [game.names for game in games]
        self._episodes = np.zeros(len(games), np.int64)
        self._is_broken = False
        self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="marchland-batch")

    def __len__(self) -> int:
        return len(self._place)

    def step(self, orders: Sequence[Orders] | BatchOrders | None = None) -> None:
        """One turn of every match; ``orders`` names them in the order in which they were given to the batch.

        An entry is what `Game.step` takes. `BatchOrders` saves the time to put them together. Matches are changed in
        place: after an exception in a kernel the batch cannot be used any more.
        """
        if self._is_broken:
            raise RuntimeError("A turn of this batch failed half-way; make a new batch.")
        if len(self._groups) > 1 and isinstance(orders, BatchOrders):
            raise ValueError("Matches of different sizes take a list of orders, one entry for each match.")
        if orders is not None and not isinstance(orders, BatchOrders) and len(orders) != len(self):
            raise ValueError(f"Orders for {len(self)} matches are needed, one entry each, not {len(orders)}.")
        jobs = []
        for group in self._groups:
            mine = orders if isinstance(orders, BatchOrders) else self._gathered_orders(group, orders)
            if len(mine.order_starts) != len(group.members) + 1:
                raise ValueError(f"Orders for {len(self)} matches are needed, one entry each.")
            bounds = np.linspace(0, len(group.members), len(group.workspaces) + 1).astype(int).tolist()
            jobs += [
                self._pool.submit(self._run, group, mine, *share)
                for share in zip(group.workspaces, bounds[:-1], bounds[1:], strict=True)
            ]
        done, _ = wait(jobs)
        self._is_broken = any(job.exception() for job in done)
        for job in jobs:
            job.result()
        if self.ended == "reset":
            self._restart_ended()

    @staticmethod
    def _gathered_orders(group: _Group, orders: Sequence[Orders] | None) -> BatchOrders:
        entries = [None] * len(group.members) if orders is None else [orders[member] for member in group.members]
        return BatchOrders.of([group.game.pack_orders(entry)[0] for entry in entries])

    def _run(self, group: _Group, orders: BatchOrders, work: Bytes, first: int, last: int) -> None:
        self.kind.turns_kernel()(
            group.states,
            group.layout.size,
            work,
            group.layout.at,
            group.game.board.arrays,
            *(array for array in orders),
            NO_EVENTS.copy(),
            group.game.rules,
            first,
            last,
        )

    def _restart_ended(self) -> None:
        for group, start in zip(self._groups, self._starts, strict=True):
            size = group.layout.size
            for place in np.flatnonzero(self._heads(group)[:, OVER]).tolist():
                member = group.members[place]
                self._episodes[member] += 1
                row = group.row(place)
                row[:] = start[place * size : (place + 1) * size]
                _derive_key(group.layout.head(row), int(self._episodes[member]))

    @staticmethod
    def _heads(group: _Group) -> npt.NDArray[np.int64]:
        return group.states.view(np.int64).reshape(len(group.members), -1)

    @property
    def turns(self) -> npt.NDArray[np.int64]:
        """Each match's turn."""
        return self._column(TURN)

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """Which matches have ended."""
        return np.not_equal(self._column(OVER), 0)

    def _column(self, slot: int) -> npt.NDArray[np.int64]:
        values = np.zeros(len(self), np.int64)
        for group in self._groups:
            values[group.members] = self._heads(group)[:, slot]
        return values

    def digest(self, match: int) -> str:
        """The digest of one match."""
        group, place = self._place[match]
        return group.layout.digest(group.row(place))

    def game(self, match: int) -> Game:
        """An independent copy of one match, to look at or to play on."""
        group, place = self._place[match]
        game = group.game.copy()
        game.buffer[:] = group.row(place)
        game.names = list(self._names[match])
        game._last = Packed.of_rows([])
        return game


def _group_by_layout(games: Sequence[Game], threads: int) -> Iterator[_Group]:
    keys: dict[Any, list[int]] = {}
    for number, game in enumerate(games):
        keys.setdefault((game.layout, game.board.digest, game.config), []).append(number)
    for members in keys.values():
        first = games[members[0]]
        states = np.concatenate([games[member].buffer for member in members])
        workspaces = [first.layout.workspace() for _ in range(min(threads, len(members)))]
        yield _Group(first, first.layout, states, members, workspaces)


def _derive_key(head: npt.NDArray[np.int64], episode: int) -> None:
    """Other dice for the next episode, derived from the match's own key."""
    old = head[[KEY0, KEY1]].tobytes()
    head[KEY0], head[KEY1] = signed_words(hashlib.blake2b(old + episode.to_bytes(8, "little"), digest_size=16).digest())
