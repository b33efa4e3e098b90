"""The HTTP source of NFTs and stakes: a public AtomicAssets-style asset API and a stake API. Both are only read.

Calls block; run them in a thread. An answer is complete and well-formed, or `ExternalError` says what is wrong with it:
half a list of assets would take NFTs away from their owners.
"""

import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

from marchland.errors import MarchlandError

Asset = dict[str, Any]
"""One asset as the API returns it."""

PAGE = 100
_MOST_PAGES = 200
_MOST_BYTES = 8_000_000
_CHUNK = 65_536


class ExternalError(MarchlandError):
    """An API that does not answer, or not as it should."""


class ExternalApi:
    """Reads the assets and the staked power of a wallet."""

    def __init__(self, assets_url: str | None, stakes_url: str | None, timeout: float = 5.0) -> None:
        self.assets_url = assets_url and assets_url.rstrip("/")
        self.stakes_url = stakes_url and stakes_url.rstrip("/")
        self._timeout = timeout

    def fetch_assets(self, wallet: str) -> list[Asset]:
        """All assets of a wallet, each once."""
        found: dict[Any, Asset] = {}
        for page in range(1, _MOST_PAGES + 1):
            query = urllib.parse.urlencode({"owner": wallet, "page": page, "limit": PAGE})
            answer = self._get(f"{self.assets_url}/atomicassets/v1/assets?{query}")
            data = answer.get("data")
            if not answer.get("success") or not isinstance(data, list):
                raise ExternalError("it reports a failure or sends no list of assets")
            for asset in data:
                if not isinstance(asset, dict) or not str(asset.get("asset_id", "")).isdecimal():
                    raise ExternalError("it sends an asset without a number")
                found[str(asset["asset_id"])] = asset
            if len(data) < PAGE:
                return list(found.values())
        raise ExternalError(f"it lists more than {_MOST_PAGES * PAGE} assets of one wallet")

    def fetch_stake(self, wallet: str) -> int:
        """The power that a wallet has staked."""
        stake = self._get(f"{self.stakes_url}?{urllib.parse.urlencode({'account': wallet})}").get("stake")
        if isinstance(stake, bool) or not isinstance(stake, int) or not 0 <= stake < 2**53:
            raise ExternalError("it sends no whole number as the stake")
        return stake

    def _get(self, address: str) -> dict[str, Any]:
        """A JSON object; the timeout is for the whole answer, however slowly it arrives."""
        deadline = time.monotonic() + self._timeout
        content = bytearray()
        try:
            with urllib.request.urlopen(address, timeout=self._timeout) as response:
                while chunk := response.read1(_CHUNK):
                    content += chunk
                    if time.monotonic() > deadline:
                        raise ExternalError(f"it takes longer than {self._timeout:g} s")
                    if len(content) > _MOST_BYTES:
                        raise ExternalError(f"its answer has more than {_MOST_BYTES} bytes")
                if response.length:
                    raise ExternalError("its answer is incomplete")
            answer = json.loads(content)
        except ExternalError:
            raise
        except urllib.error.HTTPError as problem:
            raise ExternalError(f"it answers with status {problem.code}") from None
        except (OSError, http.client.HTTPException) as problem:
            raise ExternalError(f"it cannot be reached ({problem})") from None
        except ValueError:
            raise ExternalError("its answer is not JSON") from None
        if not isinstance(answer, dict):
            raise ExternalError("its answer is no JSON object")
        return answer
