"""Join matches on a server, by hand or with a bot. Needs no engine: neither NumPy nor Numba is imported.

seat = marchland.client.connect("http://localhost:8000", token).join(match_id)
summary = seat.run(bot)
"""

from marchland.client.aio import AsyncClient
from marchland.client.aio_seat import AsyncSeat
from marchland.client.errors import ClientError, RefusedError, UnreachableError
from marchland.client.player import Summary
from marchland.client.seat import Seat
from marchland.client.sync import Client
from marchland.messages.learning import learn_types

learn_types()  # clients may be used in several threads


def connect(url: str, token: str | None = None) -> Client:
    """A server, as the account whose token this is; without one, look on or `Client.register`."""
    return Client(url, token)


def connect_async(url: str, token: str | None = None) -> AsyncClient:
    """The same for programs with an event loop."""
    return AsyncClient(url, token)


__all__ = [
    "AsyncClient",
    "AsyncSeat",
    "Client",
    "ClientError",
    "RefusedError",
    "Seat",
    "Summary",
    "UnreachableError",
    "connect",
    "connect_async",
]
