"""The study of policies beyond the paper: its problems are what they say, its tables hold what simulations gave."""

from __future__ import annotations

import numpy as np
import pytest

import riskbandits as rb
from riskbandits.core.errors import RiskBanditsError
from riskbandits.metrics import best_arm_share, exact_pseudo_regret
from studies import better_settings as settings
from studies import better_than_mvts as study


def test_problems():
    for words in settings.TIES:
        distance, _, lead = map(float, words.split())
        problem = settings.tie(words)
        assert problem.best_arm == (0 if lead > 0 else 1)
        assert problem.gaps.max() == pytest.approx(abs(lead))
        assert abs(np.diff(problem.means))[0] == distance
    # A unit changes nothing but the unit.
    np.testing.assert_allclose(settings.scaled(100.0).gaps, 1e4 * settings.scaled(1.0).gaps)
    assert settings.STUDIES["gaussian"].problem(0.3).risk.rho == 0.3
    assert settings.STUDIES["bernoulli"].problem(1).risk.rho == pytest.approx(1 / 9)


def test_table():
    policies = [rb.MVTS(), rb.NGTS()]
    result = study.run("scale", 5, [1.0, 100.0], policies, horizon=200, seed=3, progress=False, method="plain")
    table = study.table("scale", result)
    assert table[["scale", "policy", "step"]].values.tolist() == [
        [scale, policy, 200] for scale in (1.0, 100.0) for policy in ("MVTS", "NGTS")
    ]
    traces = result.at(100.0).traces
    regrets = [exact_pseudo_regret(trace)[:, -1] for trace in traces]
    assert table.regret[3] == pytest.approx(regrets[1].mean())
    assert table.ratio[3] == pytest.approx(regrets[1].mean() / regrets[0].mean())
    assert table.ratio[0] == 1.0
    assert (table.ratio_low <= table.ratio).all()
    assert (table.locked <= table.locked_high).all()
    with pytest.raises(RiskBanditsError, match="There is no study 'scales'"):
        study.run("scales")


def test_leaving_a_crowd_is_worst_half_way():
    """Why no policy is below another at every horizon there; p is the share of the best arm's plays."""
    problem = settings.tie("1 0.05 -0.1 49")
    policies = [rb.UniformRandom(), rb.NGTS(anytime=True)]
    traces = rb.simulate(
        problem, policies, horizon=64_000, runs=4, checkpoints=[1000, 8000, 64_000], progress=False
    ).traces
    for trace in traces:
        p = best_arm_share(trace)
        np.testing.assert_allclose(
            exact_pseudo_regret(trace) / trace.checkpoints, (1 - p) * 0.1 + p * (1 - p), rtol=1e-9
        )
    per_step = [(exact_pseudo_regret(trace) / trace.checkpoints).mean(axis=0) for trace in traces]
    assert per_step[1][1] > 1.5 * per_step[0][1]  # NGTS is on its way
    assert per_step[1][2] < 0.9 * per_step[0][2]  # and has arrived


def test_every_checkpoint_is_a_horizon_where_nobody_knows_it():
    result = study.run("horizons", 3, None, [rb.MVTS()], horizon=2000, progress=False, method="plain")
    assert study.table("horizons", result).step.tolist() == [1000, 2000] * 7


def test_command(capsys):
    study.main(["scale", "--runs", "1", "--values", "1", "--policies", "ngts", "--workers", "1"])
    assert "NGTS" in capsys.readouterr().out.splitlines()[1]


def test_policies_are_named_as_on_the_command_line():
    found = [study._chosen(name, study.study("scale").policies) for name in ("imed-mv", "ngts", "ngts:honda-takemura")]
    assert found == [rb.IMEDMV(), rb.NGTS(), rb.NGTS.honda_takemura()]
    assert study._chosen("ngts", study.study("horizons").policies) == rb.NGTS(anytime=True)
    with pytest.raises(rb.RiskBanditsError, match="no policy 'ngts:nobody'"):
        study._chosen("ngts:nobody", study.study("scale").policies)
