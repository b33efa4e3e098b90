"""Messages of a WebSocket as text or bytes, whichever its client sends."""

from starlette.websockets import WebSocket, WebSocketDisconnect

_NORMAL_CLOSURE = 1000

CLOSED = (WebSocketDisconnect, RuntimeError)
"""What sending and receiving raise once either side has closed the connection."""


async def receive_data(socket: WebSocket) -> str | bytes:
    """The next message; raises `WebSocketDisconnect` after the last."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or _NORMAL_CLOSURE)
    text: str | None = message.get("text")
    data: bytes = message.get("bytes") or b""
    return data if text is None else text
