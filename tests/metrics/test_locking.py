from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

import riskbandits as rb
from riskbandits.errors import ParameterError
from riskbandits.metrics import clopper_pearson, locked
from riskbandits.simulation.kernel import BEST_ARM, SUMS
from riskbandits.simulation.trace import Trace


def trace(best_pulls, checkpoints):
    """A trace with these running sums of best-arm pulls, (runs, checkpoints)."""
    sums = np.zeros((len(best_pulls), len(checkpoints), SUMS))
    sums[:, :, BEST_ARM] = best_pulls
    empty = np.zeros((len(best_pulls), 15))
    return Trace("A", {}, rb.problems.zhu_tan_gaussian(1), "plain", np.array(checkpoints), sums, empty, empty)


def test_fewer_than_half_of_the_second_half():
    # Second half: 50 steps. 24 of them on the best arm is locked, 25 is not; the first half does not matter.
    pulls = [[50, 74], [0, 25], [0, 24], [50, 75], [0, 50]]
    assert locked(trace(pulls, [50, 100])).tolist() == [True, False, True, False, False]
    # Of 101 steps the second half has 51, of which 25 are fewer than half and 26 are not.
    assert locked(trace([[0, 25], [0, 26]], [50, 101])).tolist() == [True, False]


def test_other_checkpoints_do_not_matter():
    assert locked(trace([[10, 40, 45, 60]], [10, 50, 70, 100])).tolist() == [True]
    with pytest.raises(ParameterError, match=r"half the horizon \(50\) is one"):
        locked(trace([[10, 60]], [10, 100]))


def test_it_agrees_with_pulls_counted_step_by_step():
    problem = rb.problems.zhu_tan_gaussian(1)
    result = rb.simulate(problem, [rb.MVLCB()], 200, 30, progress=False, checkpoints=range(1, 201))
    pulls = result.traces[0].sums[:, :, BEST_ARM]
    played = np.diff(pulls, axis=1, prepend=0.0)
    expected = played[:, 100:].sum(axis=1) < 50
    assert locked(result.traces[0]).tolist() == expected.tolist()
    assert expected.sum() > 0


@pytest.mark.parametrize(("successes", "trials"), [(0, 10), (3, 10), (10, 10), (1, 500)])
def test_clopper_pearson_ends_where_the_tails_hold_2_5_percent(successes, trials):
    low, high = clopper_pearson(successes, trials)
    if successes > 0:
        assert binom.sf(successes - 1, trials, low) == pytest.approx(0.025)
    else:
        assert low == 0.0
    if successes < trials:
        assert binom.cdf(successes, trials, high) == pytest.approx(0.025)
    else:
        assert high == 1.0
