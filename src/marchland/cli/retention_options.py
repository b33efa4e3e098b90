"""Options of the retention policy, for ``serve`` and ``db prune``; their defaults are those of `Settings`."""

from collections.abc import Callable
from typing import Any

import click

from marchland.cli.options import NumberRange
from marchland.server.settings import Settings

_NEVER = "never"
_days = NumberRange(min=0)


class _Days(click.ParamType[float | None]):
    """A number of days, or ``never``."""

    name = "days"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float | None:
        """The number; None for ``never``."""
        if value == _NEVER:
            return None
        try:
            return _days.convert(value, param, ctx)
        except click.BadParameter as problem:
            self.fail(f"{problem.message.removesuffix('.')}; write a number of days, or {_NEVER}.", param, ctx)


def _days_option(flag: str, field: str, help: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    default = getattr(Settings, field)
    return click.option(
        flag, field, type=_Days(), default=_NEVER if default is None else default, metavar="N", help=help
    )


def retention_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of the policy to a command."""
    options = (
        click.option(
            "--room-matches",
            "room_matches",
            type=click.IntRange(min=0),
            default=Settings.room_matches,
            metavar="N",
            help="Finished matches without people that a room keeps.",
        ),
        _days_option("--days-without-people", "days_without_people", "Days until matches without people are deleted."),
        _days_option("--days-with-people", "days_with_people", "Days until matches with people are deleted."),
        _days_option(
            "--round-replay-days", "round_replay_days", "Days until rounds and tournaments lose their replays."
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command
