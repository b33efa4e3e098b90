"""The HTTP source of NFTs and stakes: a public AtomicAssets-style asset API and a stake API. Both are only read.

An answer is complete and well-formed, or `ExternalError` says what is wrong with it: half a list of assets would take
NFTs away from their owners.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Collection, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from marchland.errors import MarchlandError

if TYPE_CHECKING:
    import httpx

Asset = dict[str, Any]
"""One asset as the API returns it."""

PAGE = 100
_MOST_PAGES = 200
_MOST_BYTES = 8_000_000
_SERVER_ERRORS = 500
_TOO_MANY_REQUESTS = 429


class ExternalError(MarchlandError):
    """An answer for one wallet that cannot be used."""


class ApiDownError(ExternalError):
    """An API that answers for no wallet now."""


class ExternalApi:
    """The addresses of the APIs. The timeout is for each answer as a whole, however slowly it arrives."""

    def __init__(self, assets_url: str | None, stakes_url: str | None, timeout: float = 5.0) -> None:
        self.assets_url = assets_url and assets_url.rstrip("/")
        self.stakes_url = stakes_url and stakes_url.rstrip("/")
        self.timeout = timeout

    @contextlib.asynccontextmanager
    async def session(self) -> AsyncIterator["ApiSession"]:
        """Connections that serve the requests for many wallets."""
        import httpx  # here, since most servers follow no external ledger

        async with httpx.AsyncClient(follow_redirects=True, timeout=None) as http:
            yield ApiSession(self, http)


class ApiSession:
    """Reads the assets and the staked power of wallets."""

    def __init__(self, api: ExternalApi, http: "httpx.AsyncClient") -> None:
        self._api = api
        self._http = http

    async def fetch_assets(self, wallet: str, collections: Collection[str]) -> list[Asset]:
        """All assets of a wallet from these collections, each once."""
        found: dict[str, Asset] = {}
        address = f"{self._api.assets_url}/atomicassets/v1/assets"
        query = {"owner": wallet, "collection_whitelist": ",".join(sorted(collections)), "limit": str(PAGE)}
        for page in range(1, _MOST_PAGES + 1):
            answer = await self._get(address, {**query, "sort": "asset_id", "order": "asc", "page": str(page)})
            data = answer.get("data")
            if not answer.get("success") or not isinstance(data, list):
                raise ExternalError("it reports a failure or sends no list of assets")
            for asset in data:
                if not isinstance(asset, dict) or not str(asset.get("asset_id", "")).isdecimal():
                    raise ExternalError("it sends an asset without a number")
                found[str(asset["asset_id"])] = asset
            if len(data) < PAGE:
                return [asset for asset in found.values() if asset.get("owner") == wallet]
        raise ExternalError(f"it lists more than {_MOST_PAGES * PAGE} assets of one wallet")

    async def fetch_stake(self, wallet: str) -> int:
        """The power that a wallet has staked."""
        stake = (await self._get(str(self._api.stakes_url), {"account": wallet})).get("stake")
        if isinstance(stake, bool) or not isinstance(stake, int) or not 0 <= stake < 2**53:
            raise ExternalError("it sends no whole number as the stake")
        return stake

    async def _get(self, address: str, query: Mapping[str, str]) -> dict[str, Any]:
        """A JSON object."""
        import httpx

        try:
            async with asyncio.timeout(self._api.timeout):
                content = await self._read(httpx.URL(address).copy_merge_params(query))
        except TimeoutError:
            raise ApiDownError(f"it takes longer than {self._api.timeout:g} s") from None
        except (httpx.HTTPError, httpx.InvalidURL) as problem:
            raise ApiDownError(f"it cannot be reached ({problem})") from None
        try:
            answer = msgspec.json.decode(content)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise ExternalError("its answer is not JSON") from None
        if not isinstance(answer, dict):
            raise ExternalError("its answer is no JSON object")
        return answer

    async def _read(self, url: "httpx.URL") -> bytes:
        content = bytearray()
        async with self._http.stream("GET", url) as response:
            if response.status_code >= _SERVER_ERRORS or response.status_code == _TOO_MANY_REQUESTS:
                raise ApiDownError(f"it answers with status {response.status_code}")
            if not response.is_success:
                raise ExternalError(f"it answers with status {response.status_code}")
            async for chunk in response.aiter_bytes():
                content += chunk
                if len(content) > _MOST_BYTES:
                    raise ExternalError(f"its answer has more than {_MOST_BYTES} bytes")
        return bytes(content)


def collection_of(asset: Mapping[str, Any]) -> str | None:
    """The collection of an asset, if it names one."""
    collection = asset.get("collection")
    name = collection.get("collection_name") if isinstance(collection, dict) else None
    return name if isinstance(name, str) else None
