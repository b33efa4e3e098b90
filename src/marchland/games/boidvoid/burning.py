"""An action that uses an NFT, and what the ledger does with it, as one: both happened or neither, whatever dies.

1. The NFT is reserved under a key. 2. The action is tried. 3. It is written to the journal: from here on it counts.
4. What burns is burned; what is staked or equipped stays reserved until the game frees it: `give_back` releases it.
After a crash `recover` commits what the journal knows and releases the rest.
"""

from collections.abc import Sequence, Set
from typing import TYPE_CHECKING, Any, Protocol

from marchland.core.orders import HOST
from marchland.core.report import Report
from marchland.games.boidvoid.codes import BY_STAKING, EQUIPPED, FREE, ITEMS, NFT_KINDS, NOBODY
from marchland.games.boidvoid.ledger import Ledger, Nft, host_orders
from marchland.games.boidvoid.state import Items

if TYPE_CHECKING:
    from marchland.games.boidvoid.game import BoidVoid

HOUSE_IDS = 1_000_000
"""NFTs with ids below are the house's own, of which no ledger knows."""


class Journal(Protocol):
    """Where a host writes accepted actions, durably."""

    def write(self, key: str, player: int, order: dict[str, Any]) -> None:
        """Note an accepted action; when this returns, it counts."""

    def find(self, key: str) -> dict[str, Any] | None:
        """The order that was noted under a key, if any."""


def reservation_key(match: str, game: "BoidVoid", order: dict[str, Any]) -> str:
    """The key for an action that is about to be given."""
    return f"{match}/{game.turn}/{game.seq}/{order['nft']}"


def match_of(key: str) -> str:
    """The match for which a key was made."""
    return key.rsplit("/", 3)[0]


def spend(game: "BoidVoid", player: int, order: dict[str, Any], ledger: Ledger, journal: Journal, match: str) -> Report:
    """Give an order that burns, stakes or equips the NFT ``order["nft"]`` of that player."""
    key = reservation_key(match, game, order)
    ledger.reserve(key, order["nft"], game.players[player])
    report = game.act(player, order)
    if not report.results[player][0].ok:
        ledger.release(key)
        return report
    journal.write(key, player, order)
    settle(key, order, ledger)
    if burns(order):
        game.act(HOST, {"do": "burned", "nft": order["nft"]})
    give_back(game, ledger, match)
    return report


def burns(order: dict[str, Any]) -> bool:
    """Building always burns; a boost or a stack may stake instead."""
    return order["do"] == "build" or order.get("mode") == "burn"


def settle(key: str, order: dict[str, Any], ledger: Ledger) -> None:
    """Burn for an action that counts; what is staked stays set aside until the game returns it."""
    if burns(order):
        ledger.commit(key)


def recover(ledger: Ledger, journal: Journal, match: str) -> list[str]:
    """After a crash: finish what counts, undo what does not. Returns the keys that were released."""
    released = []
    for key in sorted(key for key in ledger.reservations() if match_of(key) == match):
        order = journal.find(key)
        if order is None:
            ledger.release(key)
            released.append(key)
        else:
            settle(key, order, ledger)
    return released


def freed(game: "BoidVoid") -> set[int]:
    """The NFTs that the game does not use, or not any more."""
    items: Items = game.part(Items)
    count = int(game.head[ITEMS])
    kept = (items.mode[:count] == BY_STAKING) | (items.use[:count] == EQUIPPED)
    free = (items.use[:count] == FREE) | (kept & (game.outcome is not None))
    return set(items.id[:count][free].tolist())


def give_back(game: "BoidVoid", ledger: Ledger, match: str) -> list[str]:
    """Release what the game has freed: after a boost, a fall or a change of equipment, and after the match whatever is
    not burned. Returns the keys; to ask again changes nothing."""
    mine = freed(game)
    keys = sorted(key for key, nft in ledger.reservations().items() if match_of(key) == match and nft in mine)
    for key in keys:
        ledger.release(key)
    return keys


def possession_orders(game: "BoidVoid", ledger: Ledger) -> list[dict[str, Any]]:
    """What a game must be told of its players' NFTs: new ones, those that changed hands and those that are gone."""
    held = [(nft, seat) for seat, name in enumerate(game.players) for nft in ledger.nfts(name)]
    return changes_of_hands(game, held, set(ledger.reservations().values()))


def changes_of_hands(game: "BoidVoid", held: Sequence[tuple[Nft, int]], reserved: Set[int]) -> list[dict[str, Any]]:
    """The same from what is free in each seat's hands, and what is set aside."""
    items: Items = game.part(Items)
    known = {int(items.id[row]): row for row in range(int(game.head[ITEMS]))}
    free = {nft.id for nft, _ in held}
    orders = []
    for nft, seat in held:
        row = known.get(nft.id, NOBODY)
        if row == NOBODY:
            orders += host_orders(nft, seat)
        elif items.player[row] != seat and items.use[row] == FREE:
            orders += host_orders(nft, seat)[:1]
    for name, row in known.items():
        gone = name >= HOUSE_IDS and name not in free and name not in reserved
        if gone and items.player[row] != NOBODY and items.use[row] == FREE:
            orders.append({"do": "nft", "nft": name, "player": NOBODY, "kind": NFT_KINDS[items.kind[row]]})
    return orders
