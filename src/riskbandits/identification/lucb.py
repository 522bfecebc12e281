"""The rounds of LUCB for bounded rewards, compiled: two rules share them.

In round t every arm has a radius r = sqrt(ln(2 K t^4/delta)/(2 T)) in units of the rewards' range, T its pulls: that of
Hoeffding for its mean and of McDiarmid for its variance. The arm with the best value and its most promising rival are
pulled, until no rival can be better. With a limit on the variance, arms that break it for sure are dropped, and only an
arm that keeps it for sure is named.

The four bounds of K arms after at most t pulls fail at some round with probability at most
sum_t 4 K t delta/(2 K t^4) = 2 delta sum_t t^-3 < delta/2, as t counts from max(K, 2) on.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from riskbandits.compiling import jit
from riskbandits.core.errors import must_be
from riskbandits.identification.contract import Decision

COUNT, MEAN, SQUARES, ALIVE = range(4)  # columns of what is known of an arm
NAMED, NONE, SPENT, MORE = range(4)  # how a stretch of rounds ends
FIRST_PULLS = 2
SMALLEST_POOL = 256


class Goal(NamedTuple):
    """What the rounds are after: the value mean_weight mean - variance_weight variance, under a limit on the variance.

    `radius` is how far a value's bounds are off for r = 1, `variance_radius` the same for a variance.
    """

    mean_weight: float
    variance_weight: float
    radius: float
    variance_radius: float
    limit: float
    within: float


def play_rounds(samples: Any, goal: Goal, budget: int, confidence: float) -> Decision:
    """Play until an arm is named, or none keeps the limit, or the budget is spent."""
    size = samples.size
    if budget < FIRST_PULLS * size:
        raise must_be("The budget of LUCB", f"at least {FIRST_PULLS} rewards per arm", budget)
    if size == 1 and math.isinf(goal.limit):
        return Decision(0)
    play = jit.entry(rounds, ())
    known = np.zeros((size, 4))
    known[:, ALIVE] = 1.0
    clock, answer = np.array([float(max(size, FIRST_PULLS))]), np.zeros(1, dtype=np.int64)
    level = math.log(2.0 * size / (1.0 - confidence))
    numbers = np.array([*goal, level])
    room, ending = SMALLEST_POOL, MORE
    while ending == MORE:
        room = min(2 * room, budget)
        pool = np.zeros((size, room))
        for k in np.flatnonzero(known[:, ALIVE]).tolist():  # of an arm that was dropped nothing more is drawn
            pool[k] = samples.ahead(k, room)
        ending = play(pool, known, clock, answer, numbers, budget)
    for k in range(size):
        samples.first(k, int(known[k, COUNT]))
    if ending == NONE:
        return Decision(None)
    return Decision(int(answer[0]), finished=ending == NAMED)


def rounds(pool: Any, known: Any, clock: Any, answer: Any, numbers: Any, budget: int) -> int:
    """Play rounds while there are rewards in the pool; say how it ended."""
    mean_weight, variance_weight, radius, variance_radius = numbers[0], numbers[1], numbers[2], numbers[3]
    limit, within, level = numbers[4], numbers[5], numbers[6]
    arms = known.shape[0]
    total = 0
    for k in range(arms):
        while known[k, COUNT] < FIRST_PULLS:
            add(known, k, pool[k, int(known[k, COUNT])])
        total += int(known[k, COUNT])
    values, radii = np.zeros(arms), np.zeros(arms)
    while True:
        spread = level + 4.0 * math.log(clock[0])
        leader = safe = rival = -1
        for k in range(arms):
            if known[k, ALIVE] == 0.0:
                continue
            r = math.sqrt(0.5 * spread / known[k, COUNT])
            variance = known[k, SQUARES] / (known[k, COUNT] - 1.0)
            if variance - variance_radius * r > limit:
                known[k, ALIVE] = 0.0
                continue
            values[k] = mean_weight * known[k, MEAN] - variance_weight * variance
            radii[k] = radius * r
            if leader < 0 or values[k] > values[leader]:
                leader = k
            if variance + variance_radius * r <= limit and (safe < 0 or values[k] > values[safe]):
                safe = k
        if leader < 0:
            return NONE
        answer[0] = leader
        contested = safe < 0
        for k in range(arms):
            if known[k, ALIVE] == 0.0:
                continue
            if safe >= 0 and k != safe and values[k] + radii[k] >= values[safe] - radii[safe] + within:
                contested = True
            if k != leader and (rival < 0 or values[k] + radii[k] > values[rival] + radii[rival]):
                rival = k
        if not contested:
            answer[0] = safe
            return NAMED
        if rival >= 0 and values[rival] + radii[rival] < values[leader] - radii[leader]:
            rival = -1
        pulls = 1 if rival < 0 else 2
        if total + pulls > budget:
            return SPENT
        if known[leader, COUNT] >= pool.shape[1] or (rival >= 0 and known[rival, COUNT] >= pool.shape[1]):
            return MORE
        add(known, leader, pool[leader, int(known[leader, COUNT])])
        if rival >= 0:
            add(known, rival, pool[rival, int(known[rival, COUNT])])
        total += pulls
        clock[0] += 1.0


@jit.jitable
def add(known: Any, k: int, reward: float) -> None:
    """Book a reward of arm k."""
    known[k, COUNT] += 1.0
    off = reward - known[k, MEAN]
    known[k, MEAN] += off / known[k, COUNT]
    known[k, SQUARES] += off * (reward - known[k, MEAN])
