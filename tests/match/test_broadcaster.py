"""What readers are shown: those who come back get what they missed, and land once seen stays known."""

from typing import Any

import msgspec

import marchland
from marchland.core.game import Game
from marchland.core.scene import key_frame
from marchland.games.colorfight.rules.state import Cells
from marchland.match import StreamPosition
from marchland.match.broadcaster import OWN_VIEW_PRICE, Broadcaster
from marchland.match.subscription import Subscription
from marchland.match.views import ViewEncoder
from tests.support.small_matches import SMALL

CHUNK = 32


class Reader:
    """Follows the frames of a broadcaster with a picture of its own, as a page does."""

    def __init__(self, broadcaster: Broadcaster, seat: int | None = None, **more: Any) -> None:
        self._broadcaster = broadcaster
        self.subscription = Subscription(seat)
        for name, value in more.items():
            setattr(self.subscription, name, value)
        self.cells: dict[tuple[int, int, int], int] = {}
        self.remembered: dict[tuple[int, int, int], int] = {}
        self.keys = 0
        self.at = StreamPosition(0, 0)

    def come(self) -> "Reader":
        self._broadcaster.subscribe(self.subscription, "running", None)
        return self.read()

    def leave(self) -> "Reader":
        self._broadcaster.unsubscribe(self.subscription)
        return self

    def come_back(self) -> int:
        """Come again with what is known; how many news that takes."""
        chunks = self.subscription.chunks
        self.subscription = Subscription(self.subscription.seat)
        self.subscription.resume_at, self.subscription.chunks = self.at, chunks
        self._broadcaster.subscribe(self.subscription, "running", None)
        count = len(self.subscription)
        self.read()
        return count

    def read(self) -> "Reader":
        while self.subscription._queue:
            news = msgspec.json.decode(self.subscription._queue.popleft()[0])
            frame = news["frame"]
            if frame.get("key"):
                self.keys += 1
                self.cells.clear()
                self.remembered.clear()
            _put(self.remembered, frame.get("remembered", []))
            _put(self.cells, frame["patches"])
            self.at = StreamPosition(frame["turn"], frame.get("seq", 0))
        self.subscription._bytes = 0
        return self


def _put(cells: dict[tuple[int, int, int], int], patches: list[Any]) -> None:
    for chunk, layer, offsets, values in patches:
        for offset, value in zip(offsets, values, strict=True):
            cells[chunk, layer, offset] = value


def whole(game: Game, seat: int | None = None) -> dict[tuple[int, int, int], int]:
    cells: dict[tuple[int, int, int], int] = {}
    _put(cells, msgspec.to_builtins(key_frame(game, seat).patches))
    return cells


def step(broadcaster: Broadcaster, orders: Any = None) -> None:
    broadcaster.broadcast(broadcaster.game.step(orders), set(), "running", None)


def colorfight() -> Broadcaster:
    return Broadcaster(marchland.new("colorfight", 2, seed=1, config={"width": 40, "height": 40}), ViewEncoder())


def test_a_returning_reader_gets_the_missed_frames_and_no_key_frame() -> None:
    broadcaster = colorfight()
    reader = Reader(broadcaster).come()
    step(broadcaster)
    reader.read().leave()
    for _ in range(5):
        step(broadcaster)
    assert reader.come_back() == 5
    assert reader.keys == 1
    assert reader.cells == whole(broadcaster.game)
    step(broadcaster)
    assert reader.read().cells == whole(broadcaster.game)


def test_a_returning_reader_that_missed_nothing_gets_no_key_frame() -> None:
    broadcaster = colorfight()
    reader = Reader(broadcaster).come()
    step(broadcaster)
    assert reader.read().leave().come_back() == 1
    assert reader.keys == 1 and reader.cells == whole(broadcaster.game)


def test_a_reader_who_was_away_too_long_gets_a_key_frame() -> None:
    broadcaster = colorfight()
    reader = Reader(broadcaster).come()
    step(broadcaster)
    reader.read().leave()
    for _ in range(40):
        step(broadcaster)
    assert reader.come_back() == 1
    assert reader.keys == 2 and reader.cells == whole(broadcaster.game)


