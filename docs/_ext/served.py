"""Who serves what: asked of the policies themselves, by the functions that refuse."""

from __future__ import annotations

from typing import Any

import riskbandits as rb
from riskbandits.policies.support import contract
from riskbandits.simulation import methods

MEASURES = {
    "Mean": rb.Mean(),
    "MeanVariance": rb.MeanVariance(1.0),
    "Variance": rb.Variance(),
    "CVaR": rb.CVaR(0.2),
    "ValueAtRisk": rb.ValueAtRisk(0.2),
    "Entropic": rb.Entropic(1.0),
    "Semivariance": rb.Semivariance(0.3),
    "Sharpe": rb.Sharpe(),
    "Sharpe.squared": rb.Sharpe.squared(),
    "MeanCVaR": rb.MeanCVaR(),
    "MeanSemideviation": rb.MeanSemideviation(),
    "Expectile": rb.Expectile(),
    "VarianceConstrained": rb.VarianceConstrained(),
    "LargestVariance": rb.LargestVariance(),
}
# From the widest to the narrowest: a policy that serves the first serves them all. Ten arms, since with few of them it
# may pay to score them all.
REWARDS = {
    "any": rb.GaussianArms([0.1, 0.5] * 5, [0.05, 0.3] * 5),
    "bounded": rb.UniformArms([0.0, 0.2] * 5, [1.0, 0.7] * 5),
    "0 or 1": rb.BernoulliArms([0.3, 0.6] * 5),
}


def row(policy: Any) -> list[str]:
    """What one policy says of itself."""
    serves = {
        (measure, arms): contract.refusal(policy, MEASURES[measure], REWARDS[arms]) is None
        for measure in MEASURES
        for arms in REWARDS
    }
    rewards = next(arms for arms in REWARDS if any(serves[measure, arms] for measure in MEASURES))
    wanted = [measure for measure in MEASURES if serves[measure, rewards]]
    risk, arms = MEASURES["MeanVariance" if "MeanVariance" in wanted else wanted[0]], REWARDS[rewards]
    method = methods.resolve_method(policy, "auto", risk, arms)
    if method == "lazy" and methods.BATCHED.refusal(policy, risk, arms) is None:
        method = "lazy, leaps"
    return [
        f"{{py:obj}}`{type(policy).__name__} <riskbandits.{type(policy).__name__}>`",
        "all" if len(wanted) == len(MEASURES) else ", ".join(wanted),
        rewards,
        method,
        "yes" if contract.needs_horizon(policy) else "",
        "yes" if contract.defines(policy, "fade") else "",
        "" if methods.METHODS["cuda"].refusal(policy, risk, arms) else "yes",
    ]


def served() -> str:
    """The page: a table with a row per policy."""
    heads = ["policy", "risk measures", "rewards", "simulated by", "needs the horizon", "can forget", "on a GPU"]
    rows = [row(getattr(rb, name)()) for name in rb.policies.__all__]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in [heads, ["---"] * len(heads), *rows])
    return f"""# Who serves what

Each row shows a policy with its default parameters, as the policy itself answers when it is asked. Presets may serve
more: `SwitchingAware.bernoulli()`, `NPTS.anchor_free()`. Whatever a policy does not serve is refused with a sentence
before anything runs. *Simulated by* is the method that `method="auto"` picks for ten arms, for mean-variance where
the policy serves it and otherwise for its first measure; `lazy` and `rising` skip arms that cannot be chosen, and
`leaps` means that the cost of a run hardly grows with its horizon once the best arm is clear. A policy that *can
forget* may be wrapped by `Discounted` and `Restarting`.

{table}
"""
