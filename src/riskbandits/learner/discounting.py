"""Discounting the evidence of a learner, for drift that follows a clock rather than decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.compiling import jit
from riskbandits.core.checks import number
from riskbandits.core.errors import RefusalError
from riskbandits.core.records import classes_of
from riskbandits.policies.support import contract, naming

if TYPE_CHECKING:
    from riskbandits.types import Policy, Run, State


def discount(policy: Any, state: np.ndarray, run: np.ndarray, factor: Any) -> None:
    """Multiply the weight of the evidence on all arms by `factor`, in one compiled call."""
    kept = number("The factor by which evidence fades", factor, "a number from 0 to 1", lambda one: 0.0 <= one <= 1.0)
    if not contract.defines(policy, "fade"):
        raise RefusalError(f"{type(policy).__name__} cannot forget: it has no method 'fade'.")
    step = jit.entry(discount_kernel, classes_of(policy))
    with jit.explaining(f"{naming.label(policy)}.fade"):
        step(policy, state, run, kept)


def discount_kernel(policy: Policy, state: State, run: Run, factor: float) -> None:
    """Discount each arm, but not below the weight of the first pulls that the policy needs to judge an arm."""
    for k in range(state.shape[0]):
        known = contract.evidence(policy, state, k)
        least = contract.needed(policy) / known if known > 0.0 else 1.0
        if least < 1.0:
            contract.fade(policy, state, k, run, max(factor, least))
