"""``marchland serve``: host matches for people and programs."""

from typing import Annotated

import typer


def serve(
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Where to listen; 0.0.0.0 for everybody.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="0 takes any that is free.")] = 8000,
    db: Annotated[
        str | None, typer.Option(metavar="FILE|URL", help="A SQLite file, or postgresql://user@host/name.")
    ] = None,
    demo: Annotated[bool, typer.Option("--demo", help="Let built-in bots play every game, for ever.")] = False,
    root: Annotated[
        str | None, typer.Option(metavar="WIRE", help="Serve this game's original protocol at / too.")
    ] = None,
    admin_token: Annotated[
        str | None, typer.Option(metavar="TOKEN", envvar="MARCHLAND_ADMIN_TOKEN", help="Speaks for the admin.")
    ] = None,
    closed: Annotated[bool, typer.Option("--closed", help="Only admins make accounts.")] = False,
    allow_origin: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="A site whose pages may call this server.")
    ] = None,
    rate: Annotated[float, typer.Option(metavar="N", min=0.1, help="Requests a second for each token.")] = 20.0,
    rate_address: Annotated[float, typer.Option(metavar="N", min=0.1, help="The same for each address.")] = 200.0,
    rate_round: Annotated[float, typer.Option(metavar="N", min=0.1, help="The same in matches of a round.")] = 3.0,
    posts: Annotated[int, typer.Option(metavar="N", min=1, help="Posts of one seat in one turn.")] = 1_000,
    lease: Annotated[float, typer.Option(metavar="SECONDS", min=0.5, help="When other nodes take over.")] = 10.0,
    compress: Annotated[bool, typer.Option("--compress", help="Compress WebSockets.")] = False,
) -> None:
    """Host matches: HTTP and WebSocket API, rooms, rounds and seasons."""
    import gc

    gc.disable()  # until the port is open: collections while everything is imported take a tenth of the time

    from platformdirs import user_data_path

    from marchland.cli.output import answers
    from marchland.errors import MarchlandError
    from marchland.server import logs
    from marchland.server.serve import bind, run
    from marchland.server.settings import Settings
    from marchland.server.wire import WIRES
    from marchland.store import Store
    from marchland.store.accounts import first_admin

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
        origins=tuple(allow_origin or ()),
        rate=rate,
        rate_address=rate_address,
        rate_round=rate_round,
        posts_limit=posts,
        lease=lease,
        compress=compress,
    )
    logs.set_up()
    with bind(host, port) as bound, Store(settings.db) as store:
        with store.engine.begin() as connection:
            made = first_admin(connection, admin_token)

        def print_address() -> None:
            shown = f"[{host}]" if ":" in host else host
            console = answers()
            console.print(f"Marchland is at http://{shown}:{bound.getsockname()[1]}", soft_wrap=True)
            console.print(f"Matches are kept in {store.engine.url.render_as_string()}", style="muted", soft_wrap=True)
            if made is not None:
                console.print(f"The admin's token, told this once: {made}", soft_wrap=True)
            console.file.flush()

        run(settings, store, bound, print_address)
