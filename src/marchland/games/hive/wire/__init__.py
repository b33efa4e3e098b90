"""Hive in the words of the public competition's server: the state, orders and the history of a game."""

from marchland.games.hive.wire.history import history_bytes
from marchland.games.hive.wire.influence import InfluenceLog
from marchland.games.hive.wire.orders import BadOrdersError, read_orders, write_order
from marchland.games.hive.wire.state import game_bytes

__all__ = ["BadOrdersError", "InfluenceLog", "game_bytes", "history_bytes", "read_orders", "write_order"]
