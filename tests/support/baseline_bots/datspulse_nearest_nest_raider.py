"""A rival for DatsPulse's `greedy`: the earlier one's economy, but each worker raids the nest that is nearest to it."""

from collections.abc import Sequence
from typing import Any

from datspulse_greedy import Bot as Predecessor  # type: ignore[import-not-found]  # found beside this file
from datspulse_greedy import Colony as PredecessorColony
from datspulse_greedy import board_of, to_observation

from marchland.core.builtin_bots import Orders
from marchland.games.datspulse.rules.state import ANTHILL, NECTAR, ROCK, WORKER


class Colony(PredecessorColony):  # type: ignore[misc]
    """One team's memory and plans."""

    def raids(self, workers: Sequence[int]) -> dict[int, int]:
        """Send workers without food in sight to the nearest nests whose nectar is known."""
        load = int(self.seen["capacity"][WORKER])
        nests = self.foreign[self.food[self.foreign] == NECTAR].tolist()
        needed = {nest: -(-int(self.amount[nest]) // load) for nest in nests}
        trips = sorted(
            (self.board.distance(int(self.seen["ant_cell"][row]), nest), row, nest) for row in workers for nest in nests
        )
        goals: dict[int, int] = {}
        for _, row, nest in trips:
            gates = [cell for cell in self.board.neighbours(nest) if self.terrain[cell] not in (ROCK, ANTHILL)]
            if row not in goals and needed[nest] > 0 and gates:
                goals[row] = min(gates, key=lambda gate: self.board.distance(int(self.seen["ant_cell"][row]), gate))
                needed[nest] -= 1
        return goals


class Bot(Predecessor):  # type: ignore[misc]
    """Plays like its predecessor but for its raids."""

    _colony: Any

    def play(self, view: Any) -> Orders:
        """The orders of this turn; what it has seen before, it remembers."""
        seen = to_observation(view)
        if self._colony is None or self._colony.is_of_another_match(seen):
            self._colony = Colony(board_of(seen), seen)
        orders: Orders = super().play(seen)
        return orders
