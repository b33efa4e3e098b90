"""``marchland serve``: host matches for people and programs."""

from collections.abc import Sequence

import click

from marchland.cli.options import NumberRange

_RATE = NumberRange(min=0.1)


@click.command()
@click.option("--host", default="127.0.0.1", metavar="ADDRESS", help="Where to listen; 0.0.0.0 for everybody.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, metavar="N", help="0 takes any that is free.")
@click.option("--db", metavar="FILE|URL", help="A SQLite file, or postgresql://user@host/name.")
@click.option("--demo", is_flag=True, help="Let built-in bots play every game without end.")
@click.option("--root", metavar="WIRE", help="Serve this game's original protocol at / too.")
@click.option(
    "--admin-token", metavar="TOKEN", envvar="MARCHLAND_ADMIN_TOKEN", show_envvar=True, help="Speaks for the admin."
)
@click.option("--closed", is_flag=True, help="Only admins make accounts.")
@click.option("--allow-origin", multiple=True, metavar="URL", help="A site whose pages may call this server.")
@click.option("--rate", type=_RATE, default=20.0, metavar="N", help="Requests a second for each token.")
@click.option("--rate-address", type=_RATE, default=200.0, metavar="N", help="The same for each address.")
@click.option("--rate-round", type=_RATE, default=3.0, metavar="N", help="The same in matches of a round.")
@click.option("--posts", type=click.IntRange(min=1), default=1_000, metavar="N", help="Posts of one seat in one turn.")
@click.option("--lease", type=NumberRange(min=0.5), default=10.0, metavar="SECONDS", help="When other nodes take over.")
@click.option("--compress", is_flag=True, help="Compress WebSockets.")
def serve(
    host: str,
    port: int,
    db: str | None,
    demo: bool,
    root: str | None,
    admin_token: str | None,
    closed: bool,
    allow_origin: Sequence[str],
    rate: float,
    rate_address: float,
    rate_round: float,
    posts: int,
    lease: float,
    compress: bool,
) -> None:
    """Host matches: HTTP and WebSocket API, rooms, rounds and seasons."""
    import gc

    gc.disable()  # until the port is open: collections while everything is imported take a tenth of the time

    from platformdirs import user_data_path

    from marchland.cli.output import answers
    from marchland.errors import MarchlandError
    from marchland.server import json_log
    from marchland.server.accounts.queries import ensure_admin
    from marchland.server.run import bind, run
    from marchland.server.settings import Settings
    from marchland.server.wire import WIRES
    from marchland.store import Store

    if admin_token is not None and len(admin_token) < 16:
        raise MarchlandError("An admin token has at least 16 characters.")
    if root is not None and root not in WIRES:
        raise MarchlandError(f"There is no wire {root!r}; there are {', '.join(WIRES)}.")
    settings = Settings(
        db=db or str(user_data_path("marchland") / "marchland.db"),
        host=host,
        port=port,
        demo=demo,
        root=root,
        admin_token=admin_token,
        registration=not closed,
        origins=tuple(allow_origin),
        rate=rate,
        rate_address=rate_address,
        rate_round=rate_round,
        posts_limit=posts,
        lease=lease,
        compress=compress,
    )
    json_log.set_up()
    with bind(host, port) as bound, Store(settings.db) as store:
        with store.engine.begin() as connection:
            made = ensure_admin(connection, admin_token)

        def print_address() -> None:
            shown = f"[{host}]" if ":" in host else host
            console = answers()
            console.print(f"Marchland is at http://{shown}:{bound.getsockname()[1]}", soft_wrap=True)
            console.print(f"Matches are kept in {store.engine.url.render_as_string()}", style="muted", soft_wrap=True)
            if made is not None:
                console.print(f"The admin's token, told this once: {made}", soft_wrap=True)
            console.file.flush()

        run(settings, store, bound, print_address)
