"""The ledger of a Marchland server, for a host of seasons that runs elsewhere.

Albums are only read. What a game sets aside and uses up is noted in a file of its own, as with every `HttpLedger`: the
server spends items only for its own matches.
"""

import urllib.parse
from pathlib import Path
from typing import Any

from marchland.core.hosting import Item
from marchland.games.boidvoid.hosting import nft_of_item
from marchland.games.boidvoid.httpledger import HttpLedger
from marchland.games.boidvoid.ledger import Nft


class ServerLedger(HttpLedger):
    """``address`` is the server's; owners are accounts, by name or id."""

    def __init__(self, address: str, path: str | Path, timeout: float = 5.0) -> None:
        albums = f"{address.rstrip('/')}/api/v1/ledger/albums"
        super().__init__(albums, albums, path, timeout)

    def _staked(self, owner: str) -> int:
        return int(self._album(owner)["stake"])

    def _owned(self, owner: str) -> list[Nft]:
        items = self._album(owner)["items"]
        return [_nft(one, owner) for one in items if one["game"] == "boidvoid" and one["state"] == "free"]

    def _album(self, owner: str) -> Any:
        return self._get(f"{self.assets}/{urllib.parse.quote(owner, safe='')}")


def _nft(item: Any, owner: str) -> Nft:
    return nft_of_item(Item(item["id"], 0, item["kind"], item["template"], item["mint"], item["facts"]), owner)
