"""Spectators of a match with fog: they see it some turns late, or when it is over."""

import time
from collections import deque

import msgspec

from marchland.core.game import Game
from marchland.core.orders import Packed
from marchland.core.report import Report
from marchland.match.stage import Stage
from marchland.match.subscription import Subscription
from marchland.messages import MatchState, News


class Spectators:
    """Shows a second copy of the game, ``delay`` turns behind; without a delay nothing before the end."""

    def __init__(self, game: Game, delay: int | None) -> None:
        self._game = game
        self._delay = delay
        self._shown = None if delay is None else game.copy()
        self._behind: deque[tuple[Packed | str, bool]] = deque()
        """Inputs that are not shown yet, and whether each is a turn."""
        self._turns = 0
        self._blind: list[Subscription] = []
        self.stage: Stage | None = None
        """Where spectators look; None as long as nothing is old enough, also after a restart."""

    def follow(self, report: Report, state: MatchState) -> None:
        """Note one more input, and show what is old enough."""
        self._note(report.orders.copy(), turn=report.turn < self._game.turn)
        if state == "over":
            self._reveal()
        elif self._shown is not None and self._delay is not None:
            if self.stage is None and self._turns >= self._delay:
                self._open(self._shown, state)
            while self._turns > self._delay:
                self._show_next(state)
        for one in self._blind:
            one.offer(_bare(self._game.turn, state))

    def joined(self, name: str) -> None:
        """Note a late joiner."""
        self._note(name, turn=False)

    def _note(self, given: Packed | str, *, turn: bool) -> None:
        if self._shown is not None:
            self._behind.append((given, turn))
            self._turns += turn

    def subscribe(self, one: Subscription, state: MatchState) -> None:
        """Add a reader, who may have to wait for anything to see."""
        if state == "over":
            self._reveal()
        if self.stage is not None:
            self.stage.subscribe(one, state, None)
        else:
            self._blind.append(one)
            one.offer(_bare(self._game.turn, state))

    def unsubscribe(self, one: Subscription) -> None:
        """Remove a reader."""
        if one in self._blind:
            self._blind.remove(one)
        if self.stage is not None:
            self.stage.unsubscribe(one)

    def readers(self) -> int:
        """How many there are."""
        return len(self._blind) + (len(self.stage.subscribers) if self.stage else 0)

    def close(self, why: str) -> None:
        """Send everybody away."""
        for one in self._blind:
            one.close(why)
        self._blind.clear()
        if self.stage is not None:
            self.stage.close(why)

    def _show_next(self, state: MatchState) -> None:
        assert self.stage is not None
        orders, turn = self._behind.popleft()
        self._turns -= turn
        if isinstance(orders, str):
            self.stage.game.join(orders)
            self.stage.restart(state, None)
            return
        game = self.stage.game
        self.stage.show(game.step(orders) if turn else game.redone(orders), set(), state, None)

    def _reveal(self) -> None:
        """The match is over: everything is shown."""
        if self.stage is None:
            self._behind.clear()
            self._open(self._game, "over")
        while self._behind:
            self._show_next("over")

    def _open(self, game: Game, state: MatchState) -> None:
        self.stage = Stage(game)
        blind, self._blind = self._blind, []
        for one in blind:
            self.stage.subscribe(one, state, None)


def _bare(turn: int, state: MatchState) -> bytes:
    """News that show nothing."""
    return msgspec.json.encode(News(turn=turn, seq=0, state=state, now=time.time()))
