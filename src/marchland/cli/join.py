"""``marchland join``: let a bot play in a match on a server."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from marchland.cli.options import bot_seconds_option

if TYPE_CHECKING:
    from marchland.client import Client, OnTurn, Seat, Summary
    from marchland.messages import MatchInfo

_MOST_LISTED = 5


@click.command()
@click.argument("url", help="The address of the server, like http://localhost:8000.")
@click.option("--bot", required=True, metavar="BOT", help='The bot: the path of a .py file, or "cmd:node bot.js".')
@click.option("--match", metavar="ID", help="The match to join.")
@click.option("--room", metavar="NAME", help="Join the current match of this room.")
@click.option(
    "--token",
    metavar="TOKEN",
    envvar="MARCHLAND_TOKEN",
    show_envvar=True,
    help="Your token; without one, a guest account is created.",
)
@click.option("--name", default="", show_default=False, metavar="NAME", help="The player's name.")
@click.option("--password", default="", show_default=False, metavar="WORD", help="The match's password, if it has one.")
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Seed of the bot's random numbers.")
@bot_seconds_option
@click.option("--json", is_flag=True, help="Print the result as one JSON object.")
def join(
    url: str,
    bot: str,
    match: str | None,
    room: str | None,
    token: str | None,
    name: str,
    password: str,
    seed: int | None,
    bot_seconds: float,
    json: bool,
) -> None:
    """Play in a match on a server until it is over."""
    import sys
    from contextlib import redirect_stdout

    from marchland.bots import is_user_bot, load_user_bot
    from marchland.cli.signals import stoppable
    from marchland.cli.terminal.output import print_json, stdout_console
    from marchland.client import connect
    from marchland.errors import UnknownNameError

    if not is_user_bot(bot):
        raise UnknownNameError(f'{bot} is no bot of your own: name a file, like ./mybot.py, or "cmd:" and a command.')
    loaded = load_user_bot(bot, seed, bot_seconds)
    with connect(url, token) as client:
        if token:
            client.me()  # refuses a wrong token before anything else happens
        found = _find_match(client, match, room)
        if not token:
            _become_guest(client, name or _name_of(bot))
        seat = client.join(found.id, name=name or _name_of(bot), password=password)
        # Prints of the bot go to stderr: stdout is for the result.
        with stoppable(), _progress(found, seat) as on_turn, redirect_stdout(sys.stderr):
            summary = seat.run(loaded, on_turn=on_turn)
    if json:
        print_json({"match": seat.match, "seat": seat.seat, "name": seat.name, **vars(summary)})
    else:
        stdout_console().print("\n".join(_result_lines(summary, seat)), soft_wrap=True)


def _name_of(bot: str) -> str:
    from pathlib import Path

    from marchland.bots import is_command, name_of

    return (name_of(bot) if is_command(bot) else Path(bot).stem)[:40]


def _find_match(client: "Client", match: str | None, room: str | None) -> "MatchInfo":
    from marchland.errors import MarchlandError, choices

    if match is not None and room is not None:
        raise MarchlandError("Name a match or a room, not both.")
    if match is not None:
        return client.match(match)
    if room is not None:
        return client.current_match_of_room(room)
    joinable = [match for match in client.matches(state="lobby") if any(seat.kind == "open" for seat in match.seats)]
    listed = choices(f"{match.id} ({match.game})" for match in joinable[:_MOST_LISTED])
    hint = f"These wait for players: {listed}." if joinable else "None waits for players now."
    raise MarchlandError(f"Say which match to join, with --match or --room. {hint}")


def _become_guest(client: "Client", base: str) -> None:
    import secrets

    from marchland.cli.terminal.output import stderr_console

    name = f"{base[:31]}-{secrets.token_hex(4)}"
    welcome = client.register(name)
    stderr_console().print(
        f"You are {welcome.account.name} on this server. Your token, shown only once: {welcome.token}\n"
        "Give it as --token, or in MARCHLAND_TOKEN, to come back as the same player.",
        soft_wrap=True,
    )


@contextmanager
def _progress(match: "MatchInfo", seat: "Seat") -> Iterator["OnTurn"]:
    """A line about the turn, on stderr if that is a terminal."""
    from marchland.cli.terminal.output import stderr_console

    console = stderr_console()
    last = f" of {match.last_turn}" if match.last_turn else ""
    if not console.is_terminal:
        yield lambda summary: None
        return
    with console.status(f"{match.game}, seat {seat.seat}: waiting for the match to start") as line:

        def on_turn(summary: "Summary") -> None:
            line.update(f"{match.game}, seat {seat.seat}: turn {summary.turn}{last}, {_counts(summary)}")

        yield on_turn


def _result_lines(summary: "Summary", seat: "Seat") -> Iterator[str]:
    """The result, one sentence per line."""
    outcome = summary.outcome
    if outcome is None:
        yield "The match was broken off; the server's log says why."
    else:
        place = next((standing.place for standing in outcome.ranking if standing.player == seat.seat), None)
        yield f"{outcome.reason} {seat.name} is number {place} of {len(outcome.ranking)}."
    yield f"{_counts(summary)}."
    yield from (f"{count:,} refused: {reason}" for reason, count in sorted(summary.refused.items()))
    yield from (f"{count:,} not taken: {why}" for why, count in sorted(summary.rejected.items()))
    if summary.failures:
        yield f"The bot failed {summary.failures:,} times, first {summary.first_failure}"


def _counts(summary: "Summary") -> str:
    return (
        f"{summary.orders:,} orders in {summary.turns:,} turns, {sum(summary.refused.values()):,} refused, "
        f"{summary.late:,} turns too late, {summary.reconnects:,} reconnects"
    )
