"""Rules once more, slowly: everything is computed anew at every look, from lists of rewards."""

from __future__ import annotations

import math
import statistics

from scipy import stats


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


def mean_variance_elimination(rewards, rho, delta, budget, within=0.0):
    """Elimination by intervals of Student's t and chi-square, looked at after 4, 5, 6, ... pulls (a tenth more).

    The arm that is named, whether for sure, and the pulls of each arm.
    """
    arms = range(len(rewards))
    best_low = dict.fromkeys(arms, -math.inf)
    best_high = dict.fromkeys(arms, math.inf)
    left, pulls, leader, look, n = set(arms), dict.fromkeys(arms, 0), 0, 0, 4
    while True:
        if sum(pulls[i] for i in arms if i not in left) + n * len(left) > budget:
            return leader, False, pulls
        look += 1
        share = delta / (2 * len(rewards) * look * (look + 1)) / 2  # of the mean's bound, and of the variance's
        for i in left:
            pulls[i] = n
            x = rewards[i][:n]
            mean, variance = statistics.fmean(x), statistics.variance(x)
            half = stats.t.isf(share, n - 1) * math.sqrt(variance / n)
            low, high = ((n - 1) * variance / stats.chi2.isf(p, n - 1) for p in (share, 1.0 - share))
            best_low[i] = max(best_low[i], rho * (mean - half) - high)
            best_high[i] = min(best_high[i], rho * (mean + half) - low)
        leader = min(left, key=lambda i: (-best_low[i], i))
        left = {i for i in left if best_high[i] >= best_low[leader]}
        if all(best_high[i] <= best_low[leader] + within for i in left if i != leader):
            return leader, True, pulls
        n = max(n + 1, math.ceil(1.1 * n))


def truncated_elimination(rewards, order, bound, delta, budget):
    """Round by round, every truncated mean from all rewards; the arm, whether for sure, and the pulls of each arm."""
    left, pulls = list(range(len(rewards))), dict.fromkeys(range(len(rewards)), 0)
    middle = {}
    while len(left) > 1:
        if sum(pulls.values()) + len(left) > budget:
            return max(left, key=lambda i: (middle[i], -i)), False, pulls
        for i in left:
            pulls[i] += 1
            t = pulls[i]
            d = 3 * delta / (math.pi**2 * len(rewards) * t**2)
            middle[i] = truncated_mean(rewards[i][:t], order, bound, d)
            off = 4 * bound ** (1 / order) * (math.log(1 / d) / t) ** ((order - 1) / order)
        best_low = max(middle[i] - off for i in left)
        left = [i for i in left if middle[i] + off >= best_low]
    return left[0], True, pulls


def truncated_mean(x, order, bound, d):
    """The mean of rewards, with those above a threshold that grows from one to the next replaced by 0."""
    kept = [one for i, one in enumerate(x, start=1) if abs(one) <= (bound * i / math.log(1 / d)) ** (1 / order)]
    return math.fsum(kept) / len(x)
