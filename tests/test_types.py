"""What a type checker says of user code: what is right passes, and what is mixed up does not."""

from __future__ import annotations

from pathlib import Path

from mypy import api

ROOT = Path(__file__).parents[1]

BEGINNING = """\
from typing import NamedTuple

import numpy as np
import riskbandits as rb


class Mine(NamedTuple):
    rate: float = 1.0

    def score(self, state: np.ndarray, k: int, run: np.ndarray, risk: rb.MeanVariance, rng: rb.types.Rng) -> float:
        return state[k, 1] + self.rate * rng.standard_normal()

    def learn(self, state: np.ndarray, k: int, run: np.ndarray, reward: float) -> None:
        state[k, 0] += 1.0


arms = rb.GaussianArms(means=[0.0, 1.0], variances=[1.0, 1.0])
risk = rb.MeanVariance(rho=1.0)
problem = rb.Problem(arms, risk)
"""

RIGHT = (
    "rb.simulate(problem, [rb.MVTS(), rb.MVLCB()], horizon=10, runs=2)",
    "rb.simulate(problem, {'mine': Mine(), 'theirs': rb.SwitchingAware()})",
    "rb.simulate(problem, [Mine(rate=2.0)], workers=2, engine='processes').table()",
    "rb.sweep(rb.problems.zhu_tan_gaussian, [0.1, 1.0], [rb.MVTS()], horizon=10).plot('regret')",
    "rb.compare('paper', [rb.NGTS(), Mine()], runs=10).leaderboard()",
    "rb.identify(problem, rb.SuccessiveRejects(), budget=100).error_probability",
    "rb.Problem(rb.BernoulliArms(probabilities=[0.1, 0.2]), rb.CVaR(level=0.1)).best_arm",
    "rb.Learner(rb.SwitchingAware(), arms=['bond', 'stock'], risk=risk).ask()",
    "rb.theory.lower_bound(problem).total",
    "rb.Metric('gaps', 'sum of gaps', rb.metrics.gap_sum)",
)
WRONG = (
    "rb.simulate(problem, ['mvts'])",
    "rb.simulate(problem, [rb.MeanVariance(1.0)])",
    "rb.simulate([rb.MVTS()], problem)",
    "rb.simulate(problem, {'mine': 'mvts'})",
    "rb.simulate(problem, [rb.MVTS()], horizon='long')",
    "rb.Problem(risk, arms)",
    "rb.Problem(arms, 1.0)",
    "rb.Learner(risk, arms=['bond', 'stock'], risk=rb.MVTS())",
    "rb.identify(problem, rb.MVTS(), budget=100)",
    "rb.sweep(0.1, rb.problems.zhu_tan_gaussian, [rb.MVTS()])",
)


def test_twenty_lines_of_user_code(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)  # where the settings and mypy's cache are
    file = tmp_path / "user_code.py"
    file.write_text(BEGINNING + "\n".join((*RIGHT, *WRONG)) + "\n", encoding="utf-8")
    said, problems, _ = api.run(["--config-file", "pyproject.toml", "--no-pretty", str(file)])
    assert not problems
    first = BEGINNING.count("\n") + 1
    complaints = {int(line.split(":")[1]) - first for line in said.splitlines() if ": error:" in line}
    assert complaints == set(range(len(RIGHT), len(RIGHT) + len(WRONG))), said
