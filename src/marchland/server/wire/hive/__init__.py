"""The public HTTP protocol of Hive: games by name, tokens, orders, and a socket with the turn numbers."""

from marchland.server.wire.hive.wire import HiveWire

__all__ = ["HiveWire"]
