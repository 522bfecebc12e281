"""More runs where the paper's 500 are too few to tell policies apart, or to tell that they are alike.

They have the seeds of `zhu_tan`, so that a store gives the first 500 runs and only the others are simulated.
"""

from __future__ import annotations

from riskbandits.paper import zhu_tan
from riskbandits.paper.experiment import Experiment
from riskbandits.policies import MVTS, VTS

_PAPERS = zhu_tan.EXPERIMENTS["gaussian"]

EXPERIMENTS: dict[str, Experiment] = {
    "gaussian-small-rho": _PAPERS._replace(
        title="Gaussian arms at rho = 0.001, more runs", rhos=(0.001,), policies=(VTS(), MVTS()), runs=2000
    ),
    # A few runs of VTS settle on a wrong arm: its mean needs the most runs of all.
    "gaussian-rho-1": _PAPERS._replace(
        title="Gaussian arms at rho = 1, more runs of VTS", rhos=(1.0,), policies=(VTS(),), runs=4000
    ),
}
