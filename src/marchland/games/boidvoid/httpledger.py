"""A ledger behind HTTP: NFTs from a public AtomicAssets-style asset API, staked power from a stake API (ruling 26).

The chain is only read. What a game sets aside and uses up is noted in a file of its own, so that nothing is used twice
before the chain tells. While an API is down, the last known values stand, with a warning.
"""

import json
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any, get_args

from marchland.games.boidvoid.ledger import MODIFIERS, FileLedger, Kind, Nft

_PAGE = 100


class HttpLedger(FileLedger):
    """``assets`` and ``stakes`` are the two addresses; ``path`` is where last known values and burns are kept."""

    def __init__(self, assets: str, stakes: str, path: str | Path, timeout: float = 5.0) -> None:
        self.assets, self.stakes, self.timeout = assets.rstrip("/"), stakes.rstrip("/"), timeout
        self._troubles: dict[str, str] = {}
        super().__init__(path)

    @property
    def warning(self) -> str:  # type: ignore[override]
        """What does not answer at present."""
        return " ".join(self._troubles.values())

    def nfts(self, owner: str) -> list[Nft]:
        """The NFTs that the asset API lists for the owner, or the last ones it did."""
        try:
            listed = self._owned(owner)
        except (OSError, ValueError, KeyError, TypeError) as problem:
            self._troubles["assets"] = f"The asset API does not answer ({problem}); the last known NFTs stand."
        else:
            self._troubles.pop("assets", None)
            if listed != [nft for nft in self.book.nfts if nft.owner == owner]:
                ids = {nft.id for nft in listed}
                self.book.nfts = [nft for nft in self.book.nfts if nft.owner != owner and nft.id not in ids] + listed
                self._save()
        return super().nfts(owner)

    def stake(self, owner: str) -> int:
        """The power that the stake API tells, or the last it did."""
        try:
            amount = self._staked(owner)
        except (OSError, ValueError, KeyError, TypeError) as problem:
            self._troubles["stakes"] = f"The stake API does not answer ({problem}); the last known stakes stand."
        else:
            self._troubles.pop("stakes", None)
            if self.book.stakes.get(owner) != amount:
                self.set_stake(owner, amount)
        return super().stake(owner)

    def reserve(self, key: str, nft: int, owner: str) -> None:
        """Set an NFT aside by what is known, so that a game goes on while the API is down."""
        known = FileLedger.nfts(self, owner)
        if all(held.id != nft for held in known) and {**self.book.reserved, **self.book.burned}.get(key) != nft:
            self.nfts(owner)
        super().reserve(key, nft, owner)

    def _staked(self, owner: str) -> int:
        return int(self._get(f"{self.stakes}?{urllib.parse.urlencode({'account': owner})}")["stake"])

    def _owned(self, owner: str) -> list[Nft]:
        found: list[Nft] = []
        page = 1
        while True:
            query = urllib.parse.urlencode({"owner": owner, "page": page, "limit": _PAGE})
            answer = self._get(f"{self.assets}/atomicassets/v1/assets?{query}")
            if not answer.get("success"):
                raise ValueError("it reports a failure")
            found += [nft for data in answer["data"] if (nft := nft_of(data)) is not None]
            if len(answer["data"]) < _PAGE:
                return found
            page += 1

    def _get(self, address: str) -> Any:
        with urllib.request.urlopen(address, timeout=self.timeout) as response:
            return json.load(response)


def nft_of(data: dict[str, Any]) -> Nft | None:
    """An asset as the API writes it; None for one that is no NFT of this game."""
    facts = data.get("data") or {}
    schema = data["schema"]["schema_name"]
    kind = facts.get("kind", schema)
    if kind not in get_args(Kind):
        return None
    template = data.get("template") or {}
    modifiers = {name: int(value) for name, value in facts.items() if name in MODIFIERS[kind]}
    return Nft(
        id=int(data["asset_id"]),
        owner=data["owner"],
        kind=kind,
        mint=int(data.get("template_mint") or 0),
        collection=data["collection"]["collection_name"],
        schema=schema,
        template=int(template.get("template_id") or 0),
        transferable=bool(data.get("is_transferable", True)),
        burnable=bool(data.get("is_burnable", True)),
        sprite=str(facts.get("sprite", facts.get("img", ""))),
        modifiers=modifiers,
        turns=int(facts.get("turns", 0)),
    )
