"""Metrics for Prometheus: counts and timings, without names of bandits or anything they have learned.

Each number is counted by one thread alone, as a plain number, and made into Prometheus's form when it is asked for.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator

from prometheus_client import CollectorRegistry, Gauge, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
TOGETHER = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0)


class Tally:
    """How many values lie below each of some limits, and their sum."""

    def __init__(self, limits: tuple[float, ...] = SECONDS) -> None:
        self._limits, self._counts, self._sum = limits, [0] * (len(limits) + 1), 0.0

    def add(self, value: float) -> None:
        """Count a value."""
        self._counts[bisect_left(self._limits, value)] += 1
        self._sum += value

    def buckets(self) -> tuple[list[tuple[str, float]], float]:
        """As Prometheus wants it: how many lie at or below each limit."""
        found, total = [], 0
        for limit, count in zip([*map(str, self._limits), "+Inf"], self._counts, strict=True):
            total += count
            found.append((limit, float(total)))
        return found, self._sum


class Metrics(Collector):
    """The measurements of one instance."""

    def __init__(self) -> None:
        self._requests: defaultdict[tuple[str, str, int], int] = defaultdict(int)
        self._seconds: defaultdict[str, Tally] = defaultdict(Tally)
        self._commits, self._together = Tally(), Tally(TOGETHER)
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def answered(self, method: str, path: str, status: int, seconds: float) -> None:
        """A request was answered; `path` is the pattern, without the actual names."""
        self._requests[method, path, status] += 1
        self._seconds[path].add(seconds)

    def committed(self, requests: int, seconds: float) -> None:
        """A batch was written."""
        self._commits.add(seconds)
        self._together.add(requests)

    def watch(self, name: str, what: str, value: Callable[[], float]) -> None:
        """A number that is read when the metrics are requested."""
        Gauge(name, what, registry=self._registry).set_function(value)

    def collect(self) -> Iterator[Metric]:
        """All that was counted."""
        requests = CounterMetricFamily(
            "riskbandits_requests", "Requests answered.", labels=["method", "path", "status"]
        )
        for (method, path, status), count in list(self._requests.items()):
            requests.add_metric([method, path, str(status)], count)
        yield requests
        seconds = HistogramMetricFamily("riskbandits_request_seconds", "From request to answer.", labels=["path"])
        for path, tally in list(self._seconds.items()):
            seconds.add_metric([path], *tally.buckets())
        yield seconds
        for name, what, tally in (
            ("riskbandits_commit_seconds", "Folding and committing a batch.", self._commits),
            ("riskbandits_commit_requests", "Requests in one commit.", self._together),
        ):
            family = HistogramMetricFamily(name, what)
            family.add_metric([], *tally.buckets())
            yield family

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self._registry)
