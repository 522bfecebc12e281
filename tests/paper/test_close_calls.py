from __future__ import annotations

import numpy as np
import pytest

from riskbandits.api import sweep
from riskbandits.paper import experiments
from riskbandits.paper.experiments import EXPERIMENTS


def jobs(experiment):
    """What would be simulated, by policy and rho."""
    _, values, groups = sweep.plan(
        experiment.problem_for_rho,
        experiment.rhos,
        experiment.policies,
        sweep.RunOptions(experiment.horizon, experiment.runs, 0, experiment.checkpoints),
    )
    return {(rho, job.label): job for rho, group in zip(values, groups, strict=True) for job in group}


@pytest.mark.parametrize("name", experiments.CLOSE_CALLS)
def test_they_go_on_where_the_papers_experiment_stops(name):
    few = jobs(EXPERIMENTS["gaussian"])
    for key, many in jobs(experiments.CLOSE_CALLS[name]).items():
        assert many.runs > few[key].runs
        assert (many.policy, many.problem, many.method) == (few[key].policy, few[key].problem, few[key].method)
        # One with many runs is looked at only at steps that claims need, to keep the store small.
        if experiments.CLOSE_CALLS[name].checkpoints is None:
            np.testing.assert_array_equal(many.checkpoints, few[key].checkpoints)


def test_another_unit_is_the_same_problem():
    plain, scaled = experiments.in_units(1.0), experiments.in_units(10.0)
    np.testing.assert_allclose(scaled.gaps, 100.0 * plain.gaps)
    np.testing.assert_allclose(scaled.mean_gaps, 10.0 * plain.mean_gaps)
    assert scaled.best_arm == plain.best_arm
