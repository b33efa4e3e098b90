"""Option types and options that several commands share."""

import math
from typing import Any

import click


class OrderedGroup(click.Group):
    """Lists its commands in the order in which they were added."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, unsorted."""
        return list(self.commands)


class NumberRange(click.FloatRange):
    """A `click.FloatRange` that refuses ``nan``, which no bound excludes."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number, or a usage error."""
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value} is not a number.", param, ctx)
        return number


bot_seconds_option = click.option(
    "--bot-seconds",
    type=NumberRange(0.01, 3600),
    default=2.0,
    metavar="SECONDS",
    help="How long a bot by command has for a turn.",
)
