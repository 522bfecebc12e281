"""The policies that a page offers: those of the package that serve the mean-variance, and your own."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.arms import BernoulliArms, GaussianArms, HurdleArms
from riskbandits.compiling.jit import always_inline
from riskbandits.core.errors import RefusalError
from riskbandits.core.records import cast, same
from riskbandits.policies import (
    BMVTS,
    IMEDMV,
    KLUCBMV,
    MTS,
    MVDSEE,
    MVLCB,
    MVTS,
    NGTS,
    UCB1,
    VTS,
    BernoulliLCB,
    BernoulliTS,
    ExpExp,
    GaussianTS,
    HurdleTS,
    SwitchingAware,
    UniformRandom,
)
from riskbandits.policies.support import contract
from riskbandits.policies.support.naming import label, presets
from riskbandits.policies.support.trial import try_on_every_target
from riskbandits.policies.support.wrapper import wrapper
from riskbandits.risk import Mean, MeanVariance

if TYPE_CHECKING:
    from riskbandits.types import Arms, Policy, RiskMeasure, Run, State

RISK = MeanVariance(1.0)
NUMBERS_OF_ARMS = (2, 15)  # the fewest and the most that a page can have
FAMILIES = {
    "gaussian": lambda size: cast(GaussianArms([0.0] * size, [1.0] * size)),
    "bernoulli": lambda size: cast(BernoulliArms([0.3] * size)),
    "hurdle": lambda size: cast(HurdleArms([0.3] * size, [1.0] * size, [0.0] * size)),
}


@wrapper
class RiskBlind(NamedTuple):
    """A policy for the mean alone, on a problem that is judged by more: what minding the risk is compared with.

    >>> import riskbandits as rb
    >>> problem = rb.problems.zhu_tan_bernoulli(rho=1)
    >>> rb.simulate(problem, [RiskBlind(rb.UCB1())], horizon=40, runs=2, seed=1, progress=False).labels
    ['RiskBlind(UCB1)']
    """

    policy: Any

    @always_inline
    def measure(self, state: State, run: Run, risk: RiskMeasure) -> Mean:
        """The mean, whatever is asked for."""
        return Mean()

    def refuses(self, risk: RiskMeasure, arms: Arms) -> str | None:
        """What the policy refuses of the mean."""
        return contract.refusal(self.policy, Mean(), arms)


# In the order of the page; those that it shows first are ticked.
PACKAGE = (
    (MVTS(), True),
    (MTS(), False),
    (VTS(), False),
    (BMVTS(), True),
    (NGTS(), True),
    (SwitchingAware(), True),
    (SwitchingAware.bernoulli(), True),
    (HurdleTS(), False),
    (IMEDMV(), False),
    (IMEDMV.bernoulli(), False),
    (KLUCBMV(), False),
    (KLUCBMV.bernoulli(), False),
    (MVLCB(), False),
    (MVLCB.sani(), False),
    (BernoulliLCB(), False),
    (RiskBlind(UCB1()), False),
    (RiskBlind(GaussianTS()), False),
    (RiskBlind(BernoulliTS()), False),
    (MVDSEE(), False),
    (ExpExp(), False),
    (UniformRandom(), False),
    (MTS.printed(), False),
)


class Offer(NamedTuple):
    """A policy in the page."""

    label: str
    policy: Any
    about: str
    families: tuple[str, ...]  # of arms that it serves
    ticked: bool
    own: bool


def offers(own: Iterable[Any] = ()) -> list[Offer]:
    """All policies of the page, one's own first. One that no page can serve is a RefusalError."""
    mine = [_offer(policy, True, True) for policy in contract.check_policies(list(own))] if own else []
    theirs = [_offer(cast(policy), ticked, False) for policy, ticked in PACKAGE]
    taken = {offer.label for offer in mine}
    return [*mine, *(offer for offer in theirs if offer.label not in taken)]


def _offer(policy: Policy, ticked: bool, own: bool) -> Offer:
    if contract.history_entries(policy):
        raise RefusalError(f"{type(policy).__name__} keeps a history of rewards, which a web page has no room for.")
    if contract.uses_features(policy):
        raise RefusalError(f"{type(policy).__name__} uses features of decisions, which a web page has no room for.")
    refusals = {
        name: [contract.refusal(policy, RISK, arms(size)) for size in NUMBERS_OF_ARMS]
        for name, arms in FAMILIES.items()
    }
    served = tuple(name for name, refused in refusals.items() if not any(refused))
    if not served:
        raise RefusalError(next(filter(None, refusals["gaussian"])))
    try_on_every_target(policy, RISK)
    return Offer(label(policy), policy, _about(policy), served, ticked, own)


def _about(policy: Policy) -> str:
    """The first sentence of what the policy's class says of itself, and of what its preset adds to it."""
    if isinstance(policy, RiskBlind):
        return f"Blind to risk. {_first_line(type(policy.policy))}"
    preset = next((name for name, one in presets(type(policy)).items() if same(one, policy)), None)
    added = _first_line(getattr(type(policy), preset)) if preset else ""
    return " ".join(filter(None, [_first_line(type(policy)), added]))


def _first_line(thing: object) -> str:
    words = inspect.getdoc(thing) or ""
    # A NamedTuple without a docstring has one of its own, which says nothing.
    return "" if words.startswith(f"{getattr(thing, '__name__', '')}(") else words.partition("\n")[0].replace("`", "")
