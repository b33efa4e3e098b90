"""What `Game.step` returns: decoded on demand."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from marchland.core.events import rows
from marchland.core.order_input import OrderInput
from marchland.core.orders import Packed, decode_cell
from marchland.core.reasons import CommonReason
from marchland.messages import EventKind, Outcome, Result, TurnReport

if TYPE_CHECKING:
    from marchland.board import Dialect
    from marchland.core.game import Game


class Report:
    """The result of every order and the events of one turn."""

    def __init__(
        self,
        game: "Game",
        turn: int,
        packed: Packed,
        events: npt.NDArray[np.int64],
        given: OrderInput | None = None,
    ) -> None:
        self.turn = turn
        self.orders = packed
        self.outcome: Outcome | None = game.outcome
        self._events = events
        self.order_input = given
        """The orders as they were given; None if they were given in packed form."""
        self._kind = type(game)
        self._config = game.config
        self._dialect = game.board.dialect
        self.names: Sequence[str] = game.names

    @cached_property
    def event_rows(self) -> npt.NDArray[np.int64]:
        """The events, one a row: the kind, then its arguments."""
        return rows(self._events)

    @cached_property
    def results(self) -> dict[Any, list[Result]]:
        """For each player who gave orders, what became of each, in the order given."""
        results: dict[Any, list[Result]] = {}
        for row in range(len(self.orders)):
            player, verb, *values, code = (int(value) for value in self.orders.table[:, row])
            order = self._kind.codec.unpack(verb, values, self._dialect, self.orders.pool)
            raw = self.order_input.raw[row] if self.order_input else order
            reason = self._kind.reason(code)
            shown = raw if isinstance(raw, dict) else order
            problem = self.order_input.problems.get(row) if self.order_input else None
            sentence = problem if problem and reason == CommonReason.MALFORMED else reason.explain(shown, self._config)
            results.setdefault(player, []).append(Result(raw, reason == CommonReason.OK, reason.name, sentence))
        for player, sentence in (self.order_input.unknown_players if self.order_input else {}).items():
            results[player] = [Result(None, False, CommonReason.NO_SUCH_PLAYER.name, sentence)]
        return results

    @cached_property
    def events(self) -> list[dict[str, Any]]:
        """What happened, in order: ``{"event": name, ...arguments by name}``."""
        kinds = self._kind.event_kinds
        return [decode_event(kinds[int(row[0])], row[1:], self._dialect) for row in self.event_rows]

    @cached_property
    def player_reports(self) -> Mapping[int, list[TurnReport]]:
        """By player, what else the game tells it about the turn, such as battles."""
        make = self._kind.functions.player_reports
        return {} if make is None else make(self)


def decode_event(kind: EventKind, values: Sequence[int] | npt.NDArray[np.int64], dialect: "Dialect") -> dict[str, Any]:
    """One event as plain data."""
    event: dict[str, Any] = {"event": kind.name}
    for (name, type_), value in zip(kind.args.items(), values, strict=False):
        event[name] = decode_argument(kind, type_, int(value), dialect)
    return event


def decode_argument(kind: EventKind, type_: str, value: int, dialect: "Dialect") -> Any:
    """An event's argument as people read it: coordinates, a word, a number, None for no player."""
    if type_ == "cell":
        return decode_cell(dialect, value)
    if type_ == "choice":
        return kind.choices[value]
    return None if type_ == "player" and value < 0 else value
