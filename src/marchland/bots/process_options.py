"""What a bot's process may use: memory, files, time, the variables of its environment, and its sandbox."""

import os
from pathlib import Path
from typing import NamedTuple, Self

from marchland.bots.sandbox import ENVIRONMENT, OPEN, Sandbox

MEGABYTE = 1 << 20

_VARIABLES = ("PATH", "HOME", "LANG")
_VARIABLE_PREFIX = "LC_"


class ProcessOptions(NamedTuple):
    """Limits of each process that a bot runs, in bytes, and what else its starter decides."""

    memory: int = 2048 * MEGABYTE
    """Private memory that it can write to (RLIMIT_DATA)."""
    file_size: int = 256 * MEGABYTE
    """The largest file that it can write (RLIMIT_FSIZE)."""
    open_files: int = 1024
    variables: tuple[str, ...] = ()
    """Names of further environment variables that the bot needs, such as ``PYTHONPATH``; set by the bot's author."""
    log_folder: Path | None = None
    """Where the stderr of a bot that fails is saved; not at all by default."""
    sandbox: Sandbox = OPEN
    counts_cpu: bool = False
    """Whether a turn's time is processor time of all its processes."""
    clock_factor: float = 4.0
    """How much longer than its processor time a turn may then take by the clock."""
    stops: bool = False
    """Whether its processes are stopped (SIGSTOP) from each answer to the next turn."""

    def environment(self) -> dict[str, str]:
        """The bot's environment: none of the starter's tokens and passwords."""
        if self.sandbox.level == "jailed":
            return dict(ENVIRONMENT)
        return {
            name: value
            for name, value in os.environ.items()
            if name in _VARIABLES or name.startswith(_VARIABLE_PREFIX) or name in self.variables
        }

    def for_rating(self) -> Self:
        """The same for a rated match: a busy machine takes no time from a bot, and no bot thinks in another's turn."""
        return self._replace(counts_cpu=True, stops=True)


DEFAULT_OPTIONS = ProcessOptions()
