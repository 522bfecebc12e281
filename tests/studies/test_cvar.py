"""The study of CVaR: its problem against SciPy, and its finding."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from studies import cvar, panels


@pytest.mark.parametrize("level", cvar.LEVELS)
def test_the_values_of_the_arms(level):
    """A large sample made by SciPy, its worst share averaged; the spread over batches is the standard error."""
    rng = np.random.default_rng(3)
    for k, value in enumerate(cvar.at_level(level).values):
        weights, locations, scales = (
            np.array(getattr(cvar.ARMS, name)[k]) for name in ("weights", "locations", "scales")
        )
        part = rng.choice(2, p=weights, size=(20, 5_000))
        location, scale = locations[part], scales[part]
        rewards = stats.truncnorm.rvs(-location / scale, (1.0 - location) / scale, location, scale, random_state=rng)
        worst = np.sort(rewards, axis=1)[:, : round(level * 5_000)].mean(axis=1)
        assert abs(worst.mean() - value) < 4.0 * worst.std(ddof=1) / np.sqrt(20) + 1e-4


@pytest.mark.full
def test_thompson_sampling_beats_the_confidence_bounds_at_every_level():
    """As Baudry et al. (2021) report; not so if the order of the arms were reversed."""
    small = cvar.EXPERIMENTS["cvar"]._replace(horizon=3_000, runs=20)
    table = panels.ends(cvar.cases(small, progress=False)).set_index(["case", "policy"])
    for case in table.index.unique("case"):
        best = table.loc[(case, "BCVTS")]
        for rival in ("CVaRUCB", "UUCB"):
            other = table.loc[(case, rival)]
            assert best["regret"] + 4.0 * np.hypot(best["se"], other["se"]) < 0.5 * other["regret"]
        # NPTS with its anchor at 1 is the same algorithm.
        same = table.loc[(case, "NPTS")]
        assert abs(same["regret"] - best["regret"]) < 4.0 * np.hypot(best["se"], same["se"])
