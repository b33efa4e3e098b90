"""The public HTTP protocol of Hive: games by name, tokens, orders, and a socket that tells of turns."""

from typing import Any

from marchland.server.wire.hive.games import WIRE
from marchland.server.wire.hive.routes import EXCEPTIONS, HANDLERS
from marchland.server.wire.hive.wire import Hives


class HiveWire(Hives):
    """Hive under ``/hive``."""

    game = WIRE
    prefix = "/hive"
    handlers = HANDLERS
    exception_handlers = EXCEPTIONS

    def error_body(self, status: int, message: str) -> Any:
        """Errors are texts."""
        return message


__all__ = ["HiveWire"]
