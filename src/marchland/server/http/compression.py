"""permessage-deflate for broadcasts: each message is compressed once for all readers."""

from collections import OrderedDict
from collections.abc import Sequence

from websockets.extensions import Extension
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.frames import Frame, Opcode
from websockets.typing import ExtensionParameter

_SHARED_FROM = 2_048  # bytes; smaller messages are mostly for one reader
_MAX_CACHED = 32

_cache: OrderedDict[tuple[int, Opcode, bytes], Frame] = OrderedDict()


class SharedDeflate(PerMessageDeflate):
    """Caches compressed messages. There is no context takeover, so that a reader may miss any of them."""

    def encode(self, frame: Frame) -> Frame:
        """The frame, compressed."""
        whole = frame.fin and frame.opcode in (Opcode.TEXT, Opcode.BINARY)
        if not whole or not self.local_no_context_takeover or len(frame.data) < _SHARED_FROM:
            return super().encode(frame)
        key = (self.local_max_window_bits, frame.opcode, bytes(frame.data))
        compressed = _cache.get(key)
        if compressed is None:
            compressed = _cache[key] = super().encode(frame)
            if len(_cache) > _MAX_CACHED:
                _cache.popitem(last=False)
        return compressed


class SharedDeflateFactory(ServerPerMessageDeflateFactory):
    """Negotiates `SharedDeflate` with a client."""

    def __init__(self) -> None:
        super().__init__(
            server_no_context_takeover=True,
            server_max_window_bits=12,
            client_max_window_bits=12,
            compress_settings={"memLevel": 5},
        )

    def process_request_params(
        self, params: Sequence[ExtensionParameter], accepted_extensions: Sequence[Extension]
    ) -> tuple[list[ExtensionParameter], PerMessageDeflate]:
        """The negotiated parameters and extension."""
        parameters, extension = super().process_request_params(params, accepted_extensions)
        return parameters, SharedDeflate(
            extension.remote_no_context_takeover,
            extension.local_no_context_takeover,
            extension.remote_max_window_bits,
            extension.local_max_window_bits,
            extension.compress_settings,
        )
