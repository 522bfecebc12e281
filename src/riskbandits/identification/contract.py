"""What a rule for finding the best arm is: a record with one method.

    choose(samples, risk, budget, confidence) -> Decision

`samples` gives the rewards (`samples.first(k, count)`: the first `count` rewards of arm k, drawn when they are first
asked for) and the number of arms (`samples.size`). `budget` is the largest number of rewards that may be drawn in all,
`confidence` the wanted probability of naming the best arm, or None for a rule with a fixed budget. Optional:

    fixed_confidence() -> bool    whether the rule stops by itself (default no: it spends a budget)
    refuses(risk, arms)           a sentence if the rule is not defined for the risk measure or the arms, else None

Rules are plain Python: an arm is looked at some dozens of times per run, not at every reward.
"""

from __future__ import annotations

from typing import Any, NamedTuple

RULE_METHODS = ("choose",)


class Decision(NamedTuple):
    """What a rule ends with."""

    arm: int
    finished: bool = True  # False: the budget was spent before the rule was sure


def fixed_confidence(rule: Any) -> bool:
    """Whether the rule stops by itself when it is sure enough."""
    method = getattr(rule, "fixed_confidence", None)
    return bool(method()) if method is not None else False


def refusal(rule: Any, risk: Any, arms: Any) -> str | None:
    """Why the rule cannot be used here, if it cannot."""
    method = getattr(rule, "refuses", None)
    return method(risk, arms) if method is not None else None