def test_a_reader_who_knows_of_a_future_gets_a_key_frame() -> None:
    broadcaster = colorfight()
    reader = Reader(broadcaster, resume_at=StreamPosition(99, 3)).come()
    assert reader.keys == 1 and reader.cells == whole(broadcaster.game)


def test_a_reader_of_some_chunks_comes_back_to_them() -> None:
    broadcaster = colorfight()
    reader = Reader(broadcaster, chunks=frozenset({0})).come()
    step(broadcaster)
    reader.read().leave()
    step(broadcaster)
    assert reader.come_back() == 1 and reader.keys == 1
    assert reader.cells == {place: value for place, value in whole(broadcaster.game).items() if place[0] == 0}


def test_changes_that_were_reverted_without_readers_are_shown_correctly() -> None:
    """Between two readers a cell may change; the second one's pictures must not start from what the first saw."""
    broadcaster = colorfight()
    Reader(broadcaster).come().leave()
    before = int(broadcaster.game.arrays(Cells).level[5])
    broadcaster.game.arrays(Cells).level[5] = before + 1
    for _ in range(20):
        step(broadcaster)
    reader = Reader(broadcaster).come()
    broadcaster.game.arrays(Cells).level[5] = before
    step(broadcaster)
    assert reader.read().cells == whole(broadcaster.game)


def test_after_a_late_joiner_all_readers_get_a_key_frame() -> None:
    broadcaster = colorfight()
    reader = Reader(broadcaster).come()
    step(broadcaster)
    reader.read().leave()
    broadcaster.game.join("eve")
    broadcaster.restart("running", None)
    assert reader.come_back() == 1
    assert reader.keys == 2 and reader.cells == whole(broadcaster.game)


def test_terrain_that_left_sight_stays_known_to_its_seat() -> None:
    game = marchland.new("hive", 2, seed=1, map=SMALL["hive"]["map"])
    broadcaster = Broadcaster(game, ViewEncoder())
    reader = Reader(broadcaster, 0).come()
    terrain = next(number for number, layer in enumerate(game.layers) if layer.name == "terrain")
    hidden = game.layers[terrain].palette.index("hidden")
    seen: dict[tuple[int, int, int], int] = {}
    bot = game.bots["greedy"](seed=1)
    for _ in range(40):
        seen |= {at: value for at, value in reader.cells.items() if at[1] == terrain and value != hidden}
        step(broadcaster, {0: bot.play(game.observe(0)) if bot.observes else bot.play(game.view(0))})
        reader.read()
    veiled = {at for at, value in reader.cells.items() if at[1] == terrain and value == hidden}
    expected = {at: value for at, value in seen.items() if at in veiled}
    assert expected, "nothing ever left sight"
    assert {at: value for at, value in reader.remembered.items() if at in veiled} == expected
    fresh = Reader(broadcaster, 0).come()
    assert {at: value for at, value in fresh.remembered.items() if at in veiled} == expected
    assert not Reader(broadcaster, 1).come().remembered


def test_the_first_view_of_a_state_costs_the_player_of_the_seat_less_than_every_other_one() -> None:
    game = marchland.new("colorfight", 2, seed=1, config={"width": 8, "height": 8})
    broadcaster = Broadcaster(game, ViewEncoder())
    players, spectator = [Subscription(0, views=True) for _ in range(2)], Subscription(None, views=True)
    readers = [*players, Subscription(0, views=True, is_own=False), spectator, Subscription(1, frames=True)]
    for reader in readers:
        broadcaster.subscribe(reader, "running", None)
    broadcaster.broadcast(game.step({}), set(), "running", None)
    assert [[price for _, price in reader._queue] for reader in readers] == [
        [OWN_VIEW_PRICE, OWN_VIEW_PRICE],
        [1.0, 1.0],
        [1.0, 1.0],
        [1.0, 1.0],
        [0.0, 0.0],
    ]
