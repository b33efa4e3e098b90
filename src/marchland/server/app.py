"""The application: every router, dependency and background service is listed here."""

import contextlib
from collections.abc import AsyncIterator

from litestar import Litestar
from litestar.config.cors import CORSConfig
from litestar.di import Provide
from litestar.exceptions import NotFoundException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme
from litestar.types import Scope

import marchland
from marchland.messages._prepare import prepare_types
from marchland.server import audit
from marchland.server.accounts import queries as account_queries
from marchland.server.accounts import routes as account_routes
from marchland.server.catalog import routes as catalog_routes
from marchland.server.compile_processes import make_game_loader
from marchland.server.game_loader import GameLoader
from marchland.server.gc_policy import run_gc_policy
from marchland.server.http import static
from marchland.server.http.auth import Authenticator, Caller, TokenQueries, require_caller
from marchland.server.http.errors import ErrorResponses
from marchland.server.http.middleware import add_security_headers, authenticate_and_limit, identify_requests
from marchland.server.http.openapi import OpenApiRenderer
from marchland.server.http.request import StrictJsonRequest
from marchland.server.http.routing import API
from marchland.server.http.security_headers import check_sites
from marchland.server.ledger import routes as ledger_routes
from marchland.server.ledger import wallet_routes
from marchland.server.ledger.service import LedgerService
from marchland.server.ledger.wallets import WalletService
from marchland.server.maps import routes as map_routes
from marchland.server.maps.service import MapService
from marchland.server.matches import routes as match_routes
from marchland.server.matches import websocket
from marchland.server.matches.history import MatchHistory
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.service import MatchService
from marchland.server.matches.visibility import Visibility
from marchland.server.metrics import Metrics
from marchland.server.operator_routes import operator_router
from marchland.server.rooms import routes as room_routes
from marchland.server.rounds import routes as round_routes
from marchland.server.scheduler import Scheduler
from marchland.server.seasons import job_routes
from marchland.server.seasons import routes as season_routes
from marchland.server.settings import Settings
from marchland.server.wire import WireRouter, load_wires
from marchland.store import Database


def create_app(settings: Settings, store: Database, game_loader: GameLoader | None = None) -> Litestar:
    """The application over an open store."""
    prepare_types()
    check_sites(settings.embed_sites)
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

    app = Litestar(
        [
            account_routes.router,
            catalog_routes.router,
            map_routes.router,
            match_routes.router,
            websocket.router,
            audit.router,
            job_routes.router,
            ledger_routes.router,
            wallet_routes.router,
            room_routes.router,
            round_routes.router,
            season_routes.router,
            operator_router(settings, store, games, manager, scheduler.retention, metrics),
            *wire_router.routers(games, errors),
            static.router,
        ],
        dependencies={
            "caller": Provide(_provide_caller, sync_to_thread=False),
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
            "wallets": _provide(WalletService(store)),
            "maps": _provide(MapService(store, games)),
        },
        middleware=[authenticate_and_limit(authenticator, errors)],
        request_class=StrictJsonRequest,
        lifespan=[run_services],
        before_send=[add_security_headers],
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
    # Around everything: Litestar's own middleware does not see requests for which there is no route.
    app.asgi_handler = identify_requests(app.asgi_handler)
    return app


def _provide_caller(scope: Scope) -> Caller:
    return require_caller(scope)


def _provide(service: object) -> Provide:
    return Provide(lambda: service, sync_to_thread=False, use_cache=True)
