"""The public WebSocket protocol of Colorfight: rooms, a channel for the state and one for actions."""

from typing import Any

from marchland.server.wire.colorfight.matches import WIRE
from marchland.server.wire.colorfight.routes import HANDLERS, complaint
from marchland.server.wire.colorfight.wire import Rooms


class ColorfightWire(Rooms):
    """Colorfight under ``/colorfight``: a client's base is ``ws://host/colorfight/gameroom/public``."""

    game = WIRE
    prefix = "/colorfight"
    handlers = HANDLERS

    def complaint(self, status: int, sentence: str) -> Any:
        """As everything else is refused here."""
        return complaint(sentence)


__all__ = ["ColorfightWire"]
