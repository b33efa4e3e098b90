"""The options that ``tournament`` and ``compare`` share."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from marchland.cli.options import BotOptions, bot_options

if TYPE_CHECKING:
    from marchland.arena.play_fixture import BotLimits

_MOST_WORKERS = 256


def run_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options about maps, workers, storage, bots and rules."""
    for option in reversed(_RUN_OPTIONS):
        command = option(command)
    return command


_RUN_OPTIONS = (
    click.option("--maps", metavar="A,B,...", help="Maps by name or file, in turn from seed to seed."),
    click.option("--seed", type=click.IntRange(min=0), default=0, metavar="N", help="Another seed, other matches."),
    click.option(
        "--workers",
        type=click.IntRange(1, _MOST_WORKERS),
        metavar="N",
        help="Matches at once; as many as cores if not given.",
    ),
    click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler whose workers play, like tcp://host:8786."),
    click.option("--db", metavar="FILE|URL", help="Where results are stored, so that the same command continues."),
    bot_options,
    click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="Change a setting; repeatable."),
    click.option("--rules", metavar="NAME", help="A named set of rules."),
)


def maps_of(text: str | None) -> list[Any]:
    """The maps of ``--maps``; without any, the game's default."""
    from marchland.cli.match_options import map_of

    return [map_of(part.strip()) for part in text.split(",")] if text else [None]


@contextmanager
def naming_what_is_stored(db: str | None) -> Iterator[None]:
    """Say how to go on if the database takes no more results."""
    from marchland.errors import StorageUnavailable

    try:
        yield
    except StorageUnavailable as problem:
        if db is None:
            raise
        raise StorageUnavailable(f"{problem} Earlier results are stored: the same command continues.") from None


def limits_of(options: BotOptions) -> "BotLimits":
    """The limits of user bots, as referees get them."""
    from marchland.arena.play_fixture import BotLimits
    from marchland.bots.process_options import MEGABYTE

    return BotLimits(
        options.seconds,
        options.memory * MEGABYTE,
        options.file_size * MEGABYTE,
        options.variables,
        None if options.log_folder is None else str(options.log_folder.absolute()),
        options.sandbox,
    )
