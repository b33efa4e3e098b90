"""``marchland play``: one match, in this process."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from marchland.cli.options import NumberRange, bot_seconds_option

if TYPE_CHECKING:
    from marchland.arena.local import OnTurn
    from marchland.core.game import Game


@click.command()
@click.argument("game", help="What is played; marchland games lists the names.")
@click.option("--bots", metavar="A,B,...", help='Who plays: names of bots, paths of .py files, or "cmd:node bot.js".')
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Equal seeds give equal matches.")
@click.option("--turns", type=click.IntRange(min=1), metavar="N", help="Stop after so many turns.")
@click.option("--map", metavar="MAP", help="A kind of map by name, or a file.")
@bot_seconds_option
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="Change a setting; as often as you like.")
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
    bot_seconds: float,
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
    from marchland.cli.output import answer_json, answers
    from marchland.cli.progress import load_game
    from marchland.cli.result import Result, as_json, tell
    from marchland.cli.settings import bots_of, check_writable, config_of, map_of
    from marchland.cli.stopping import stoppable
    from marchland.core.replay import Recording

    kind = find(game)
    specs = bots_of(bots, kind)
    config = config_of(kind, rules, settings)
    drawn_map = map_of(map)
    if save is not None:
        check_writable(save)
    # A drawn seed is short, because somebody may want to type it again.
    chosen = secrets.randbelow(1_000_000) if seed is None else seed
    minds = [arena.load_bot(spec, kind, chosen + seat, bot_seconds) for seat, spec in enumerate(specs)]
    load_game(kind)
    longest = kind.max_name_length(kind.config_type.build(config))
    match = kind.new(arena.names_of(specs, longest), seed=chosen, config=config, map=drawn_map)
    recording = Recording(match) if save is not None else None
    with stoppable(), _shown(match, turns, watch and not json, delay) as on_turn:
        played = arena.play(match, minds, turns=turns, on_turn=on_turn, recording=recording)
    if recording is not None and save is not None:
        recording.save(save)
    result = Result(match, specs, chosen, played, save)
    if json:
        answer_json(as_json(result))
    else:
        tell(result, answers())


@contextmanager
def _shown(game: "Game", turns: int | None, watch: bool, delay: float) -> Iterator["OnTurn"]:
    """What is seen while the match runs: the board where it is wanted and fits, else a bar."""
    from marchland.cli.layout import Room, planned, too_large
    from marchland.cli.output import answers, asides
    from marchland.cli.progress import progress
    from marchland.cli.watch import watched

    last = game.last_turn
    if watch:
        console = answers()
        room, board = Room.of(console), game.legend().board
        plan = planned(board, len(game.players), room)
        if console.is_terminal and plan is not None:
            with watched(console, game, plan, room, last, delay) as on_turn:
                yield on_turn
            return
        why = too_large(board, room) if console.is_terminal else "--watch needs a terminal."
        asides().print(f"{why} The match is played without a picture.", style="muted", soft_wrap=True)
    first = game.turn
    to_the_end = last - first if last else None
    total = min(turns, to_the_end) if turns and to_the_end else turns or to_the_end
    with progress(game.name, total) as advance:
        yield lambda game, report: advance(game.turn - first)
