"""Errors of the command line: one line on stderr and an exit code, no traceback."""

import os
import sys
from collections.abc import Callable
from typing import Any

import click

from marchland.errors import MarchlandError, StorageUnavailable

BAD_INPUT = 2
INTERRUPTED = 130
BROKEN_PIPE = 141


def exit_code_of(run: Callable[[], Any]) -> int:
    """Run a command; errors that a user can do something about become one line."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115 - stdout is closed
    try:
        code = run()
        sys.stdout.flush()
    except click.UsageError as error:
        return _print_error(f"{_with_full_stop(error.format_message())} See {_command(error)} --help.")
    except (MarchlandError, StorageUnavailable) as error:
        return _print_error(str(error))
    except BrokenPipeError:  # the reader closed the pipe
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115 - so that nothing is flushed into the pipe at exit
        return BROKEN_PIPE
    except OSError as error:
        return _print_error(f"{error.filename or 'The output'}: {error.strerror or error}.")
    except (KeyboardInterrupt, click.Abort) as stop:
        return _print_error(str(stop.__cause__ or stop) or "Stopped.", INTERRUPTED)
    if code == INTERRUPTED:
        return _print_error("Stopped.", INTERRUPTED)
    return code if isinstance(code, int) else 0


def _print_error(message: str, code: int = BAD_INPUT) -> int:
    sys.stderr.write(" ".join(message.split()) + "\n")
    return code


def _with_full_stop(message: str) -> str:
    return message if message.endswith((".", "?", "!")) else message + "."


def _command(error: click.UsageError) -> str:
    return error.ctx.command_path if error.ctx else "marchland"
