"""Option types and options that several commands share."""

import functools
import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from marchland.bots import Level, ProcessOptions

_MOST_MEGABYTES = 1 << 20


class OrderedGroup(click.Group):
    """Lists its commands in the order in which they were added."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, unsorted."""
        return list(self.commands)


class DefaultGroup(OrderedGroup):
    """A group whose command ``default`` is meant when none of its commands is named."""

    def __init__(self, *arguments: Any, default: str, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.default = default

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the group's own options, that is the one for help."""
        return super().parse_args(ctx, self._name_command(ctx, args))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command and its arguments."""
        return super().resolve_command(ctx, self._name_command(ctx, args))

    def _name_command(self, ctx: click.Context, args: list[str]) -> list[str]:
        known = {*self.commands, *self.get_help_option_names(ctx)}
        return args if args and args[0] in known else [self.default, *args]


class NumberRange(click.FloatRange):
    """A `click.FloatRange` that refuses ``nan``, which no bound excludes, and says so in plain words."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number, or a usage error."""
        try:
            is_number = not math.isnan(float(value))
        except ValueError:
            is_number = False
        if not is_number:
            self.fail(f"{value!r} is no number.", param, ctx)
        return float(super().convert(value, param, ctx))


class BotOptions(NamedTuple):
    """The options about bots by command that ``play`` and ``join`` share."""

    seconds: float
    memory: int
    file_size: int
    variables: tuple[str, ...]
    log_folder: Path | None
    sandbox: "Level"

    def process(self) -> "ProcessOptions":
        """What the bots' processes may use."""
        from marchland.bots.process_options import MEGABYTE, ProcessOptions
        from marchland.bots.sandbox import Sandbox, check_jail

        if self.sandbox == "jailed":
            check_jail()
        return ProcessOptions(
            memory=self.memory * MEGABYTE,
            file_size=self.file_size * MEGABYTE,
            variables=self.variables,
            log_folder=self.log_folder,
            sandbox=Sandbox(self.sandbox),
        )


def bot_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options about bots by command, as the argument ``bot_options``."""

    @functools.wraps(command)
    def with_options(
        *,
        bot_seconds: float,
        bot_memory: int,
        bot_file_size: int,
        bot_env: tuple[str, ...],
        bot_logs: Path | None,
        bot_sandbox: "Level",
        **others: Any,
    ) -> Any:
        chosen = BotOptions(bot_seconds, bot_memory, bot_file_size, bot_env, bot_logs, bot_sandbox)
        return command(bot_options=chosen, **others)

    for option in reversed(_BOT_OPTIONS):
        with_options = option(with_options)
    return with_options


_BOT_OPTIONS = (
    click.option(
        "--bot-seconds",
        type=NumberRange(0.01, 3600),
        default=2.0,
        metavar="SECONDS",
        help="How long a bot by command has for a turn.",
    ),
    click.option(
        "--bot-memory",
        type=click.IntRange(16, _MOST_MEGABYTES),
        default=2048,
        metavar="MB",
        help="The memory of each process of a bot by command.",
    ),
    click.option(
        "--bot-file-size",
        type=click.IntRange(0, _MOST_MEGABYTES),
        default=256,
        metavar="MB",
        help="The largest file that a bot by command can write.",
    ),
    click.option(
        "--bot-env",
        multiple=True,
        metavar="NAME",
        help="A variable that bots by command get beside PATH, HOME, LANG and LC_*; as often as you like.",
    ),
    click.option(
        "--bot-logs",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
        help="Where to save the stderr of a bot by command that fails.",
    ),
    click.option(
        "--bot-sandbox",
        type=click.Choice(("open", "jailed", "contained")),
        default="open",
        help="Where your bots run; jailed ones see no files, network or processes of yours.",
    ),
)
