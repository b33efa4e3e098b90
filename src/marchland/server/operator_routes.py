"""Addresses for operators: whether the server works, whether it is ready, and its metrics."""

import hmac
import time
from typing import Any

from litestar import MediaType, Request, Response, Router, get

from marchland.errors import Refused, StorageUnavailable
from marchland.messages import Problem, Readiness
from marchland.server.game_loader import RETRY_AFTER, GameLoader
from marchland.server.http.addresses import Networks
from marchland.server.http.auth import IGNORES_TOKEN, address_of, token_of
from marchland.server.matches.manager import MatchManager
from marchland.server.metrics import Metrics
from marchland.server.retention.service import RetentionService
from marchland.server.settings import Settings
from marchland.store import Database


def operator_router(
    settings: Settings,
    store: Database,
    games: GameLoader,
    manager: MatchManager,
    retention: RetentionService,
    metrics: Metrics,
) -> Router:
    """``/healthz``, ``/readyz`` and ``/metrics``."""
    readers = Networks(settings.metrics_readers)

    @get("/healthz", include_in_schema=False)
    async def healthz() -> Response[Any]:
        """Whether the database is read and written; the scheduler writes once a second, so a request need not."""
        try:
            await store.read(lambda connection: connection.exec_driver_sql("SELECT 1"))
            failure = store.failure
        except StorageUnavailable as problem:
            failure = str(problem)
        if failure is None:
            return Response("ok", media_type=MediaType.TEXT)
        return Response(Problem("unavailable", failure), status_code=503, headers={"Retry-After": str(RETRY_AFTER)})

    @get("/readyz", include_in_schema=False)
    async def readyz() -> Response[Readiness]:
        readiness = Readiness(games.all_loaded, games.status())
        if readiness.ready:
            return Response(readiness)
        return Response(readiness, status_code=503, headers={"Retry-After": str(RETRY_AFTER)})

    @get("/metrics", media_type=MediaType.TEXT, include_in_schema=False)
    async def show_metrics(request: Request[Any, Any, Any]) -> Response[bytes]:
        _require_metrics_reader(request, readers, settings.metrics_token)
        metrics.queue.set(store.queued_writes)
        metrics.matches.set(len(manager.loaded))
        figures = await retention.figures()
        metrics.database_bytes.set(figures.database_bytes)
        metrics.archive_bytes.set(figures.archive_bytes)
        oldest = figures.oldest_match
        metrics.oldest_match.set(0.0 if oldest is None else max(0.0, time.time() - oldest))
        return Response(metrics.text(), media_type="text/plain; version=0.0.4")

    return Router("/", route_handlers=[healthz, readyz, show_metrics], opt={IGNORES_TOKEN: True})


def _require_metrics_reader(request: Request[Any, Any, Any], readers: Networks, expected: str | None) -> None:
    token = token_of(request.scope)
    if expected is not None and token is not None and hmac.compare_digest(token.encode(), expected.encode()):
        return
    if address_of(request.scope) not in readers:
        raise Refused("not_allowed", "Metrics need an address of --metrics-from, or the token of --metrics-token.")
