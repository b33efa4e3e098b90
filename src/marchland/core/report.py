"""What `Game.step` returns: decoded on demand."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from marchland.core.events import rows
from marchland.core.order_input import OrderInput
from marchland.core.orders import Packed, decode_cell
from marchland.core.reasons import CommonReason, Reason
from marchland.core.words import refusal_arguments
from marchland.messages import ArgumentType, Outcome, Result, ResultState, TurnReport

if TYPE_CHECKING:
    from marchland.board import Dialect
    from marchland.core.game import Game


class Effect(NamedTuple):
    """What an accepted order did: the code of its sentence with the values, and whether it succeeded."""

    code: str
    arguments: Mapping[str, Any] = MappingProxyType({})
    done: bool = True


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
        self.config = game.config
        self.board = game.board
        self.names: Sequence[str] = game.names

    def with_orders(self, game: "Game", packed: Packed, given: OrderInput | None) -> "Report":
        """The same turn with other orders, such as those of one player as they were posted."""
        return Report(game, self.turn, packed, self._events, given)

    @cached_property
    def event_rows(self) -> npt.NDArray[np.int64]:
        """The events, one a row: the kind, then its arguments."""
        return rows(self._events)

    @cached_property
    def results(self) -> dict[Any, list[Result]]:
        """For each player who gave orders, what became of each, in the order given."""
        results: dict[Any, list[Result]] = {}
        for row, player, order, reason in self._decoded:
            raw = self.order_input.raw[row] if self.order_input else order
            result = (
                self._accepted_result(row, raw)
                if reason == CommonReason.OK
                else self._refused_result(row, raw, order, reason)
            )
            results.setdefault(player, []).append(result)
        no_player = CommonReason.NO_SUCH_PLAYER.name
        for player, sentence in (self.order_input.unknown_players if self.order_input else {}).items():
            results[player] = [Result(None, False, no_player, sentence, "refused", no_player)]
        return results

    @property
    def accepted(self) -> Iterator[tuple[int, int, dict[str, Any]]]:
        """The orders that were not refused: row, player, and the order."""
        for row, player, order, reason in self._decoded:
            if order is not None and reason == CommonReason.OK:
                yield row, player, order

    @cached_property
    def effects(self) -> Mapping[int, Effect]:
        """By row of an accepted order, what it did, as far as it is more than ``Done.``"""
        find = self._kind.functions.effects
        return {} if find is None else find(self)

    @cached_property
    def _decoded(self) -> list[tuple[int, int, dict[str, Any] | None, Reason]]:
        unpack, reason = self._kind.codec.unpack, self._kind.reason
        return [
            (row, player, unpack(verb, values, self.board.dialect, self.orders.pool), reason(code))
            for row, (player, verb, *values, code) in enumerate(self.orders.table.T.tolist())
        ]

    def _accepted_result(self, row: int, raw: Any) -> Result:
        effect = self.effects.get(row, Effect(CommonReason.OK.name))
        state: ResultState = "done" if effect.done else "no_effect"
        sentence = self._kind.sentence(effect.code, effect.arguments)
        return Result(raw, True, CommonReason.OK.name, sentence, state, effect.code, dict(effect.arguments))

    def _refused_result(self, row: int, raw: Any, order: dict[str, Any] | None, reason: Reason) -> Result:
        problem = self.order_input.problems.get(row) if self.order_input else None
        if problem and reason == CommonReason.MALFORMED:
            arguments, sentence = {"problem": problem}, problem
        else:
            template = self._kind.words_in().results[reason.name]
            arguments = refusal_arguments(template, raw if isinstance(raw, dict) else order, self.config)
            sentence = self._kind.sentence(reason.name, arguments)
        return Result(raw, False, reason.name, sentence, "refused", reason.name, arguments)

    @cached_property
    def events(self) -> list[dict[str, Any]]:
        """What happened, in order: ``{"event": name, ...arguments by name}``."""
        return [decode_event(self._kind, row, self.board.dialect) for row in self.event_rows.tolist()]

    @cached_property
    def player_reports(self) -> Mapping[int, list[TurnReport]]:
        """By player, what else the game tells it about the turn, such as battles."""
        make = self._kind.functions.player_reports
        return {} if make is None else make(self)


def decode_event(game: "type[Game]", row: Sequence[int], dialect: "Dialect") -> dict[str, Any]:
    """One event as plain data."""
    kind = game.event_kinds[row[0]]
    event: dict[str, Any] = {"event": kind.name}
    for (name, type_), value in zip(kind.args.items(), row[1:], strict=False):
        event[name] = decode_argument(type_, value, dialect)
        if type_ == "choice":
            event[name] = kind.choices[value]
        elif type_ == "kind" and value >= 0:
            event[name] = game.kinds[value].name
    return event


def decode_argument(type_: ArgumentType, value: int, dialect: "Dialect") -> Any:
    """An argument of an event in a frame: coordinates, a number, None for no player, piece, team or kind."""
    if type_ == "cell":
        return decode_cell(dialect, value)
    return None if value < 0 and type_ in ("player", "piece", "team", "kind") else value
