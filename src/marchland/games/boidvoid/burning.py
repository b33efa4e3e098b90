"""An action that uses up an NFT, and the burning of it, as one: whatever dies in between, both happened or neither.

1. The NFT is reserved under a key. 2. The action is tried. 3. It is written to the journal: from here on it counts.
4. The NFT is burned. After a crash `recover` commits what the journal knows and releases the rest.
"""

from typing import Any, Protocol

from marchland.core.orders import HOST
from marchland.core.report import Report
from marchland.games.boidvoid.game import BoidVoid
from marchland.games.boidvoid.ledger import Ledger


class Journal(Protocol):
    """Where a host writes accepted actions, durably."""

    def write(self, key: str, player: int, order: dict[str, Any]) -> None:
        """Note an accepted action; when this returns, it counts."""

    def find(self, key: str) -> dict[str, Any] | None:
        """The order that was noted under a key, if any."""


def spend(game: BoidVoid, player: int, order: dict[str, Any], ledger: Ledger, journal: Journal, match: str) -> Report:
    """Give an order that burns or stakes the NFT ``order["nft"]`` of that player."""
    key = f"{match}/{game.turn}/{game.seq}/{order['nft']}"
    ledger.reserve(key, order["nft"], game.players[player])
    report = game.act(player, order)
    if not report.results[player][0].ok:
        ledger.release(key)
        return report
    journal.write(key, player, order)
    settle(key, order, ledger)
    if burns(order):
        game.act(HOST, {"do": "burned", "nft": order["nft"]})
    return report


def burns(order: dict[str, Any]) -> bool:
    """Building always burns; a boost or a stack may stake instead."""
    return order["do"] == "build" or order.get("mode") == "burn"


def settle(key: str, order: dict[str, Any], ledger: Ledger) -> None:
    """Burn for an action that counts; what is staked stays set aside until the game returns it."""
    if burns(order):
        ledger.commit(key)


def recover(ledger: Ledger, journal: Journal) -> list[str]:
    """After a crash: finish what counts, undo what does not. Returns the keys that were released."""
    released = []
    for key in sorted(ledger.reservations()):
        order = journal.find(key)
        if order is None:
            ledger.release(key)
            released.append(key)
        else:
            settle(key, order, ledger)
    return released
