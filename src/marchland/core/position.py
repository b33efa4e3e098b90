"""What the readable forms of all games' matches share: the frame round a game's own part of a position."""

import reprlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from marchland.core.dice import signed_words
from marchland.core.orders import HOST_PLAYER, Packed
from marchland.core.packing import Row, packer_for
from marchland.core.reasons import CommonReason, Reason
from marchland.core.state import KEY0, KEY1, SEQ, TURN
from marchland.errors import PositionError

if TYPE_CHECKING:
    from marchland.core.game import Game

Match = TypeVar("Match", bound="Game")

_FRAME = {"game", "version", "turn", "seq", "key", "config", "failed"}
_LATEST = 2**53


def write_position(game: "Game") -> dict[str, Any]:
    """The whole match as plain data."""
    failed = _write_failed(game)
    return {**_write_frame(game), "config": game.config.values(), **game._position(), "failed": failed}


def _write_frame(game: "Game") -> dict[str, Any]:
    key = game.head[[KEY0, KEY1]].astype("<i8").tobytes()
    return {
        "game": game.name,
        "version": game.version,
        "turn": game.turn,
        "seq": game.seq,
        "key": key[::-1].hex(),
    }


def _write_failed(game: "Game") -> list[dict[str, Any]]:
    return [{name: entry[name] for name in ("player", "order", "reason")} for entry in list_failures(game)]


def read_position(kind: type[Match], position: Mapping[str, Any]) -> Match:
    """The match that ``position`` describes; what it leaves out has its usual value."""
    if position.get("version", kind.version) != kind.version:
        raise PositionError(
            f"The position is of {kind.name} version {reprlib.repr(position['version'])}, "
            f"and there is no way from it to version {kind.version}."
        )
    config = kind.config_type.build(position.get("config"))
    game = kind._from_position(config, {name: value for name, value in position.items() if name not in _FRAME})
    _read_frame(game, position)
    return game


def _read_frame(game: "Game", position: Mapping[str, Any]) -> None:
    try:
        key = int(position.get("key", "0"), 16)
        for slot, name, usual in ((TURN, "turn", 1), (SEQ, "seq", 0)):
            count = position.get(name, usual)
            if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count < _LATEST:
                raise ValueError(f"the {name} is a whole number, not {reprlib.repr(count)}")
            game.head[slot] = count
        game.head[KEY0], game.head[KEY1] = signed_words(key.to_bytes(16, "little"))
        game._last = _pack_refused(game, position.get("failed", []))
    except (ValueError, TypeError, LookupError, OverflowError) as problem:
        raise PositionError(f"The position's turn, key or failed orders cannot be read: {problem}.") from None


def rebuild_match(game: Match) -> Match:
    """The match that ``game.position()`` describes, without text for each cell where the game can do without."""
    kind = type(game)
    if kind.functions.rebuild is None:
        return read_position(kind, write_position(game))
    again: Match = kind.functions.rebuild(game)
    _read_frame(again, {**_write_frame(game), "failed": _write_failed(game)})
    return again


def failed_orders(game: "Game", player: int | None = None) -> Iterator[tuple[int, dict[str, Any] | None, Reason]]:
    """Last turn's orders that failed, of one player or of all: whose, the order (None if not understood), and why."""
    table = game._last.table
    failed = table[5] != 0 if player is None else (table[5] != 0) & (table[0] == player)
    for giver, verb, *values, code in table[:, failed].T.tolist():
        yield giver, game.codec.unpack(verb, values, game.board.dialect, game._last.pool), game.reason(code)


def list_failures(game: "Game", player: int | None = None) -> list[dict[str, Any]]:
    """`failed_orders` as plain data, with the sentence of each reason."""
    return [
        {"player": giver, "order": order, "reason": reason.name, "sentence": game.explain(reason, order)}
        for giver, order, reason in failed_orders(game, player)
    ]


def _pack_refused(game: "Game", entries: Sequence[Mapping[str, Any]]) -> Packed:
    """Failed orders in packed form again."""
    packer = packer_for(game.codec, game.board.dialect)
    rows: list[Row] = []
    for entry in entries:
        if not HOST_PLAYER <= entry["player"] < len(game.players):
            raise ValueError(f"there is no player {reprlib.repr(entry['player'])}")
        rows += packer.decode([entry["order"]], entry["player"] == HOST_PLAYER)[0]
    packed = packer.pack([entry["player"] for entry in entries], rows)
    names = {reason.name: int(reason) for reason in (*CommonReason, *game.reasons)}
    packed.table[5] = [names[entry["reason"]] for entry in entries]
    return packed
