"""The experiments of Zhu & Tan (2020): their arms, values of rho and policies, with every preset of the baselines."""

from __future__ import annotations

from riskbandits import problems
from riskbandits.paper.experiment import Experiment
from riskbandits.policies import BMVTS, MTS, MVLCB, MVTS, VTS, BernoulliLCB

GAUSSIAN_RHOS = problems.ZHU_TAN_RHOS
BERNOULLI_RHOS = problems.ZHU_TAN_BERNOULLI_RHOS

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
