"""VA-LUCB once more, slowly: everything is computed anew in every round, from lists of rewards."""

from __future__ import annotations

import math
import statistics


def va_lucb(rewards, limit, delta, budget=10**9, value=lambda mean, variance: mean, width=1.0, within=0.0):
    """Play on lists of rewards, one per arm; the arm that is named (None: none is feasible), how it ended, pulls.

    `value` and `width` make another goal of it: what an arm is worth, and how far off that is for a radius of 1.
    """
    arms = range(len(rewards))
    pulls = dict.fromkeys(arms, 2)
    out = set()
    t = max(len(rewards), 2)
    while True:
        mean = {i: statistics.fmean(rewards[i][: pulls[i]]) for i in arms}
        variance = {i: statistics.variance(rewards[i][: pulls[i]]) for i in arms}
        radius = {i: math.sqrt(math.log(2 * len(rewards) * t**4 / delta) / (2 * pulls[i])) for i in arms}
        worth = {i: value(mean[i], variance[i]) for i in arms}
        upper = {i: worth[i] + width * radius[i] for i in arms}
        lower = {i: worth[i] - width * radius[i] for i in arms}
        out |= {i for i in arms if variance[i] - radius[i] > limit}
        possible = [i for i in arms if i not in out]
        safe = [i for i in possible if variance[i] + radius[i] <= limit]
        if not possible:
            return None, "named", pulls
        if safe:
            best = max(safe, key=lambda i: worth[i])
            if all(upper[i] < lower[best] + within for i in possible if i != best):
                return best, "named", pulls
        first = max(possible, key=lambda i: worth[i])
        others = [i for i in possible if i != first]
        pulled = [first]
        if others:
            second = max(others, key=lambda i: upper[i])
            if upper[second] >= lower[first]:
                pulled.append(second)
        if sum(pulls.values()) + len(pulled) > budget:
            return first, "spent", pulls
        for i in pulled:
            pulls[i] += 1
        t += 1
