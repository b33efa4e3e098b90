"""How the command line says that something is wrong: one line on stderr, an exit code, never a traceback."""

import os
import sys
from collections.abc import Callable
from typing import Any

import click

from marchland.errors import MarchlandError

BAD_INPUT = 2
INTERRUPTED = 130
BROKEN_PIPE = 141


def exit_code_of(run: Callable[[], Any]) -> int:
    """Run a command; what a user can do something about becomes a sentence."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115 - the answer has nowhere to go
    try:
        code = run()
        sys.stdout.flush()
    except click.UsageError as error:
        return _complain(f"{_ended(error.format_message())} See {_command(error)} --help.")
    except MarchlandError as error:
        return _complain(str(error))
    except BrokenPipeError:  # whoever read the answer has had enough
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115 - so that nothing is flushed into the pipe at exit
        return BROKEN_PIPE
    except OSError as error:
        return _complain(f"{error.filename or 'The output'}: {error.strerror or error}.")
    except (KeyboardInterrupt, click.Abort):
        code = INTERRUPTED
    if code == INTERRUPTED:
        return _complain("Stopped.", INTERRUPTED)
    return code if isinstance(code, int) else 0


def _complain(sentence: str, code: int = BAD_INPUT) -> int:
    sys.stderr.write(" ".join(sentence.split()) + "\n")
    return code


def _ended(message: str) -> str:
    return message if message.endswith((".", "?", "!")) else message + "."


def _command(error: click.UsageError) -> str:
    return error.ctx.command_path if error.ctx else "marchland"
