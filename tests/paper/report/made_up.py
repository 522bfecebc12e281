"""Outcomes that nobody simulated: traces written down from pulls, so that no kernel has to be compiled."""

from __future__ import annotations

import numpy as np

from riskbandits.api import simulate
from riskbandits.core.records import canonical
from riskbandits.paper.experiments import EXPERIMENTS
from riskbandits.policies.support import naming
from riskbandits.results.result import Result
from riskbandits.results.sweep_result import SweepResult
from riskbandits.simulation.trace import Trace

HORIZON, STEPS = 1_000, (100, 500, 1_000)


def trace(label, policy, problem, runs, share, rng, wrong=None):
    """Runs in which the best arm gets about that share of the pulls and the others the rest, evenly, or `wrong` all."""
    chances = np.full(problem.size, (1.0 - share) / (problem.size - 1))
    if wrong is not None:
        chances = np.where(np.arange(problem.size) == wrong, 1.0 - share, 0.0)
    chances[problem.best_arm] = share
    parts = [rng.multinomial(step, chances, size=runs) for step in np.diff((0, *STEPS))]
    pulls = np.cumsum(parts, axis=0).transpose(1, 0, 2)  # runs, steps, arms
    means = problem.means - problem.means[problem.best_arm]
    spread = np.sqrt(pulls * problem.variances)
    rewards = pulls * means + spread * rng.standard_normal(spread.shape)
    sums = np.stack(
        [
            rewards.sum(axis=2),
            (pulls * (problem.variances + means**2)).sum(axis=2),
            pulls @ problem.gaps,
            pulls @ means,
            pulls @ means**2,
            pulls[:, :, problem.gaps == 0.0].sum(axis=2).astype(float),
        ],
        axis=2,
    )
    return Trace(label, canonical(policy), problem, "plain", np.array(STEPS), sums, pulls[:, -1], rewards[:, -1])


def outcome(name, shares=None, runs=6, rhos=None, seed=1):
    """An experiment of the paper with made-up runs; `shares` are those of the best arm, by label."""
    experiment, rng = EXPERIMENTS[name], np.random.default_rng(seed)
    labels = naming.labels(experiment.policies)
    values = list(rhos or experiment.rhos)
    results = []
    for rho in values:
        problem = experiment.problem_for_rho(rho)
        traces = [
            trace(label, policy, problem, runs, (shares or {}).get(label, 0.8), rng)
            for label, policy in zip(labels, experiment.policies, strict=True)
        ]
        results.append(Result(traces, {"seed": seed}, simulate.versions()))
    return SweepResult("rho", values, results)


def outcomes(**changes):
    return {name: outcome(name, **changes) for name in EXPERIMENTS}
