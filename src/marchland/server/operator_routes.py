"""Addresses for operators: whether the server works, whether it is ready, and its metrics."""

import hmac
import time
from contextlib import suppress

import msgspec
from starlette.responses import PlainTextResponse, Response
from starlette.types import Scope

from marchland.errors import Refused, StorageUnavailable
from marchland.messages import Problem, Readiness
from marchland.server.game_loader import RETRY_AFTER, GameLoader
from marchland.server.http.addresses import Networks
from marchland.server.http.auth import address_of, token_of
from marchland.server.http.routing import JSON, Router, get
from marchland.server.matches.manager import MatchManager
from marchland.server.metrics import Metrics
from marchland.server.retention.service import RetentionService, StorageFigures
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

    @get("/healthz", ignores_token=True)
    async def healthz() -> Response:
        """Whether the database is read and written; the scheduler writes once a second, so a request need not."""
        try:
            await store.read(lambda connection: connection.exec_driver_sql("SELECT 1"))
            failure = store.failure
        except StorageUnavailable as problem:
            failure = str(problem)
        if failure is None:
            return PlainTextResponse("ok")
        return _respond_unready(Problem("unavailable", failure))

    @get("/readyz", ignores_token=True)
    async def readyz() -> Response:
        readiness = Readiness(games.all_loaded, games.status())
        if not readiness.ready:
            return _respond_unready(readiness)
        return Response(msgspec.json.encode(readiness), media_type=JSON)

    @get("/metrics", ignores_token=True)
    async def show_metrics(scope: Scope) -> Response:
        _require_metrics_reader(scope, readers, settings.metrics_token)
        metrics.queue.set(store.queued_writes)
        metrics.matches.set(len(manager.loaded))
        with suppress(StorageUnavailable):  # the others are needed most when the database is gone
            _set_storage_figures(metrics, await retention.figures())
        return Response(metrics.text(), media_type="text/plain; version=0.0.4")

    return Router("/", (healthz, readyz, show_metrics))


def _set_storage_figures(metrics: Metrics, figures: StorageFigures) -> None:
    metrics.database_bytes.set(figures.database_bytes)
    metrics.archive_bytes.set(figures.archive_bytes)
    oldest = figures.oldest_match
    metrics.oldest_match.set(0.0 if oldest is None else max(0.0, time.time() - oldest))


def _respond_unready(body: Problem | Readiness) -> Response:
    return Response(msgspec.json.encode(body), 503, {"Retry-After": str(RETRY_AFTER)}, JSON)


def _require_metrics_reader(scope: Scope, readers: Networks, expected: str | None) -> None:
    token = token_of(scope)
    if expected is not None and token is not None and hmac.compare_digest(token.encode(), expected.encode()):
        return
    if address_of(scope) not in readers:
        raise Refused("not_allowed", "metrics_address")
