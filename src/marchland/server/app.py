"""The application: every router, dependency and background service is listed here."""

import contextlib
from collections.abc import AsyncIterator

from marchland.messages._prepare import prepare_types
from marchland.server import audit
from marchland.server.accounts import queries as account_queries
from marchland.server.accounts import routes as account_routes
from marchland.server.accounts.service import AccountService
from marchland.server.catalog import routes as catalog_routes
from marchland.server.compile_processes import make_game_loader
from marchland.server.game_loader import GameLoader
from marchland.server.gc_policy import run_gc_policy
from marchland.server.http import static
from marchland.server.http.application import Application
from marchland.server.http.auth import Authenticator, TokenQueries
from marchland.server.http.errors import ErrorResponses
from marchland.server.http.openapi import openapi_router
from marchland.server.http.security_headers import check_sites
from marchland.server.http.socket_limit import SocketLimit
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


def create_app(settings: Settings, store: Database, game_loader: GameLoader | None = None) -> Application:
    """The application over an open store."""
    prepare_types()
    check_sites(settings.embed_sites, "--embed-site")
    check_sites([origin for origin in settings.origins if origin != "*"], "--allow-origin")
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
    async def run_services(app: Application) -> AsyncIterator[None]:
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

    routers = [
        match_routes.router,
        websocket.router,
        account_routes.router,
        catalog_routes.router,
        map_routes.router,
        audit.router,
        job_routes.router,
        ledger_routes.router,
        wallet_routes.router,
        room_routes.router,
        round_routes.router,
        season_routes.router,
        operator_router(settings, store, games, manager, scheduler.retention, metrics),
        *wire_router.routers(games),
        static.router,
    ]
    return Application(
        [*routers, openapi_router(routers)],
        [
            store,
            settings,
            authenticator,
            history,
            visibility,
            manager,
            match_service,
            scheduler,
            scheduler.rooms,
            scheduler.rounds,
            scheduler.seasons,
            AccountService(store, settings, authenticator),
            LedgerService(store),
            WalletService(store),
            MapService(store, games),
        ],
        authenticator=authenticator,
        errors=errors,
        not_found=static.handle_not_found(errors),
        lifespan=run_services,
        body_limit=settings.body_limit,
        socket_limit=SocketLimit(settings.sockets_per_address),
        origins=settings.origins,
    )
