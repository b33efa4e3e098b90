"""``marchland tournament``: many matches between bots, with ratings and their intervals."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from marchland.cli.options import BotOptions, NumberRange
from marchland.cli.tournament_options import limits_of, maps_of, naming_what_is_stored, run_options

if TYPE_CHECKING:
    from marchland.arena.tournament import Tournament

FORMAT_NAMES = ("round-robin", "swiss", "bracket", "ladder", "gauntlet")


@click.command()
@click.argument("game", help="The game; marchland games lists the names.")
@click.option("--bots", metavar="A,B,...", required=True, help="The bots, as for play; each is one entrant.")
@click.option(
    "--format", type=click.Choice(FORMAT_NAMES), default="round-robin", metavar="NAME", help=", ".join(FORMAT_NAMES)
)
@click.option(
    "--matches", type=click.IntRange(min=1), metavar="N", help="Stop after about N matches, in whole bundles."
)
@click.option("--until", type=NumberRange(min=1), metavar="POINTS", help="Stop when every rating is known to ± POINTS.")
@click.option("--players", type=click.IntRange(min=2), metavar="N", help="Seats of a match; 2 if not given.")
@run_options
@click.option("--json", is_flag=True, help="Print the result as one JSON object.")
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE", help="Write a report as one HTML page.")
def tournament(
    game: str,
    bots: str,
    format: str,
    matches: int | None,
    until: float | None,
    players: int | None,
    maps: str | None,
    seed: int,
    workers: int | None,
    cluster: str | None,
    db: str | None,
    bot_options: BotOptions,
    settings: Sequence[str],
    rules: str | None,
    json: bool,
    html: Path | None,
) -> None:
    """Let bots play each other and rate them, each rating with its interval.

    Ctrl-C loses nothing that was played: with --db, the same command continues.
    """
    from marchland import find
    from marchland.arena import Tournament
    from marchland.cli.match_options import bots_of, check_writable, config_of
    from marchland.cli.signals import graceful_stop
    from marchland.cli.terminal.progress import load_game
    from marchland.cli.terminal.tournament import live_standings

    kind = find(game)
    if html is not None:
        check_writable(html, "--html")
    load_game(kind)
    chosen = Tournament(
        game,
        bots_of(bots, kind),
        format=format,
        players=players,
        maps=maps_of(maps),
        config=config_of(kind, rules, settings),
        seed=seed,
        matches=matches,
        until=until,
        workers=workers,
        cluster=cluster,
        db=db,
        limits=limits_of(bot_options),
    )
    with naming_what_is_stored(db), graceful_stop(chosen.request_stop), live_standings(chosen) as draw:
        for _ in chosen.play():
            draw()
    _print(chosen, json, html)
    if chosen.is_stopping:
        again = "the same command continues" if db else "without --db it cannot be continued"
        raise KeyboardInterrupt(f"Stopped after {chosen.progress.played:,} matches; {again}.")


def _print(chosen: "Tournament", json: bool, html: Path | None) -> None:
    """Print the table or the JSON object, and write the page."""
    from marchland.arena.report import as_json, find_biases, find_surprises, make_rows
    from marchland.arena.report_page import write_report
    from marchland.cli.terminal.output import print_json, stderr_console, stdout_console
    from marchland.cli.terminal.tournament import standings_table

    if html is not None:
        write_report(chosen, html)
    if json:
        print_json(as_json(chosen))
        return
    console, rows = stdout_console(), make_rows(chosen)
    played = chosen.progress.played
    console.print(f"{chosen.spec.title}: {played:,} match{'es' * (played != 1)}.", soft_wrap=True)
    console.print(standings_table(rows))
    for surprise in find_surprises(chosen)[:3]:
        count, won = sum(surprise.duel), surprise.duel.share * sum(surprise.duel)
        words = f"{surprise.one} has {won:g} of {count} against {surprise.other}"
        console.print(f"{words}, {surprise.expected * count:.1f} by their ratings.", style="muted", soft_wrap=True)
    for bias in find_biases(chosen):
        if bias.is_suspicious and bias.where == "all maps":
            words = f"Side {bias.side} won {bias.share:.0%} of the matches ({bias.low:.0%} to {bias.high:.0%})"
            console.print(f"{words}: the seats are not equal.", style="muted", soft_wrap=True)
    for row in rows:
        if row.failures:
            words = f"{row.standing.version} failed in {row.failures:,} turns, first {row.first_failure}"
            console.print(words, style="danger", soft_wrap=True)
    for stuck in chosen.stuck:
        words = f"{' : '.join(stuck.seating)} has no result after three tries: {stuck.how}"
        stderr_console().print(words, style="danger", soft_wrap=True)
    if html is not None:
        console.print(f"The report is {html}.", style="muted", soft_wrap=True)
