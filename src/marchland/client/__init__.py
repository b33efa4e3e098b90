"""Play matches on a server, with a bot or order by order. Imports neither NumPy nor the engine.

seat = marchland.client.connect("http://localhost:8000", token).join(match_id)
summary = seat.run(bot)
"""

from marchland.client._bot_runner import OnTurn, Summary
from marchland.client._client import AsyncClient, Client
from marchland.client._errors import ClientError, RefusedError, UnreachableError
from marchland.client._seat import AsyncSeat, Seat
from marchland.messages._prepare import prepare_types

prepare_types()  # clients may be used in several threads


def connect(url: str, token: str | None = None) -> Client:
    """A client for the account of this token; without a token, a spectator or a new account by `Client.register`."""
    return Client(url, token)


def connect_async(url: str, token: str | None = None) -> AsyncClient:
    """`connect` for programs with an event loop."""
    return AsyncClient(url, token)


__all__ = [
    "AsyncClient",
    "AsyncSeat",
    "Client",
    "ClientError",
    "OnTurn",
    "RefusedError",
    "Seat",
    "Summary",
    "UnreachableError",
    "connect",
    "connect_async",
]
