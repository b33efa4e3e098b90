"""What a bot's process may use: memory, files, and the variables of its environment."""

import os
from pathlib import Path
from typing import NamedTuple

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

    def environment(self) -> dict[str, str]:
        """The bot's environment: none of the starter's tokens and passwords."""
        return {
            name: value
            for name, value in os.environ.items()
            if name in _VARIABLES or name.startswith(_VARIABLE_PREFIX) or name in self.variables
        }


DEFAULT_OPTIONS = ProcessOptions()
