"""Addresses of clients: the key of their rate limit, and lists of networks."""

import functools
import ipaddress
from collections.abc import Iterable

from marchland.errors import MarchlandError

_IPV6_PREFIX = 64
"""One subscriber has at least a /64, so single IPv6 addresses are no limit."""

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@functools.lru_cache(maxsize=10_000)
def limit_key(address: str) -> str:
    """What shares a rate limit: an IPv4 address, or the /64 network of an IPv6 address."""
    parsed = _parse(address)
    if isinstance(parsed, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((parsed, _IPV6_PREFIX), strict=False))
    return address if parsed is None else str(parsed)


class Networks:
    """Addresses and networks, such as ``10.0.0.0/8`` or ``::1``."""

    def __init__(self, given: Iterable[str]) -> None:
        self._networks = [parse_network(text) for text in given]

    def __contains__(self, address: str) -> bool:
        parsed = _parse(address)
        return parsed is not None and any(parsed in network for network in self._networks)


def parse_network(given: str) -> Network:
    """An address or network as it was given in a setting."""
    try:
        return ipaddress.ip_network(given.strip())
    except ValueError:
        message = f"{given!r} is no address or network; write 10.0.0.7, 10.0.0.0/8 or fd00::/8."
        raise MarchlandError(message) from None


def _parse(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return None
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is not None:
        return parsed.ipv4_mapped
    return parsed
