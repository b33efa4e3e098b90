"""The public HTTP protocol of Hive: games by name, tokens, orders, and a socket that tells of turns."""

from marchland.server.wire.hive.routes import EXCEPTIONS, HANDLERS
from marchland.server.wire.hive.service import Hives


class HiveWire(Hives):
    """Hive under ``/hive``."""

    prefix = "/hive"
    handlers = HANDLERS
    exception_handlers = EXCEPTIONS


__all__ = ["HiveWire"]
