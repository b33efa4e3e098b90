"""HTTP source of NFTs and stakes: a public AtomicAssets-style asset API and a stake API. Both are only read.

While an API does not answer, the last known values are returned and `warning` says so. Calls block; run them in a
thread. What an asset means to a game is the game's business: `nft_from_asset` in BoidVoid's `season/items.py`.
"""

import json
import urllib.parse
import urllib.request
from typing import Any

Asset = dict[str, Any]
"""One asset as the API returns it."""

_PAGE = 100


class ExternalLedger:
    """Reads the assets and the staked power of an account."""

    def __init__(self, assets_url: str, stakes_url: str, timeout: float = 5.0) -> None:
        self._assets_url, self._stakes_url = assets_url.rstrip("/"), stakes_url.rstrip("/")
        self._timeout = timeout
        self._assets: dict[str, list[Asset]] = {}
        self._stakes: dict[str, int] = {}
        self._warnings: dict[str, str] = {}

    @property
    def warning(self) -> str:
        """Which API does not answer at present; empty if both do."""
        return " ".join(self._warnings.values())

    def assets(self, owner: str) -> list[Asset]:
        """The assets that the API lists for the owner, or the last known ones."""
        try:
            self._assets[owner] = self._fetch_assets(owner)
        except (OSError, ValueError, KeyError, TypeError) as problem:
            self._warnings["assets"] = f"The asset API does not answer ({problem}); the last known NFTs stand."
        else:
            self._warnings.pop("assets", None)
        return self._assets.get(owner, [])

    def stake(self, owner: str) -> int:
        """The power that the owner has staked, or the last known amount."""
        try:
            self._stakes[owner] = self._fetch_stake(owner)
        except (OSError, ValueError, KeyError, TypeError) as problem:
            self._warnings["stakes"] = f"The stake API does not answer ({problem}); the last known stakes stand."
        else:
            self._warnings.pop("stakes", None)
        return self._stakes.get(owner, 0)

    def _fetch_stake(self, owner: str) -> int:
        return int(self._get(f"{self._stakes_url}?{urllib.parse.urlencode({'account': owner})}")["stake"])

    def _fetch_assets(self, owner: str) -> list[Asset]:
        found: list[Asset] = []
        page = 1
        while True:
            query = urllib.parse.urlencode({"owner": owner, "page": page, "limit": _PAGE})
            answer = self._get(f"{self._assets_url}/atomicassets/v1/assets?{query}")
            if not answer.get("success"):
                raise ValueError("it reports a failure")
            found += answer["data"]
            if len(answer["data"]) < _PAGE:
                return found
            page += 1

    def _get(self, address: str) -> Any:
        with urllib.request.urlopen(address, timeout=self._timeout) as response:
            return json.load(response)
