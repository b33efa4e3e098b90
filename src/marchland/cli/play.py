"""``marchland play``: one match, in this process."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from marchland.cli.options import BotOptions, NumberRange, bot_options

if TYPE_CHECKING:
    from marchland.arena.local import OnTurn
    from marchland.core.game import Game


@click.command()
@click.argument("game", help="The game; marchland games lists the names.")
@click.option("--bots", metavar="A,B,...", help='The bots: names, paths of .py files, or "cmd:node bot.js".')
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Equal seeds give equal matches.")
@click.option("--turns", type=click.IntRange(min=1), metavar="N", help="Stop after so many turns.")
@click.option("--map", metavar="MAP", help="A kind of map by name, or a file.")
@bot_options
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="Change a setting; repeatable.")
@click.option("--rules", metavar="NAME", help="A named set of rules.")
@click.option("--save", type=click.Path(path_type=Path), metavar="FILE", help="Write a replay, like game.march.")
@click.option("--json", is_flag=True, help="Print the result as one JSON object.")
@click.option("--watch", is_flag=True, help="Draw the board, turn by turn.")
@click.option(
    "--delay", type=NumberRange(min=0, max=60), default=0.05, metavar="SECONDS", help="How long --watch shows a turn."
)
def play(
    game: str,
    bots: str | None,
    seed: int | None,
    turns: int | None,
    map: str | None,
    bot_options: BotOptions,
    settings: Sequence[str],
    rules: str | None,
    save: Path | None,
    json: bool,
    watch: bool,
    delay: float,
) -> None:
    """Play a match between bots and show who won."""
    import secrets

    from marchland import arena, find
    from marchland.cli.match_options import bots_of, check_writable, config_of, map_of
    from marchland.cli.play_result import Result, as_json, print_result
    from marchland.cli.signals import stoppable
    from marchland.cli.terminal.output import print_json, stdout_console
    from marchland.cli.terminal.progress import load_game
    from marchland.core.recording import Recording

    kind = find(game)
    specs = bots_of(bots, kind)
    config = config_of(kind, rules, settings)
    drawn_map = map_of(map)
    if save is not None:
        check_writable(save)
    # A random seed is short enough to type again.
    chosen = secrets.randbelow(1_000_000) if seed is None else seed
    limits = bot_options.process()
    loaded = [arena.load_bot(spec, kind, chosen + seat, bot_options.seconds, limits) for seat, spec in enumerate(specs)]
    load_game(kind)
    longest = kind.max_name_length(kind.config_type.build(config))
    match = kind.new(arena.names_of(specs, longest), seed=chosen, config=config, map=drawn_map)
    recording = Recording(match) if save is not None else None
    with stoppable(), _display(match, turns, watch and not json, delay) as on_turn:
        played = arena.play(match, loaded, turns=turns, on_turn=on_turn, recording=recording)
    if recording is not None and save is not None:
        recording.save(save)
    result = Result(match, specs, chosen, played, save)
    if json:
        print_json(as_json(result))
    else:
        print_result(result, stdout_console())


@contextmanager
def _display(game: "Game", turns: int | None, watch: bool, delay: float) -> Iterator["OnTurn"]:
    """What is shown while the match runs: the board if asked for and if it fits, else a progress bar."""
    from marchland.cli.terminal.layout import TerminalInfo, plan_layout, too_large
    from marchland.cli.terminal.output import stderr_console, stdout_console
    from marchland.cli.terminal.progress import progress
    from marchland.cli.terminal.watch import watch_match

    last = game.last_turn
    if watch:
        console = stdout_console()
        info, board = TerminalInfo.of(console), game.legend().board
        plan = plan_layout(board, len(game.players), info)
        if console.is_terminal and plan is not None:
            with watch_match(console, game, plan, info, last, delay) as on_turn:
                yield on_turn
            return
        why = too_large(board, info) if console.is_terminal else "--watch needs a terminal."
        stderr_console().print(f"{why} The match is played without a picture.", style="muted", soft_wrap=True)
    first = game.turn
    to_the_end = last - first if last else None
    total = min(turns, to_the_end) if turns and to_the_end else turns or to_the_end
    with progress(game.name, total) as advance:
        yield lambda game, report: advance(game.turn - first)
