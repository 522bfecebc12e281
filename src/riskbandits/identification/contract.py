"""What a rule for finding the best arm is: a record with one method.

    choose(samples, risk, budget, confidence) -> Decision

`samples` gives the rewards (`samples.first(k, count)`: the first `count` rewards of arm k, drawn when they are first
asked for) and the number of arms (`samples.size`). `budget` is the largest number of rewards that may be drawn in all,
`confidence` the wanted probability of naming the best arm, or None for a rule with a fixed budget. Optional:

    fixed_confidence() -> bool    whether the rule stops by itself (default no: it spends a budget)
    refuses(risk, arms)           a sentence if the rule is not defined for the risk measure or the arms, else None

Where the measure sets a condition (`VarianceConstrained`), a rule may end with Decision(None): no arm meets it.

Rules are plain Python: an arm is looked at some dozens of times per run, not at every reward.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riskbandits.core.checks import is_whole
from riskbandits.core.errors import ContractError, shown
from riskbandits.core.user_calls import guarded, name_of, sentence, truth

if TYPE_CHECKING:
    from riskbandits.types import Arms, RiskMeasure

RULE_METHODS = ("choose",)


class Decision(NamedTuple):
    """What a rule ends with."""

    arm: int | None  # None: no arm meets the measure's condition
    finished: bool = True  # False: the budget was spent before the rule was sure


def fixed_confidence(rule: Any) -> bool:
    """Whether the rule stops by itself when it is sure enough."""
    return truth(rule, "fixed_confidence")


def refusal(rule: Any, risk: RiskMeasure, arms: Arms) -> str | None:
    """Why the rule cannot be used here, if it cannot."""
    return sentence(rule, "refuses", risk, arms)


def names_an_arm(arm: Any, risk: RiskMeasure, size: int) -> bool:
    """Whether a rule may end with this: the index of an arm, or None where the measure sets a condition."""
    return hasattr(risk, "admits") if arm is None else is_whole(arm) and 0 <= arm < size


def decide(rule: Any, samples: Any, risk: RiskMeasure, budget: int, confidence: float | None) -> Decision:
    """What the rule ends with: one of the arms, and whether it is sure."""
    name = name_of(rule, "choose")
    found = guarded(name, rule.choose, samples, risk, budget, confidence)
    if not isinstance(found, tuple) or len(found) != 2:
        raise ContractError(f"{name} must return a Decision(arm, finished). Got {shown(found)} instead.")
    arm, finished = found
    if not names_an_arm(arm, risk, samples.size):
        wanted = f"a whole number from 0 to {samples.size - 1}"
        raise ContractError(f"The arm that {name} gives must be {wanted}. Got {shown(arm)} instead.")
    if not isinstance(finished, (bool, np.bool_)):
        raise ContractError(f"{name} must say True or False for finished. Got {shown(finished)} instead.")
    return Decision(None if arm is None else int(arm), bool(finished))
