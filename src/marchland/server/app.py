"""The server: everything under one roof."""

import contextlib
from collections.abc import AsyncIterator

from litestar import Litestar, MediaType, Response, Router, get
from litestar.config.cors import CORSConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import NotFoundException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme

import marchland
from marchland.messages import Readiness
from marchland.messages.learning import learn_types
from marchland.server.accounts import routes as accounts_routes
from marchland.server.catalog import routes as catalog_routes
from marchland.server.compile_processes import make_game_loader
from marchland.server.game_loader import RETRY_AFTER, GameLoader
from marchland.server.gc_policy import search_seldom
from marchland.server.http import errors, static
from marchland.server.http.auth import Doorkeeper, gate
from marchland.server.http.openapi import Description
from marchland.server.http.request import Asked
from marchland.server.maps import routes as maps_routes
from marchland.server.matches import read_routes, websocket
from marchland.server.matches import routes as matches_routes
from marchland.server.matches.history import History
from marchland.server.matches.manager import Host
from marchland.server.matches.service import Lobby
from marchland.server.matches.visibility import Eyes
from marchland.server.metrics import Metrics
from marchland.server.scheduler import ROUTERS, Organiser
from marchland.server.settings import Settings
from marchland.server.wire import Switchboard, wires
from marchland.store import Store

API = "/api/v1"


def create_app(settings: Settings, store: Store, game_loader: GameLoader | None = None) -> Litestar:
    """The application over an open store."""
    learn_types()
    metrics = Metrics()
    games_here = game_loader or make_game_loader()
    history, eyes = History(store, games_here), Eyes(store)
    doorkeeper = Doorkeeper(store, settings)
    spoken = wires()
    switchboard = Switchboard(spoken, settings.root, games_here)

    @contextlib.asynccontextmanager
    async def hosting(app: Litestar) -> AsyncIterator[None]:
        await games_here.load_cached()
        app.state.host = host = Host(store, settings, metrics, games_here)
        app.state.lobby = Lobby(host, history, eyes)
        app.state.organiser = organiser = Organiser(host, app.state.lobby)
        await host.begin()
        await organiser.begin()
        host.spawn(search_seldom())
        if store.many_nodes:
            host.spawn(doorkeeper.watch())
        for wire in spoken.values():
            await wire.begin(host, app.state.lobby)
        games_here.start()  # last, so that compile workers do not delay the opening of the port
        try:
            yield
        finally:
            for wire in spoken.values():
                await wire.close()
            await organiser.close()
            await host.close()
            await games_here.close()

    @get("/healthz", media_type=MediaType.TEXT, include_in_schema=False)
    async def healthz() -> str:
        await store.read(lambda connection: connection.exec_driver_sql("SELECT 1"))
        return "ok"

    @get("/readyz", include_in_schema=False)
    async def readyz() -> Response[Readiness]:
        readiness = Readiness(games_here.all_loaded, games_here.status())
        if readiness.ready:
            return Response(readiness)
        return Response(readiness, status_code=503, headers={"Retry-After": str(RETRY_AFTER)})

    @get("/metrics", media_type=MediaType.TEXT, include_in_schema=False)
    async def show_metrics(state: State) -> Response[bytes]:
        host: Host = state.host
        metrics.queue.set(store.depth)
        metrics.matches.set(len(host.running))
        return Response(metrics.text(), media_type="text/plain; version=0.0.4")

    api = Router(
        API,
        route_handlers=[
            accounts_routes.router,
            catalog_routes.router,
            maps_routes.router,
            matches_routes.router,
            read_routes.router,
            websocket.live,
            *ROUTERS,
        ],
        security=[{}, {"token": []}],
    )
    return Litestar(
        [api, healthz, readyz, show_metrics, *switchboard.routers, static.router],
        state=State({"doorkeeper": doorkeeper, "complaint_at": switchboard.complaint}),
        dependencies={
            "store": _given(store),
            "settings": _given(settings),
            "doorkeeper": _given(doorkeeper),
            "history": _given(history),
            "eyes": _given(eyes),
            "host": Provide(_host, sync_to_thread=False),
            "lobby": Provide(_lobby, sync_to_thread=False),
        },
        middleware=[gate],
        request_class=Asked,
        lifespan=[hosting],
        exception_handlers={**errors.HANDLERS, NotFoundException: static.no_such_page},
        request_max_body_size=settings.body_limit,
        cors_config=CORSConfig(allow_origins=list(settings.origins)) if settings.origins else None,
        openapi_config=OpenAPIConfig(
            title="Marchland",
            version=marchland.__version__,
            path=f"{API}/schema",
            render_plugins=[Description(path="/openapi.json")],
            components=Components(security_schemes={"token": SecurityScheme(type="http", scheme="bearer")}),
            use_handler_docstrings=True,
        ),
        logging_config=None,
    )


def _given(thing: object) -> Provide:
    return Provide(lambda: thing, sync_to_thread=False, use_cache=True)


def _host(state: State) -> Host:
    host: Host = state.host
    return host


def _lobby(state: State) -> Lobby:
    lobby: Lobby = state.lobby
    return lobby
