"""Conformance checks: they report in one sentence what is wrong with a policy, a risk measure, arms, a rule, an
engine or a storage of your own.

`check_policy(MyPolicy())` returns nothing if all is well. `docs/how-to/add-your-own.md` shows each of them.
"""

from riskbandits.testing.engine import check_engine
from riskbandits.testing.policy import check_policy
from riskbandits.testing.risk_and_arms import check_arms, check_risk
from riskbandits.testing.rules import check_rule
from riskbandits.testing.storage import check_storage

__all__ = ["check_arms", "check_engine", "check_policy", "check_risk", "check_rule", "check_storage"]
