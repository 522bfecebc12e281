"""The paper's experiments with policies that compile once and soon; for tests of what is done with outcomes."""

from __future__ import annotations

from riskbandits.paper.experiments import EXPERIMENTS
from riskbandits.policies import BernoulliLCB

SMALL = {
    "bernoulli": EXPERIMENTS["bernoulli"]._replace(
        policies=(BernoulliLCB.authors(), BernoulliLCB.sani(), BernoulliLCB.tight()), horizon=200
    )
}
