"""Prometheus metrics."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """The metrics of one server."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.lateness = Histogram(
            "marchland_turn_lateness_seconds",
            "From a turn's deadline to its news.",
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self.missed = Counter(
            "marchland_missed_deadlines", "Seats that gave no orders in time.", registry=self._registry
        )
        self.turns = Counter("marchland_turns", "Turns played.", ["game"], registry=self._registry)
        self.posts = Histogram(
            "marchland_order_latency_seconds",
            "From the arrival of orders to their receipt.",
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self.views = Counter(
            "marchland_views_computed", "Views computed; more readers of one are not counted.", registry=self._registry
        )
        self.queue = Gauge("marchland_store_queue_depth", "Writes that wait.", registry=self._registry)
        self.database_bytes = Gauge(
            "marchland_database_bytes", "Size of the database on disk.", registry=self._registry
        )
        self.archive_bytes = Gauge(
            "marchland_archive_bytes", "Size of the archives of finished matches.", registry=self._registry
        )
        self.oldest_match = Gauge(
            "marchland_oldest_match_seconds", "Age of the oldest match in the database.", registry=self._registry
        )
        self.deleted = Counter(
            "marchland_matches_deleted", "Matches that retention has deleted.", registry=self._registry
        )
        self.matches = Gauge("marchland_matches", "Matches in memory.", registry=self._registry)
        self.readers = Gauge("marchland_readers", "Open WebSockets.", registry=self._registry)

    def text(self) -> bytes:
        """All metrics in Prometheus' text format."""
        return generate_latest(self._registry)
