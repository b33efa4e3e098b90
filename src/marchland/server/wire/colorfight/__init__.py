"""The public WebSocket protocol of Colorfight: rooms, a channel for the state and one for actions."""

from marchland.server.wire.colorfight.routes import HANDLERS
from marchland.server.wire.colorfight.service import Rooms


class ColorfightWire(Rooms):
    """Colorfight under ``/colorfight``: a client's base is ``ws://host/colorfight/gameroom/public``."""

    prefix = "/colorfight"
    handlers = HANDLERS


__all__ = ["ColorfightWire"]
