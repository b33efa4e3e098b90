"""A bot in any language: a process that gets a line for each turn and answers with one. See docs/bots.md."""

import contextlib
import os
import tempfile
import time
from collections.abc import Sequence
from typing import Any

import msgspec

from marchland.bots.child import LONGEST_LINE, Child, TooLongError
from marchland.bots.command import name_of, words_of
from marchland.errors import BotError

PROTOCOL = 1
SECONDS = 2.0
"""How long a turn may take it."""
FIRST_SECONDS = 10.0
"""How long its first one may: it has to start."""

_TO_LEAVE = 1.0
_LONGEST_QUOTE = 120


class ProcessBot:
    """A bot like any other, whose mind is a process. Once it has failed it plays no more."""

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        seconds: float = SECONDS,
        first_seconds: float = FIRST_SECONDS,
        seed: int | None = None,
    ) -> None:
        if os.name != "posix":
            raise BotError("Bots by command need Linux or macOS.")
        self._words = words_of(command) if isinstance(command, str) else list(command)
        self._name = name_of(command if isinstance(command, str) else " ".join(command))
        self._seconds = seconds
        self._first_seconds = self._allowed = max(seconds, first_seconds)
        self._seed = seed
        self._child: Child | None = None
        self._failure = ""
        self._results: list[dict[str, Any]] = []

    @property
    def stderr(self) -> str:
        """The end of what it wrote to stderr, and of what it printed that was no answer."""
        return self._child.stderr.decode(errors="replace") if self._child else ""

    def start(self, info: dict[str, Any]) -> None:
        """Start the process and tell it what it plays; a failure shows when it is asked for orders."""
        self.close()
        self._failure, self._allowed = "", self._first_seconds
        try:
            self._child = Child(self._words)
        except OSError as problem:
            self._failure = f"it cannot be started: {problem.strerror or problem}."
            return
        told = {**info, "seed": self._seed, "seconds": self._seconds}
        self._child.send(_line({"type": "start", "protocol": PROTOCOL, **told}))

    def results(self, results: list[dict[str, Any]]) -> None:
        """Tell it with the next turn what became of its orders."""
        self._results = results

    def play(self, view: dict[str, Any]) -> Any:
        """Its orders; raises `BotError` if there are none in time, and from then on."""
        if self._child is None and not self._failure:
            self.start({})
        if self._child is None or self._failure:
            raise BotError(self._failure)
        turn, child = view["turn"], self._child
        child.send(_line({"type": "turn", "turn": turn, "view": view, "results": self._results}))
        self._results = []
        try:
            answer = self._answer(child, turn, time.monotonic() + self._allowed)
        except TimeoutError:
            raise self._failed(f"it gave no answer within {self._allowed:g} seconds and was stopped") from None
        except TooLongError:
            raise self._failed(f"it wrote {LONGEST_LINE >> 20} MB without an answer and was stopped") from None
        self._allowed = self._seconds
        return answer

    def end(self, outcome: dict[str, Any] | None) -> None:
        """Tell it how the match ended, and let it leave by itself."""
        if self._child is not None and not self._failure:
            self._child.send(_line({"type": "end", "outcome": outcome}))
            self._child.leave(time.monotonic() + _TO_LEAVE)

    def close(self) -> None:
        """End it, however far it is."""
        if self._child is not None:
            self._child.end()

    def _answer(self, child: Child, turn: int, deadline: float) -> Any:
        while (line := child.line(deadline)) is not None:
            answer = _decoded(line)
            if isinstance(answer, list):
                return answer
            if isinstance(answer, dict) and "orders" in answer and answer.get("turn", turn) == turn:
                if answer.get("error"):
                    raise BotError(str(answer["error"]))
                return answer["orders"]
            child.keep(line + b"\n")  # talk; who waits for an answer shall find it beside the errors
        code = child.leave(min(deadline, time.monotonic() + _TO_LEAVE))
        raise self._failed("it closed its stdout and was stopped" if code is None else _left(code))

    def _failed(self, what: str) -> BotError:
        assert self._child is not None, "it was asked"
        self._child.end()
        self._failure = what + self._last_words(self._child.stderr) + "."
        return BotError(self._failure)

    def _last_words(self, stderr: bytes) -> str:
        lines = stderr.decode(errors="replace").split("\n")
        said = next((line.strip() for line in reversed(lines) if line.strip()), "")
        if not said:
            return ""
        quote = said if len(said) <= _LONGEST_QUOTE else said[:_LONGEST_QUOTE] + "..."
        with contextlib.suppress(OSError):
            prefix = f"marchland-{self._name[:40]}-".replace(os.sep, "-")
            with tempfile.NamedTemporaryFile(prefix=prefix, suffix=".log", delete=False) as log:
                log.write(stderr)
            return f"; its last words were {quote!r}, the rest is in {log.name}"
        return f"; its last words were {quote!r}"


def _line(message: dict[str, Any]) -> bytes:
    return msgspec.json.encode(message) + b"\n"


def _decoded(line: bytes) -> Any:
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _left(code: int) -> str:
    return f"it ended by itself with exit code {code}" if code >= 0 else f"it was ended by signal {-code}"
