"""A WebSocket client that writes frames byte by byte, as no library would."""

import contextlib
import select
import socket
import struct
import time
from collections.abc import Iterator

CONTINUATION, TEXT, CLOSE, PING = 0x0, 0x1, 0x8, 0x9
_FINAL, _MASKED = 0x80, 0x80


class RawSocket:
    """An open WebSocket over a plain TCP connection."""

    def __init__(self, port: int, path: str, *headers: str) -> None:
        lines = [
            f"GET {path} HTTP/1.1",
            "Host: x",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            *headers,
        ]
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self._socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self._received = b""
        while b"\r\n\r\n" not in self._received:
            self._received += self._read()
        head, _, self._received = self._received.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101"), head

    def send(self, data: bytes, seconds: float = 30) -> None:
        """Send bytes and read what arrives meanwhile, until the server closes or has read nothing for ``seconds``."""
        view = memoryview(data)
        last_read = time.monotonic()
        with contextlib.suppress(ConnectionError):
            while view:
                readable, writable, _ = select.select([self._socket], [self._socket], [], seconds)
                if readable:
                    self._received += self._read()
                if writable:
                    view = view[self._socket.send(view[:65_536]) :]
                    last_read = time.monotonic()
                elif time.monotonic() - last_read >= seconds:
                    raise TimeoutError("The server reads nothing.")

    def close_frame(self) -> tuple[int, str]:
        """Code and reason with which the server closes."""
        while True:
            opcode, payload = self._next_frame()
            if opcode == CLOSE:
                return struct.unpack("!H", payload[:2])[0], payload[2:].decode()

    def close(self) -> None:
        self._socket.close()

    def _next_frame(self) -> tuple[int, bytes]:
        first, second = self._take(2)
        size = second
        if size == 126:
            (size,) = struct.unpack("!H", self._take(2))
        elif size == 127:
            (size,) = struct.unpack("!Q", self._take(8))
        return first & 0x0F, self._take(size)

    def _take(self, size: int) -> bytes:
        while len(self._received) < size:
            self._received += self._read()
        taken, self._received = self._received[:size], self._received[size:]
        return taken

    def _read(self) -> bytes:
        data = self._socket.recv(65_536)
        if not data:
            raise ConnectionError("The server has closed the connection.")
        return data


@contextlib.contextmanager
def raw_socket(port: int, path: str, *headers: str) -> Iterator[RawSocket]:
    """An open WebSocket, closed afterwards."""
    opened = RawSocket(port, path, *headers)
    try:
        yield opened
    finally:
        opened.close()


def frame(opcode: int, payload: bytes = b"", *, final: bool = True) -> bytes:
    """A short frame, masked with zeros."""
    assert len(payload) < 126
    return bytes([opcode | (_FINAL if final else 0), _MASKED | len(payload)]) + bytes(4) + payload
