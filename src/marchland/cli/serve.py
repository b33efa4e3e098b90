"""``marchland serve``: host matches for people and programs."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from marchland.cli.options import NumberRange
from marchland.cli.retention_options import retention_options
from marchland.server.settings import Settings

_RATE = NumberRange(min=0.1)
_SHORTEST_TOKEN = 16
_PASSWORD = re.compile(r"\w+://[^/@:]*:[^/@]+@")
"""A URL with a password."""


def _setting(flag: str, field: str, **attributes: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """An option for a field of `Settings`, with its default."""
    return click.option(flag, field, default=getattr(Settings, field), **attributes)


def read_secret(file: Path) -> str:
    """The first line of a file, which contains a secret."""
    from marchland.errors import MarchlandError

    try:
        return file.read_text().partition("\n")[0].strip()
    except OSError as problem:
        raise MarchlandError(f"{file} cannot be read: {problem.strerror}.") from None
    except UnicodeDecodeError:
        raise MarchlandError(f"{file} is no text file; its first line must be the secret.") from None


def check_token(token: str, origin: str) -> None:
    """Refuse a token that can be guessed."""
    from marchland.errors import MarchlandError

    if len(token) < _SHORTEST_TOKEN:
        advice = "`openssl rand -hex 24` makes a good one."
        raise MarchlandError(f"The token of {origin} is too short; it needs {_SHORTEST_TOKEN} characters. {advice}")


def warn_about_visible_secrets(context: click.Context) -> None:
    """Say which secrets on the command line every user of the machine can read, and where they are safe."""
    for name, option, instead in (
        ("admin_token", "--admin-token", "--admin-token-file or MARCHLAND_ADMIN_TOKEN"),
        ("metrics_token", "--metrics-token", "MARCHLAND_METRICS_TOKEN"),
    ):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            click.echo(f"{option} is visible in ps: use {instead}.", err=True)
    if context.get_parameter_source("db") is ParameterSource.COMMANDLINE and _PASSWORD.match(context.params["db"]):
        click.echo("The password in --db is visible in ps: use MARCHLAND_DB or PGPASSWORD.", err=True)


@click.command()
@click.option("--host", default="127.0.0.1", metavar="ADDRESS", help="Where to listen; 0.0.0.0 for all interfaces.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, metavar="N", help="0 takes any free port.")
@click.option(
    "--db",
    metavar="FILE|URL",
    envvar="MARCHLAND_DB",
    show_envvar=True,
    help="A SQLite file, or postgresql://user@host/name.",
)
@_setting("--demo", "demo", is_flag=True, help="Let built-in bots play every game without end.")
@_setting("--root", "root_wire", metavar="WIRE", help="Serve this game's original protocol at / too.")
@click.option(
    "--admin-token",
    metavar="TOKEN",
    envvar="MARCHLAND_ADMIN_TOKEN",
    show_envvar=True,
    help="The admin's token; `ps` shows it.",
)
@click.option(
    "--admin-token-file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Read the admin's token from it.",
)
@click.option(
    "--closed", is_flag=True, default=not Settings.registration, help="Only admins create accounts; no guests."
)
@_setting("--creators-see-all", "creators_see_all", is_flag=True, help="Creators of wire games may watch all of them.")
@_setting("--allow-origin", "origins", multiple=True, metavar="URL", help="A site whose pages may call this server.")
@_setting("--embed-site", "embed_sites", multiple=True, metavar="URL", help="A site that may show /embed in a frame.")
@_setting("--trusted-proxy", "trusted_proxies", multiple=True, metavar="CIDR", help="Believe X-Forwarded-For of it.")
@_setting("--metrics-from", "metrics_readers", multiple=True, metavar="CIDR", help="May read /metrics without a token.")
@_setting(
    "--metrics-token",
    "metrics_token",
    metavar="TOKEN",
    envvar="MARCHLAND_METRICS_TOKEN",
    show_envvar=True,
    help="Reads /metrics from anywhere.",
)
@_setting("--rate", "rate", type=_RATE, metavar="N", help="Requests a second for each token.")
@_setting("--rate-address", "rate_address", type=_RATE, metavar="N", help="The same for each address.")
@_setting("--rate-round", "round_rate", type=_RATE, metavar="N", help="The same in matches of a round.")
@_setting(
    "--sockets", "sockets_per_address", type=click.IntRange(min=1), metavar="N", help="Open WebSockets of each address."
)
@_setting("--wire-turn", "wire_turn", type=NumberRange(min=0.01, max=2.0), metavar="S", help="Least turn over a wire.")
@_setting("--accounts", "accounts_per_hour", type=_RATE, metavar="N", help="New accounts an hour from each address.")
@_setting("--posts", "posts_per_turn", type=click.IntRange(min=1), metavar="N", help="Posts of one seat in one turn.")
@_setting(
    "--lease",
    "lease",
    type=NumberRange(min=0.5),
    metavar="SECONDS",
    help="Time until other nodes take over.",
)
@retention_options
@_setting("--assets-url", "assets_url", metavar="URL", help="Read the items of wallets from this AtomicAssets API.")
@_setting("--stakes-url", "stakes_url", metavar="URL", help="Read the staked power of wallets from this API.")
@_setting(
    "--ledger-interval",
    "ledger_interval",
    type=NumberRange(min=1),
    metavar="SECONDS",
    help="Time between two readings of them.",
)
@_setting("--compress", "compress", is_flag=True, help="Compress WebSockets.")
@click.pass_context
def serve(
    context: click.Context,
    /,
    host: str,
    port: int,
    db: str | None,
    admin_token: str | None,
    admin_token_file: Path | None,
    closed: bool,
    **fields: Any,
) -> None:
    """Host matches: HTTP and WebSocket API, rooms, rounds and seasons."""
    import gc

    gc.disable()  # until the port is open: collections while everything is imported take a tenth of the time

    from platformdirs import user_data_path

    from marchland.cli.terminal.output import stdout_console
    from marchland.errors import MarchlandError
    from marchland.server import json_log
    from marchland.server.accounts.queries import ensure_admin
    from marchland.server.run import bind, run
    from marchland.server.wire import WIRES
    from marchland.store import Database
    from marchland.store.addresses import display_address

    warn_about_visible_secrets(context)
    if admin_token_file is not None:
        admin_token = read_secret(admin_token_file)
    if admin_token is not None:
        check_token(admin_token, str(admin_token_file or "the admin"))
    if fields["metrics_token"] is not None:
        check_token(fields["metrics_token"], "--metrics-token")
    database = db or str(user_data_path("marchland") / "marchland.db")
    settings = Settings(db=database, registration=not closed, **fields)
    if settings.root_wire is not None and settings.root_wire not in WIRES:
        raise MarchlandError(f"There is no wire {settings.root_wire!r}; there are {', '.join(WIRES)}.")
    json_log.set_up()
    with bind(host, port) as bound, Database(settings.db) as store:
        new_token = store.write_now(lambda connection: ensure_admin(connection, admin_token))

        def print_address() -> None:
            shown = f"[{host}]" if ":" in host else host
            console = stdout_console()
            console.print(f"Marchland is at http://{shown}:{bound.getsockname()[1]}", soft_wrap=True)
            console.print(f"Matches are stored in {display_address(store.engine.url)}", style="muted", soft_wrap=True)
            if new_token is not None:
                console.print(f"The admin's token, shown only once: {new_token}", soft_wrap=True)
            console.file.flush()

        run(settings, store, bound, print_address)
