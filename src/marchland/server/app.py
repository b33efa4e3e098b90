"""The application: every router, dependency and background service is listed here."""

import contextlib
import time
from collections.abc import AsyncIterator

from litestar import Litestar, MediaType, Response, Router, get
from litestar.config.cors import CORSConfig
from litestar.di import Provide
from litestar.exceptions import NotFoundException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme

import marchland
from marchland.messages import Readiness
from marchland.messages._prepare import prepare_types
from marchland.server import audit
from marchland.server.accounts import queries as account_queries
from marchland.server.accounts import routes as account_routes
from marchland.server.catalog import routes as catalog_routes
from marchland.server.compile_processes import make_game_loader
from marchland.server.game_loader import RETRY_AFTER, GameLoader
from marchland.server.gc_policy import run_gc_policy
from marchland.server.http import static
from marchland.server.http.auth import Authenticator, TokenQueries
from marchland.server.http.errors import ErrorResponses
from marchland.server.http.middleware import authenticate_and_limit
from marchland.server.http.openapi import OpenApiRenderer
from marchland.server.http.request import StrictJsonRequest
from marchland.server.ledger import routes as ledger_routes
from marchland.server.ledger.service import LedgerService
from marchland.server.maps import routes as map_routes
from marchland.server.maps.service import MapService
from marchland.server.matches import read_routes, websocket
from marchland.server.matches import routes as match_routes
from marchland.server.matches.history import MatchHistory
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.service import MatchService
from marchland.server.matches.visibility import Visibility
from marchland.server.metrics import Metrics
from marchland.server.rooms import routes as room_routes
from marchland.server.rounds import routes as round_routes
from marchland.server.scheduler import Scheduler
from marchland.server.seasons import job_routes
from marchland.server.seasons import routes as season_routes
from marchland.server.settings import Settings
from marchland.server.wire import WireRouter, load_wires
from marchland.store import Store

API = "/api/v1"


def create_app(settings: Settings, store: Store, game_loader: GameLoader | None = None) -> Litestar:
    """The application over an open store."""
    prepare_types()
    metrics = Metrics()
    games = game_loader or make_game_loader()
    tokens = TokenQueries(account_queries.find_by_token, account_queries.existing_tokens)
    authenticator = Authenticator(store, settings, tokens)
    history, visibility = MatchHistory(store, games), Visibility(store)
    manager = MatchManager(store, settings, metrics, games)
    match_service = MatchService(manager, history, visibility)
    scheduler = Scheduler(manager, match_service)
    wires = {name: wire(manager, match_service, authenticator) for name, wire in load_wires().items()}
    wire_router = WireRouter(wires, settings.root_wire)
    errors = ErrorResponses(wire_router.error_format)

    @contextlib.asynccontextmanager
    async def run_services(app: Litestar) -> AsyncIterator[None]:
        await games.load_cached()
        await manager.begin()
        await scheduler.begin()
        manager.spawn(run_gc_policy())
        if store.is_shared:
            manager.spawn(authenticator.poll_revocations())
        for wire in wires.values():
            await wire.begin()
        games.start()  # last, so that compile workers do not delay the opening of the port
        try:
            yield
        finally:
            for wire in wires.values():
                await wire.close()
            await scheduler.close()
            await manager.close()
            await games.close()

    @get("/healthz", media_type=MediaType.TEXT, include_in_schema=False)
    async def healthz() -> str:
        await store.read(lambda connection: connection.exec_driver_sql("SELECT 1"))
        return "ok"

    @get("/readyz", include_in_schema=False)
    async def readyz() -> Response[Readiness]:
        readiness = Readiness(games.all_loaded, games.status())
        if readiness.ready:
            return Response(readiness)
        return Response(readiness, status_code=503, headers={"Retry-After": str(RETRY_AFTER)})

    @get("/metrics", media_type=MediaType.TEXT, include_in_schema=False)
    async def show_metrics() -> Response[bytes]:
        metrics.queue.set(store.queued_writes)
        metrics.matches.set(len(manager.loaded))
        figures = await scheduler.retention.figures()
        metrics.database_bytes.set(figures.database_bytes)
        metrics.archive_bytes.set(figures.archive_bytes)
        oldest = figures.oldest_match
        metrics.oldest_match.set(0.0 if oldest is None else max(0.0, time.time() - oldest))
        return Response(metrics.text(), media_type="text/plain; version=0.0.4")

    api = Router(
        API,
        route_handlers=[
            account_routes.router,
            catalog_routes.router,
            map_routes.router,
            match_routes.router,
            read_routes.router,
            websocket.live,
            audit.router,
            job_routes.router,
            ledger_routes.router,
            room_routes.router,
            round_routes.router,
            season_routes.router,
        ],
        security=[{}, {"token": []}],
    )
    return Litestar(
        [api, healthz, readyz, show_metrics, *wire_router.routers(games, errors), static.router],
        dependencies={
            "store": _provide(store),
            "settings": _provide(settings),
            "authenticator": _provide(authenticator),
            "history": _provide(history),
            "visibility": _provide(visibility),
            "manager": _provide(manager),
            "service": _provide(match_service),
            "scheduler": _provide(scheduler),
            "rooms": _provide(scheduler.rooms),
            "rounds": _provide(scheduler.rounds),
            "seasons": _provide(scheduler.seasons),
            "ledger": _provide(LedgerService(store)),
            "maps": _provide(MapService(store, games)),
        },
        middleware=[authenticate_and_limit(authenticator, errors)],
        request_class=StrictJsonRequest,
        lifespan=[run_services],
        exception_handlers={**errors.handlers(), NotFoundException: static.handle_not_found(errors)},
        request_max_body_size=settings.body_limit,
        cors_config=CORSConfig(allow_origins=list(settings.origins)) if settings.origins else None,
        openapi_config=OpenAPIConfig(
            title="Marchland",
            version=marchland.__version__,
            path=f"{API}/schema",
            render_plugins=[OpenApiRenderer(path="/openapi.json")],
            components=Components(security_schemes={"token": SecurityScheme(type="http", scheme="bearer")}),
            use_handler_docstrings=True,
        ),
        logging_config=None,
    )


def _provide(service: object) -> Provide:
    return Provide(lambda: service, sync_to_thread=False, use_cache=True)
