"""The public WebSocket protocol of Colorfight: rooms, a channel for the state and one for actions."""

from marchland.server.wire.colorfight.wire import ColorfightWire

__all__ = ["ColorfightWire"]
