"""For how long a node may take a match for its own without asking the database."""

import time
from collections.abc import Callable


class Holding:
    """The leases of a node by its own clock, which goes on while the node stands still and another takes over."""

    def __init__(self, lease: float, *, contested: bool) -> None:
        self._lease = lease
        self._contested = contested
        self._renewed = 0.0

    def renewed(self, asked: float) -> None:
        """All leases of this node were renewed, by a request of that moment."""
        self._renewed = asked

    def of(self, claimed: float) -> Callable[[], bool]:
        """Tells whether a match that was claimed at that moment is certainly still ours."""
        return lambda: not self._contested or time.monotonic() < max(claimed, self._renewed) + self._lease
