"""Intervals for shares."""

from __future__ import annotations

from riskbandits.core.checks import number, whole


def clopper_pearson(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """The exact interval for a probability: it covers at least as often as it says, for none or all successes too.

    Trials with different probabilities, as those of runs on several problems, make it wider than needed, never
    narrower, for their average (Hoeffding 1956).

    >>> low, high = clopper_pearson(0, 100)
    >>> low, round(high, 4)
    (0.0, 0.0362)
    """
    from scipy.stats import beta

    trials = whole("The number of trials", trials)
    successes = whole("The number of successes", successes, least=0, most=trials)
    confidence = number("The confidence", confidence, "a number between 0 and 1", lambda p: 0.0 < p < 1.0)
    tail = 0.5 * (1.0 - confidence)
    low = float(beta.ppf(tail, successes, trials - successes + 1)) if successes > 0 else 0.0
    high = float(beta.ppf(1.0 - tail, successes + 1, trials - successes)) if successes < trials else 1.0
    return low, high
