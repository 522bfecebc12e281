"""Four ways to route requests to providers whose latencies have heavy tails and drift.

    python examples/gateway/simulation.py --requests 3000 --runs 10
    python examples/gateway/simulation.py --requests 500 --url http://127.0.0.1:8000 --key KEY

Provider `quick` answers in about 0.1 s, but every tenth request stalls for a second or more; `steady` needs 0.3 s,
`slow` 0.5 s. In the middle `quick` stops to stall and `steady` begins to. Requests are given up after `TIMEOUT`.
"""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

import riskbandits as rb

TIMEOUT = 8.0  # seconds; a request that takes longer counts as this, and is never better than one that came back
PROVIDERS = ("quick", "steady", "slow")
MEDIANS = {"quick": 0.1, "steady": 0.3, "slow": 0.5}
STALLS = ({"quick": 0.1, "steady": 0.0, "slow": 0.0}, {"quick": 0.0, "steady": 0.1, "slow": 0.0})  # before and after


def latency(provider: str, second_half: bool, rng: np.random.Generator) -> float:
    """How long a request takes, in seconds: lognormal, with stalls that are Pareto distributed."""
    seconds = MEDIANS[provider] * rng.lognormal(0.0, 0.15)
    if rng.random() < STALLS[second_half][provider]:
        seconds += 1.0 + 0.5 * rng.pareto(2.5)
    return float(min(seconds, TIMEOUT))


class Router(Protocol):
    """Chooses a provider, and is told how long it took."""

    def choose(self) -> tuple[str, Any]:
        """The provider, and what `done` wants to know of this choice."""
        ...

    def done(self, choice: Any, seconds: float) -> None:
        """The request took this long."""
        ...


class LearnerRouter:
    """By a learner of this package, or a client of the service: both have `decide` and `answer`."""

    def __init__(self, learner: Any) -> None:
        self.learner = learner

    def choose(self) -> tuple[str, Any]:
        """The learner's decision."""
        decision = self.learner.decide()
        return str(decision.arm), decision.id

    def done(self, choice: Any, seconds: float) -> None:
        """Rewards are to be large: the latency with a minus."""
        self.learner.answer(choice, -seconds)


class WindowRouter:
    """By a percentile of each provider's last requests; every twentieth request goes to a random one."""

    def __init__(self, seed: int, percentile: float = 95.0, window: int = 100) -> None:
        self.rng = np.random.default_rng(seed)
        self.percentile = percentile
        self.seen = {name: deque([0.0], maxlen=window) for name in PROVIDERS}

    def choose(self) -> tuple[str, Any]:
        """The provider with the lowest percentile so far."""
        if self.rng.random() < 0.05:
            name = str(self.rng.choice(PROVIDERS))
        else:
            name = min(PROVIDERS, key=lambda one: float(np.percentile(self.seen[one], self.percentile)))
        return name, name

    def done(self, choice: Any, seconds: float) -> None:
        """Into the window."""
        self.seen[choice].append(seconds)


class BetaRouter:
    """By Thompson sampling of a Beta posterior that is fed exp(-seconds), as if it were a share of successes."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.successes = dict.fromkeys(PROVIDERS, 1.0)
        self.failures = dict.fromkeys(PROVIDERS, 1.0)

    def choose(self) -> tuple[str, Any]:
        """The provider with the largest draw."""
        name = max(PROVIDERS, key=lambda one: self.rng.beta(self.successes[one], self.failures[one]))
        return name, name

    def done(self, choice: Any, seconds: float) -> None:
        """Latency squashed into (0, 1)."""
        score = float(np.exp(-seconds))
        self.successes[choice] += score
        self.failures[choice] += 1.0 - score


def tail_learner(seed: int) -> rb.Learner:
    """The worst tenth of requests, forgetting with a half-life of 300 decisions."""
    policy = rb.Discounted(rb.NPTS.anchor_free(), half_life=300)
    return rb.Learner(policy, arms=PROVIDERS, risk=rb.CVaR(level=0.1), seed=seed)


def mean_learner(seed: int) -> rb.Learner:
    """The mean, forgetting likewise."""
    return rb.Learner(rb.Discounted(rb.NGTS(), half_life=300), arms=PROVIDERS, risk=rb.Mean(), seed=seed)


ROUTERS: dict[str, Callable[[int], Router]] = {
    "CVaR(0.1), NPTS.anchor_free()": lambda seed: LearnerRouter(tail_learner(seed)),
    "mean": lambda seed: LearnerRouter(mean_learner(seed)),
    "95th percentile of a window": WindowRouter,
    "Beta of exp(-latency)": BetaRouter,
}


def play(router: Router, requests: int, seed: int) -> list[tuple[str, float]]:
    """Route requests one after the other: provider and latency of each."""
    rng = np.random.default_rng((seed, 1))
    found = []
    for number in range(requests):
        name, choice = router.choose()
        seconds = latency(name, 2 * number >= requests, rng)
        router.done(choice, seconds)
        found.append((name, seconds))
    return found


def table(requests: int, runs: int) -> Any:
    """Latencies of each router, and the share of requests to the better provider of the half."""
    import pandas as pd

    rows = []
    for label, make in ROUTERS.items():
        played = [one for seed in range(runs) for one in play(make(seed), requests, seed)]
        seconds = np.array([one for _, one in played])
        good = [
            name == ("steady" if 2 * (place % requests) < requests else "quick")
            for place, (name, _) in enumerate(played)
        ]
        worst = np.sort(seconds)[-max(1, len(seconds) // 10) :]
        rows.append(
            {
                "router": label,
                "mean": seconds.mean(),
                "p95": np.percentile(seconds, 95),
                "p99": np.percentile(seconds, 99),
                "worst tenth": worst.mean(),
                "to the better tail": np.mean(good),
            }
        )
    return pd.DataFrame(rows)


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description="Route by the tail, the mean, a window, or a squashed Beta.")
    parser.add_argument("--requests", type=int, default=3000)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--url", help="let a running service route instead, and print its summary")
    parser.add_argument("--key", help="its key, with the role admin")
    given = parser.parse_args()
    if given.url:
        with rb.Client(given.url, given.key, "providers") as client:
            client.create(list(PROVIDERS), policy="npts:anchor-free", risk="cvar:0.1")
            play(LearnerRouter(client), given.requests, 0)
            for arm in client.summary():
                print(f"{arm['arm']}: {arm['told']} requests, {-arm['mean']:.2f} s on average")
        return
    found = table(given.requests, given.runs)
    print("| " + " | ".join(found.columns) + " |\n|" + "---|" * len(found.columns))
    for row in found.itertuples(index=False):
        print(f"| {row[0]} | " + " | ".join(f"{one:.2f} s" for one in row[1:-1]) + f" | {row[-1]:.0%} |")


if __name__ == "__main__":
    main()
