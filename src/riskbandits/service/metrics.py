"""Metrics for Prometheus: counts and timings, without names of bandits or anything they have learned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
BATCH_SIZES = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0)


class Metrics:
    """The measurements of one instance."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        labels = ("method", "path", "status")
        self._requests = Counter("riskbandits_requests", "Requests answered.", labels, registry=registry)
        self._seconds = Histogram(
            "riskbandits_request_seconds", "From request to answer.", ("path",), registry=registry, buckets=SECONDS
        )
        self._commits = Histogram(
            "riskbandits_commit_seconds", "Applying and committing a batch.", registry=registry, buckets=SECONDS
        )
        self._batches = Histogram(
            "riskbandits_commit_requests", "Requests in one commit.", registry=registry, buckets=BATCH_SIZES
        )
        self._children: dict[tuple[str, str, int], tuple[Any, Any]] = {}  # finding them by labels takes long

    def answered(self, method: str, path: str, status: int, seconds: float) -> None:
        """A request was answered; `path` is the pattern, without the actual names."""
        found = self._children.get((method, path, status))
        if found is None:
            found = self._requests.labels(method, path, str(status)), self._seconds.labels(path)
            self._children[method, path, status] = found
        found[0].inc()
        found[1].observe(seconds)

    def committed(self, requests: int, seconds: float) -> None:
        """A batch was written."""
        self._commits.observe(seconds)
        self._batches.observe(requests)

    def watch(self, name: str, what: str, value: Callable[[], float]) -> None:
        """A number that is read when the metrics are requested."""
        Gauge(name, what, registry=self._registry).set_function(value)

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self._registry)
