"""The plain kernel of version 0.1 for MVTS on Gaussian arms, as it was: what later versions are measured against.

Its loop, its policy, its variates and its bookkeeping, in one file and without the package: nothing that changes there
makes this faster or slower.
"""

import math
import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from measure import NANOSECONDS

from riskbandits.problem import Problem

NO_CHOICE = -1
STEP, LOG_STEP, TOLD, REWARD_SUM = range(4)
SHAPE = RATE = 0.5  # the prior of MVTS
helper = numba.njit(error_model="numpy", forceinline=True)


@helper
def gamma(rng, shape):
    """Gamma(shape, rate 1) by Marsaglia & Tsang (2000)."""
    if shape < 1.0:
        boost = math.exp(math.log(1.0 - rng.random()) / shape)
        return boost * gamma_from_one(rng, shape + 1.0)
    return gamma_from_one(rng, shape)


@helper
def gamma_from_one(rng, shape):
    """The same for shapes of at least 1."""
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = rng.standard_normal()
        v = 1.0 + c * x
        if v <= 0.0:
            continue
        v = v * v * v
        u = 1.0 - rng.random()
        squared = x * x
        if u < 1.0 - 0.0331 * squared * squared:
            return d * v
        if math.log(u) < 0.5 * squared + d * (1.0 - v + math.log(v)):
            return d * v


@helper
def score(state, k, rho, rng):
    """Rho theta - 1/tau."""
    mean = state[k, 1] + rng.standard_normal() / math.sqrt(state[k, 0])
    return rho * mean - (RATE + 0.5 * state[k, 2]) / gamma(rng, SHAPE + 0.5 * state[k, 0])


@helper
def choose(state, rho, rng, outstanding):
    """The arm with the highest score."""
    best = NO_CHOICE
    best_score = -math.inf
    for k in range(state.shape[0]):
        found = score(state, k, rho, rng)
        if found > best_score or (found == best_score and (best == NO_CHOICE or outstanding[k] < outstanding[best])):
            best = k
            best_score = found
    return best


@helper
def learn(state, k, reward):
    """Welford's update."""
    count = state[k, 0]
    deviation = reward - state[k, 1]
    state[k, 2] += count / (count + 1.0) * deviation * deviation
    state[k, 1] += deviation / (count + 1.0)
    state[k, 0] = count + 1.0


@numba.njit(error_model="numpy", nogil=True)
def play(means, variances, rho, best_mean, state, run, horizon, choice_rng, reward_rng, sums, pulls, rewards, waiting):
    """One run; `sums` are those of rewards and of their squares, less the best arm's mean."""
    total = 0.0
    total_squared = 0.0
    step = 0
    while step < horizon:
        step += 1
        run[STEP] = step
        run[LOG_STEP] = math.log(step)
        k = step - 1 if step <= state.shape[0] else choose(state, rho, choice_rng, waiting)
        if k == NO_CHOICE:
            return step
        reward = means[k] + math.sqrt(variances[k]) * reward_rng.standard_normal()
        run[TOLD] += 1.0
        run[REWARD_SUM] += reward
        learn(state, k, reward)
        centred = reward - best_mean
        total += centred
        total_squared += centred * centred
        pulls[k] += 1
        rewards[k] += centred
    sums[0] = total
    sums[1] = total_squared
    return step


def one_run_of_0_1(problem: Problem, horizon: int) -> Callable[[int], float]:
    """As `measure.one_run`, for this kernel."""
    arms: Any = problem.arms
    means, variances = np.array(arms.means, dtype=float), np.array(arms.variances, dtype=float)

    def go(replication: int, steps: int = horizon) -> float:
        choice_rng, reward_rng = (np.random.default_rng([replication, which]) for which in range(2))
        pulls = np.zeros(len(means), dtype=np.int64)
        state, run, sums, rewards = np.zeros((len(means), 3)), np.zeros(4), np.zeros(2), np.zeros(len(means))
        best_mean = means[problem.best_arm]
        start = time.thread_time()
        play(
            means,
            variances,
            float(problem.risk.rho),
            best_mean,
            state,
            run,
            steps,
            choice_rng,
            reward_rng,
            sums,
            pulls,
            rewards,
            np.zeros(len(means), dtype=np.int64),
        )
        return (time.thread_time() - start) / steps * NANOSECONDS

    go(0, min(horizon, 3_000))
    return go
