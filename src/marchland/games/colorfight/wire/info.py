"""Seed, "Communication": the message to a client."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from marchland.core.report import Report
from marchland.games.colorfight.wire.errors import errors_of
from marchland.games.colorfight.wire.map_text import objects_text
from marchland.games.colorfight.wire.users_text import players_text
from marchland.messages import Raw

if TYPE_CHECKING:
    from marchland.games.colorfight.game import Colorfight


class GameInfo(dict[str, Any]):
    """A dict whose large parts are JSON text until they are read.

    ``msgspec.json.encode`` writes such a part as it is, which is much faster than decoding and encoding it.
    """

    def __getitem__(self, key: str) -> Any:
        """A part as data."""
        value = super().__getitem__(key)
        if isinstance(value, Raw):
            value = self[key] = msgspec.json.decode(value)
        return value

    def get(self, key: str, default: Any = None) -> Any:
        """A part as data."""
        return self[key] if key in self else default  # noqa: SIM401 - this is `get`

    def values(self) -> Any:
        """The parts as data."""
        return self._decode_all().values()

    def items(self) -> Any:
        """The parts by name as data."""
        return self._decode_all().items()

    def copy(self) -> dict[str, Any]:
        """A plain dict."""
        return self._decode_all()

    def __iter__(self) -> Iterator[str]:
        """The names; with this method ``dict(info)`` and ``{**info}`` read the parts as data."""
        return super().__iter__()

    def __eq__(self, other: object) -> bool:
        """Whether the data are equal."""
        return self._decode_all() == other

    __hash__ = None

    def __repr__(self) -> str:
        """The data."""
        return repr(self._decode_all())

    def _decode_all(self) -> dict[str, Any]:
        return {key: self[key] for key in self}


def get_game_info(game: "Colorfight", report: Report | None = None) -> GameInfo:
    """The seed's "Format of game info". Players count from 0; a cell without an owner has none.

    With the last turn's report, what was no command at all is among the errors as well.
    """
    return GameInfo(
        turn=game.turn,
        info={"max_turn": game.config.max_turn, "width": game.config.width, "height": game.config.height},
        error=errors_of(game, None if report is None else report.order_input),
        game_map=Raw(objects_text(game)),
        users=Raw(players_text(game)),
    )
