"""What is compared with what. Each function gives rows for a table: names, and numbers as they are printed."""

from __future__ import annotations

from typing import Any

import numpy as np

import riskbandits as rb
from riskbandits import metrics
from studies.drift import measuring
from studies.drift.measuring import RatioOverProblems, Size, ratio, regrets

AWARE = rb.SwitchingAware()
LENGTHS = (500, 1000, 2000, 5000)  # steps for which arms stay alike
SHARES = (2, 4, 6, 10, 20)  # half-lives as parts of it
CHANGE = 2000  # where policies are compared
HALF_LIVES = (100, 333, 1000, 3000)  # where nothing changes
WALKS = (0.02, 0.1)
SIZES = (2, 5, 15)
DELAYS = {
    "10 steps": rb.Delay.fixed(10),
    "100 steps": rb.Delay.fixed(100),
    "1000 steps": rb.Delay.fixed(1000),
    "geometric, mean 100": rb.Delay.geometric(mean=100),
    "geometric, mean 100, in order": rb.Delay.geometric(mean=100, in_order=True),
}


def half_lives(size: Size) -> dict[int, dict[int, RatioOverProblems]]:
    """Per length of a piece and part of it, the dynamic regret of Discounted over that of SwitchingAware."""
    found = {}
    for length in LENGTHS:
        policies = {str(part): rb.Discounted(AWARE, half_life=length / part) for part in SHARES}
        regret = regrets(
            lambda number, every=length: measuring.changing(number, every), {"plain": AWARE, **policies}, size
        )
        found[length] = {part: ratio(regret[str(part)], regret["plain"]) for part in SHARES}
    return found


def recommended(found: dict[int, dict[int, RatioOverProblems]]) -> int:
    """The part that is best over all lengths, by the geometric mean of the ratios."""
    return min(SHARES, key=lambda part: sum(np.log(ratios[part].value) for ratios in found.values()))


def forgetting(policy: Any, half_life: float) -> dict[str, Any]:
    """A policy unmodified, and with each way to forget."""
    return {
        "unmodified": policy,
        "Discounted": rb.Discounted(policy, half_life=half_life),
        "Restarting": rb.Restarting(policy),
        "Restarting, together": rb.Restarting(policy, together=True),
    }


def ways(size: Size, half_life: float) -> dict[str, dict[str, dict[str, Any]]]:
    """Per world and policy, the regret of each way to forget and its ratio to that of the unmodified policy."""
    worlds = {
        f"a change every {CHANGE} steps": lambda number: measuring.changing(number, CHANGE),
        "no change": lambda number: measuring.changing(number, None),
    }
    worlds |= {
        f"means that drift by {step:g} per 100 steps": lambda number, step=step: measuring.walking(number, step)
        for step in WALKS
    }
    inside = {"SwitchingAware": AWARE, "NGTS": rb.NGTS(), "MVTS": rb.MVTS()}
    found = {}
    for world, make in worlds.items():
        chosen = inside if "drift" not in world else {"SwitchingAware": AWARE}
        found[world] = {name: _compared(make, forgetting(policy, half_life), size) for name, policy in chosen.items()}
    return found


def ways_with_coins(size: Size, half_life: float) -> dict[str, dict[str, Any]]:
    """The same for rewards 0 and 1, with and without changes."""
    policies = {
        "unmodified": rb.SwitchingAware.bernoulli(),
        "Discounted": rb.Discounted.bernoulli(half_life=half_life),
        "Restarting": rb.Restarting.bernoulli(),
        "Restarting, together": rb.Restarting.bernoulli()._replace(together=True),
    }
    worlds = {f"a change every {CHANGE} steps": CHANGE, "no change": None}
    return {
        world: _compared(lambda number, every=every: measuring.coins(number, every), policies, size)
        for world, every in worlds.items()
    }


def costs(size: Size) -> dict[int, dict[float, RatioOverProblems]]:
    """Where nothing changes: per number of arms and half-life, how many times the regret of SwitchingAware."""
    policies = {str(one): rb.Discounted(AWARE, half_life=one) for one in HALF_LIVES}
    found = {}
    for arms in SIZES:
        regret = regrets(
            lambda number, arms=arms: measuring.changing(number, None, arms), {"plain": AWARE, **policies}, size
        )
        found[arms] = {one: ratio(regret[str(one)], regret["plain"]) for one in HALF_LIVES}
    return found


def delays(size: Size) -> dict[str, dict[str, Any]]:
    """Arms that stay: per policy the regret without a delay, and by how much each delay adds to it."""
    policies = {"SwitchingAware": AWARE, "NGTS": rb.NGTS(), "MVTS": rb.MVTS()}
    plain = regrets(measuring.staying, policies, size, metrics.exact_pseudo_regret)
    found: dict[str, dict[str, Any]] = {label: {"none": plain[label].mean()} for label in policies}
    for name, delay in DELAYS.items():
        late = regrets(measuring.staying, policies, size, metrics.exact_pseudo_regret, delay)
        for label in policies:
            found[label][name] = late[label].mean()
    return found


def late_and_changing(size: Size, half_life: float) -> dict[str, dict[str, Any]]:
    """Arms that change, with answers 100 steps late."""
    make, policies = (lambda number: measuring.changing(number, CHANGE)), forgetting(AWARE, half_life)
    at_once, late = (regrets(make, policies, size, delay=one) for one in (None, rb.Delay.fixed(100)))
    return {
        label: {
            "at once": at_once[label].mean(),
            "late": late[label].mean(),
            "ratio": ratio(late[label], late["unmodified"]),
        }
        for label in policies
    }


def _compared(make: Any, policies: dict[str, Any], size: Size) -> dict[str, Any]:
    found = regrets(make, policies, size)
    return {label: (found[label].mean(), ratio(found[label], found["unmodified"])) for label in policies}
