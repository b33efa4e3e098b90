"""The public WebSocket protocol of Colorfight: rooms, a channel for the state and one for actions."""

from typing import Any

from marchland.server.wire.colorfight.matches import WIRE
from marchland.server.wire.colorfight.routes import HANDLERS, error_body
from marchland.server.wire.colorfight.wire import Rooms


class ColorfightWire(Rooms):
    """Colorfight under ``/colorfight``: a client's base is ``ws://host/colorfight/gameroom/public``."""

    game = WIRE
    prefix = "/colorfight"
    handlers = HANDLERS

    def error_body(self, status: int, message: str) -> Any:
        """As everything else is refused here."""
        return error_body(message)


__all__ = ["ColorfightWire"]
