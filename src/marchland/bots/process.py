"""A bot in any language: a process that reads a line for each turn and answers with one. See docs/bots.md."""

import os
import signal
import tempfile
import time
from collections.abc import Sequence
from typing import Any

import msgspec

from marchland.bots.command import name_of, words_of
from marchland.bots.limits import LimitExceededError, TurnLimit
from marchland.bots.line_process import MAX_LINE, LineProcess, TooLongError
from marchland.bots.process_options import DEFAULT_OPTIONS, MEGABYTE, ProcessOptions
from marchland.bots.usage import Usage
from marchland.errors import BotError

PROTOCOL = 1
SECONDS = 2.0
"""The time limit of a turn."""
FIRST_SECONDS = 10.0
"""The time limit of the first turn, which includes the start of the process."""

_EXIT_SECONDS = 1.0
_MAX_QUOTE = 120
_NEAR_LIMIT = 0.75
"""The part of its memory limit from which on a bot that died is likely to have died of it."""
_QUOTED_STDERR = 4096
_OUT_OF_MEMORY = (b"MemoryError", b"bad_alloc", b"out of memory", b"Cannot allocate memory")


class ProcessBot:
    """A bot that runs in a process. Once it has failed, every turn raises."""

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        seconds: float = SECONDS,
        first_seconds: float = FIRST_SECONDS,
        seed: int | None = None,
        options: ProcessOptions = DEFAULT_OPTIONS,
    ) -> None:
        if os.name != "posix":
            raise BotError("Bots by command need Linux or macOS.")
        self._words = words_of(command) if isinstance(command, str) else list(command)
        self._name = name_of(command if isinstance(command, str) else " ".join(command))
        self._seconds = seconds
        self._first_seconds = self._allowed = max(seconds, first_seconds)
        self._seed = seed
        self._options = options
        self._process: LineProcess | None = None
        self._is_running = False
        self._failure = ""
        self.sandbox = options.sandbox.level
        self._usage = Usage()
        # The supervisor of the first match starts while the caller prepares it, by loading the game for example.
        self._prepared = self._prepare()
        self._results: list[Any] = []
        self._reports: list[Any] = []

    @property
    def stderr(self) -> str:
        """The last lines of stderr, and those of stdout that were no answer."""
        return self._process.stderr.decode(errors="replace") if self._process else ""

    def start(self, info: dict[str, Any]) -> None:
        """Start the process and send it the match; a failure raises in `play`."""
        self.close()
        self._failure, self._allowed = "", self._first_seconds
        self._process, self._prepared = self._prepared or self._prepare(), None
        if self._process is None:
            return
        self._is_running = not self._options.stops  # it starts in its first turn, not in that of another
        if self._is_running:
            self._process.start()
        match = {**info, "seed": self._seed, "seconds": self._seconds}
        self._process.send(_line({"type": "start", "protocol": PROTOCOL, **match}))

    def results(self, results: list[Any]) -> None:
        """Send the results with the next turn."""
        self._results = results

    def reports(self, reports: list[Any]) -> None:
        """Send the reports with the next turn."""
        self._reports = reports

    def play(self, view: dict[str, Any]) -> Any:
        """The orders; raises `BotError` if there are none in time, and from then on."""
        return self.play_encoded(view["turn"], msgspec.json.encode(view))

    def play_encoded(self, turn: int, view: bytes) -> Any:
        """`play` with a view as JSON."""
        if self._process is None and not self._failure:
            self.start({})
        if self._process is None or self._failure:
            raise BotError(self._failure)
        process = self._process
        if not self._is_running:
            self._is_running = True
            process.start()
        elif self._options.stops:
            process.resume()
        results, reports = msgspec.json.encode(self._results), b""
        if self._reports:
            reports = b',"reports":%b' % msgspec.json.encode(self._reports)
        process.send(b'{"type":"turn","turn":%d,"view":%b,"results":%b%b}\n' % (turn, view, results, reports))
        self._results, self._reports = [], []
        limit = TurnLimit(process, self._allowed, self._options)
        try:
            answer = self._answer(process, turn, limit)
        except TimeoutError:
            raise self._fail(limit.describe_timeout()) from None
        except LimitExceededError as problem:
            raise self._fail(str(problem)) from None
        except TooLongError:
            raise self._fail(f"it wrote {MAX_LINE >> 20} MB without an answer and was stopped") from None
        finally:
            if self._options.stops and not self._failure:
                process.stop()
        self._allowed = self._seconds
        return answer

    def end(self, outcome: dict[str, Any] | None) -> None:
        """Send the outcome and give the process a second to exit."""
        if self._process is not None and self._is_running and not self._failure:
            self._process.resume()
            self._usage = self._process.measure()
            self._process.send(_line({"type": "end", "outcome": outcome}))
            self._process.wait_for_exit(time.monotonic() + _EXIT_SECONDS)
            self._is_running = False

    def usage(self) -> Usage:
        """Its processor time until now, or until the match ended or it failed, and the most memory that is known."""
        if self._process is None:
            return self._usage
        if self._is_running and not self._failure:
            self._usage = self._process.measure()
        return self._usage._replace(memory=max(self._usage.memory, self._process.peak_memory))

    def close(self) -> None:
        """Kill the process."""
        if self._process is not None:
            self._process.kill()

    def _prepare(self) -> LineProcess | None:
        try:
            return LineProcess(self._words, self._options)
        except OSError as problem:
            self._failure = f"it cannot be started: {problem.strerror or problem}."
            return None

    def _answer(self, process: LineProcess, turn: int, limit: TurnLimit) -> Any:
        deadline, check = limit.deadline, limit.check if limit.is_measured else None
        while (line := process.read_line(deadline, check)) is not None:
            answer = _decode(line)
            if isinstance(answer, list):
                limit.check_answer()
                return answer
            if isinstance(answer, dict) and "orders" in answer and answer.get("turn", turn) == turn:
                limit.check_answer()
                if answer.get("error"):
                    raise BotError(str(answer["error"]))
                return answer["orders"]
            process.append_stderr(line + b"\n")  # output that is no answer helps to find out why there is none
        code = process.wait_for_exit(min(deadline, time.monotonic() + _EXIT_SECONDS))
        raise self._fail("it closed its stdout and was stopped" if code is None else self._describe_exit(process, code))

    def _describe_exit(self, process: LineProcess, code: int) -> str:
        if process.start_error is not None:
            return f"it cannot be started: {os.strerror(process.start_error)}"
        if code == -signal.SIGXFSZ:
            size = self._options.file_size // MEGABYTE
            return f"it was ended because a file that it wrote exceeded {size} MB, the limit of --bot-file-size"
        how = f"it ended by itself with exit code {code}" if code >= 0 else f"it was ended by signal {-code}"
        last_words = process.stderr[-_QUOTED_STDERR:]
        if code and (
            process.peak_memory >= _NEAR_LIMIT * self._options.memory
            or any(words in last_words for words in _OUT_OF_MEMORY)
        ):
            how += f" at the limit of its memory, {self._options.memory // MEGABYTE} MB (--bot-memory)"
        return how

    def _fail(self, what: str) -> BotError:
        assert self._process is not None, "the process was started"
        self._usage = self._process.measure()
        self._process.kill()
        self._failure = what + self._stderr_tail(self._process.stderr) + "."
        return BotError(self._failure)

    def _stderr_tail(self, stderr: bytes) -> str:
        lines = stderr.decode(errors="replace").split("\n")
        said = next((line.strip() for line in reversed(lines) if line.strip()), "")
        if not said:
            return ""
        quote = said if len(said) <= _MAX_QUOTE else said[:_MAX_QUOTE] + "..."
        if self._options.log_folder is None:
            return f"; its last words were {quote!r}"
        try:
            prefix = f"marchland-{self._name[:40]}-".replace(os.sep, "-")
            self._options.log_folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(
                prefix=prefix, suffix=".log", dir=self._options.log_folder, delete=False
            ) as log:
                log.write(stderr)
        except OSError as problem:
            return f"; its last words were {quote!r}, the rest cannot be saved: {problem.strerror}"
        return f"; its last words were {quote!r}, the rest is in {log.name}"


def _line(message: dict[str, Any]) -> bytes:
    return msgspec.json.encode(message) + b"\n"


def _decode(line: bytes) -> Any:
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
