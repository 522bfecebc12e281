"""The experiments of Zhu & Tan (2020): their arms, values of rho and policies, with every preset of the baselines."""

from __future__ import annotations

from riskbandits import problems
from riskbandits.experiments.experiment import Experiment
from riskbandits.policies import BMVTS, MTS, MVLCB, MVTS, VTS, BernoulliLCB

GAUSSIAN_RHOS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
BERNOULLI_RHOS = tuple(k / 9 for k in range(10))

EXPERIMENTS = {
    "gaussian": Experiment(
        title="Gaussian arms",
        problem_for_rho=problems.zhu_tan_gaussian,
        rhos=GAUSSIAN_RHOS,
        policies=(MTS(), VTS(), MVTS(), MVLCB.authors(), MVLCB.sani(), MVLCB.vakili()),
    ),
    "bernoulli": Experiment(
        title="Bernoulli arms",
        problem_for_rho=problems.zhu_tan_bernoulli,
        rhos=BERNOULLI_RHOS,
        policies=(BMVTS(), BernoulliLCB.authors(), BernoulliLCB.sani(), BernoulliLCB.tight()),
    ),
}
