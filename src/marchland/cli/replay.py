"""``marchland replay``: show and verify ``.march`` files."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from marchland.cli.options import OrderedGroup

if TYPE_CHECKING:
    from marchland.cli.terminal.still import Still
    from marchland.core.replay import Replay

_file = click.argument("file", type=click.Path(path_type=Path), help="A replay, like game.march.")


@click.group("replay", cls=OrderedGroup)
def replays() -> None:
    """Show and verify replays."""


@replays.command()
@_file
def verify(file: Path) -> None:
    """Play every turn again and compare it with what was recorded."""
    import marchland
    from marchland.cli.terminal.output import stdout_console
    from marchland.cli.terminal.progress import load_game, progress

    replay = marchland.open_replay(file)
    load_game(replay.kind)
    with progress("verifying", replay.end.turns) as advance:
        replay.verify(lambda done, total: advance(done))
    stdout_console().print(f"verified: {replay.end.turns:,} turns, {replay.end.orders:,} orders")


@replays.command()
@_file
@click.option("--json", is_flag=True, help="Print it as one JSON object.")
def info(file: Path, json: bool) -> None:
    """Show the contents of a replay."""
    import marchland
    from marchland.cli.terminal.output import print_json, stdout_console, table

    described = _describe(marchland.open_replay(file))
    if json:
        print_json(described)
        return
    shown = table()
    shown.show_header = False
    for name, value in _rows(described):
        shown.add_row(name, value)
    stdout_console().print(shown)


@replays.command()
@_file
@click.option("--turn", type=int, metavar="N", help="Which turn; the last one if none is named.")
@click.option("--json", is_flag=True, help="Print the position as one JSON object.")
def show(file: Path, turn: int | None, json: bool) -> None:
    """Draw the board as it stood at a turn."""
    import marchland
    from marchland.cli.terminal import standings
    from marchland.cli.terminal.layout import TerminalInfo, plan_layout, render, too_large
    from marchland.cli.terminal.output import print_json, stderr_console, stdout_console
    from marchland.cli.terminal.progress import load_game
    from marchland.cli.terminal.watch import title_of

    replay = marchland.open_replay(file)
    at = replay.last_turn if turn is None else turn
    if not _why_not_verified(replay):
        load_game(replay.kind)
    if json:
        print_json(replay.at(at).position())
        return
    still = _still(replay, at)
    console = stdout_console()
    terminal = TerminalInfo.of(console)
    plan = plan_layout(still.legend.board, len(still.players), terminal)
    title = title_of(still.legend.game, at, replay.last_turn)
    if plan is not None:
        console.print(render(still, title, plan, terminal))
        return
    stderr_console().print(too_large(still.legend.board, terminal), style="muted", soft_wrap=True)
    console.print(title)
    console.print(standings.players(still, width=terminal.width, lines=terminal.lines, colour=terminal.colour))


@replays.command()
@_file
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, metavar="FILE", help="The page to write."
)
def html(file: Path, output: Path) -> None:
    """Write a replay as one page that any browser shows, without a server."""
    from marchland.cli.replay_page import write_page
    from marchland.cli.terminal.output import stdout_console

    size = write_page(file, output)
    stdout_console().print(f"{output}: {size / 1000:,.0f} kB", soft_wrap=True)


def _still(replay: "Replay", turn: int) -> "Still":
    """The position at a turn; from the film if the rules have changed since."""
    from marchland.cli.terminal.film import still_from_film
    from marchland.cli.terminal.still import still_of
    from marchland.errors import ReplayError

    viewing_only = _why_not_verified(replay)
    if not viewing_only:
        return still_of(replay.at(turn))
    frames = replay.film()
    if not frames:
        raise ReplayError(f"{viewing_only} It was saved without its film, so there is nothing to show.")
    if not replay.first_turn <= turn <= replay.last_turn:
        raise ReplayError(f"{replay.path} has turns {replay.first_turn} to {replay.last_turn}, not {turn}.")
    shown = [frame for frame in frames if frame.turn <= turn]
    return still_from_film(replay.header.legend, replay.header.names, shown)


def _why_not_verified(replay: "Replay") -> str:
    """Empty where this version can play the replay again, else the reason why it can only be watched."""
    from marchland.errors import MarchlandError

    try:
        _ = replay.kind
    except MarchlandError as problem:
        return str(problem)
    return ""


def _describe(replay: "Replay") -> dict[str, Any]:
    import msgspec

    header, end = replay.header, replay.end
    problem = _why_not_verified(replay)
    return {
        "file": str(replay.path),
        "game": header.game,
        "version": header.version,
        "players": header.names,
        "first_turn": replay.first_turn,
        "last_turn": replay.last_turn,
        "turns": end.turns,
        "orders": end.orders,
        "bytes": replay.path.stat().st_size,
        "outcome": msgspec.to_builtins(end.outcome),
        "film": replay.has_film,
        "verifiable": not problem,
        "why_not": problem or None,
        "config": header.config,
    }


def _rows(described: dict[str, Any]) -> list[tuple[str, str]]:
    outcome = described["outcome"]
    winners = ", ".join(player["name"] for player in outcome["ranking"] if player["place"] == 1) if outcome else ""
    return [
        ("game", f"{described['game']}, version {described['version']}"),
        ("players", ", ".join(described["players"])),
        ("turns", f"{described['first_turn']:,} to {described['last_turn']:,}, {described['orders']:,} orders"),
        ("size", f"{described['bytes'] / 1000:,.1f} kB"),
        ("outcome", f"{winners} won. {outcome['reason']}" if outcome else "The match was not over."),
        ("film", "yes" if described["film"] else "no"),
        ("verifiable", "yes" if described["verifiable"] else f"no: {described['why_not']}"),
    ]
