"""``marchland compare``: is the new version of a bot better? The exit code answers, for CI."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from marchland.cli.options import BotOptions
from marchland.cli.tournament_options import limits_of, maps_of, naming_what_is_stored, run_options

if TYPE_CHECKING:
    from marchland.arena.comparison import Comparison

EXIT_CODES = {"better": 0, "not better": 1, "undecided": 2}


@click.command()
@click.argument("new", help="The new version of the bot, as for play.")
@click.argument("old", help="The bot that it is compared with.")
@click.option("--game", required=True, metavar="GAME", help="The game; marchland games lists the names.")
@click.option(
    "--elo", default="0,10", metavar="LOW,HIGH", help="Better is at least HIGH points, not better at most LOW."
)
@click.option(
    "--pairs", type=click.IntRange(min=1), default=1000, metavar="N", help="Give up after N pairs of matches."
)
@click.option(
    "--against",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Both play the bots of this file, one in a line, instead of each other.",
)
@run_options
@click.option("--json", is_flag=True, help="Print the result as one JSON object.")
def compare(
    new: str,
    old: str,
    game: str,
    elo: str,
    pairs: int,
    against: Path | None,
    maps: str | None,
    seed: int,
    workers: int | None,
    cluster: str | None,
    db: str | None,
    bot_options: BotOptions,
    settings: Sequence[str],
    rules: str | None,
    json: bool,
) -> int:
    """Test whether a bot is better than another: exit code 0 better, 1 not better, 2 undecided or an error.

    Both play each seed twice, with seats exchanged, until a sequential test is sure enough; with --against, each of
    them against every bot of a file.
    """
    from marchland import arena, find
    from marchland.cli.match_options import config_of
    from marchland.cli.signals import stoppable
    from marchland.cli.terminal.output import print_json
    from marchland.cli.terminal.progress import load_game, progress

    kind = find(game)
    bounds = _bounds_of(elo)
    config = config_of(kind, rules, settings)
    opponents = [] if against is None else _read_field(against)
    load_game(kind)
    with (
        naming_what_is_stored(db),
        stoppable(),
        progress(f"Comparing in {game}", pairs, redraws_per_second=1) as advance,
    ):
        found = arena.compare(
            new,
            old,
            game=game,
            elo=bounds,
            pairs=pairs,
            against=opponents,
            on_pair=lambda comparison: advance(comparison.pairs),
            maps=maps_of(maps),
            config=config,
            seed=seed,
            workers=workers,
            cluster=cluster,
            db=db,
            limits=limits_of(bot_options),
        )
    if json:
        print_json({**found._asdict(), "verdict": found.verdict.value, "estimate": found.estimate._asdict()})
    else:
        _print(found)
    return EXIT_CODES[found.verdict.value]


def _bounds_of(text: str) -> tuple[float, float]:
    from marchland.errors import MarchlandError

    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise MarchlandError(f"--elo takes two numbers, like --elo 0,10, not {text!r}.") from None
    return low, high


def _read_field(path: Path) -> list[str]:
    """The bots of a file, one in a line, without comments."""
    from marchland.errors import MarchlandError

    try:
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    except OSError as problem:
        raise MarchlandError(f"{path} cannot be read: {problem.strerror}.") from None
    except UnicodeDecodeError:
        raise MarchlandError(f"{path} is no text; --against takes a file with a bot in each line.") from None
    found = [line for line in lines if line and not line.startswith("#")]
    if not found:
        raise MarchlandError(f"{path} names no bot; --against takes a file with a bot in each line.")
    return found


def _print(found: "Comparison") -> None:
    from marchland.cli.terminal.output import stderr_console, stdout_console
    from marchland.ratings import Verdict

    verdicts = {
        Verdict.BETTER: f"{found.new} is better than {found.old}.",
        Verdict.NOT_BETTER: f"{found.new} is not better than {found.old}.",
        Verdict.UNDECIDED: f"Whether {found.new} is better than {found.old} is undecided; more --pairs may decide it.",
    }
    console, estimate = stdout_console(), found.estimate
    console.print(verdicts[found.verdict], soft_wrap=True)
    figures = f"{found.pairs:,} pairs, score {found.score:.3f}, {estimate.elo:+.0f} Elo ({estimate.low:+.0f} to "
    figures += f"{estimate.high:+.0f}), LLR {found.llr:.2f} of ±{found.bound:.2f}, sandbox {found.sandbox}"
    console.print(figures, style="muted", soft_wrap=True)
    if found.failures:
        words = f"{found.new} failed in {found.failures:,} turns, first {found.first_failure}"
        stderr_console().print(words, style="danger", soft_wrap=True)
