"""The server's log: one JSON object per line, for log collectors."""

import logging
import sys
import time
from contextvars import ContextVar
from typing import Any

import msgspec

_STANDARD_FIELDS = frozenset(logging.LogRecord("", 0, "", 0, "", (), None).__dict__) | {
    "message",
    "asctime",
    "color_message",
}


class LoggedRequest(msgspec.Struct):
    """The request on whose behalf code runs; ``id`` is None after its end, for tasks that it started."""

    id: str | None


logged_request: ContextVar[LoggedRequest | None] = ContextVar("logged_request", default=None)
"""Set by the middleware; tasks and threads of the request inherit it."""


class JsonLines(logging.Formatter):
    """Formats a record as JSON: time, level, message, extra fields, traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line of JSON."""
        line: dict[str, Any] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "what": record.getMessage(),
            **_request_field(),
            **{name: value for name, value in record.__dict__.items() if name not in _STANDARD_FIELDS},
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line, enc_hook=str).decode()


def _request_field() -> dict[str, str]:
    request = logged_request.get()
    return {} if request is None or request.id is None else {"request_id": request.id}


def set_up(level: str = "INFO") -> None:
    """Send every log to stderr, as lines of JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for noisy in ("alembic", "sqlalchemy", "uvicorn.access", "uvicorn.error", "websockets"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
