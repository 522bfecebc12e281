"""The paper's bounds on its own arms over rho, beside what no consistent policy can beat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from riskbandits import problems, theory
from riskbandits.paper.printed_theorems import per_arm_table
from riskbandits.paper.report.content import Cell, Column, Table
from riskbandits.paper.report.formatting import number_cell, rho_cell, rho_text, typeset
from riskbandits.problem import Problem
from riskbandits.risk import MeanVariance
from riskbandits.theory import Bound

APPLIES = {True: "✓", False: "✗"}


def tables(gaussian_rhos: Sequence[float], bernoulli_rhos: Sequence[float]) -> tuple[Table, ...]:
    """One table for each family of arms."""
    return gaussian(gaussian_rhos), bernoulli(bernoulli_rhos)


def gaussian(rhos: Sequence[float]) -> Table:
    """Theorems 1 to 3 on the Gaussian arms."""
    problem = problems.zhu_tan_gaussian()
    least = theory.lower_bound(problem, rho=rhos)
    printed = [theorem(problem, rho=rhos) for theorem in (theory.theorem_1, theory.theorem_2, theory.theorem_3)]
    reached = theory.mvts_rate(problem, rho=rhos)
    arms = per_arm_table(rhos, problem)
    broken = [arms[(arms["rho"] == rho) & arms["contradicted"]]["arm"].tolist() for rho in rhos]
    return Table(
        "bounds-gaussian",
        "Gaussian arms: growth of regret per unit of ln n.",
        (
            Column("rho"),
            Column("best arm"),
            Column("lower bound"),
            Column("MVTS can reach"),
            *(Column(bound.name) for bound in printed),
            Column("arms where Theorem 3 is below the lower bound on pulls", numeric=False),
        ),
        tuple(
            (
                rho_cell(rho),
                _best_arm(problem, rho),
                number_cell(least.total[k]),
                number_cell(reached.total[k]),
                *(_total(bound, k) for bound in printed),
                Cell(", ".join(map(str, broken[k])) or "none", len(broken[k]), "warn" if broken[k] else ""),
            )
            for k, rho in enumerate(rhos)
        ),
        _key(problem),
    )


def bernoulli(rhos: Sequence[float]) -> Table:
    """Theorem 4 on the Bernoulli arms."""
    problem = problems.zhu_tan_bernoulli()
    least, printed = theory.lower_bound(problem, rho=rhos), theory.theorem_4(problem, rho=rhos)
    real = [bool(np.all(holds)) for holds in printed.remarks["second_root_is_an_arm"].holds]
    return Table(
        "bounds-bernoulli",
        "Bernoulli arms: growth of regret per unit of ln n.",
        (
            Column("rho"),
            Column("best arm"),
            Column("lower bound"),
            Column(printed.name),
            Column("theorem over lower bound"),
            Column("terms of the second kind", numeric=False),
        ),
        tuple(
            (
                rho_cell(rho),
                _best_arm(problem, rho),
                number_cell(least.total[k]),
                _total(printed, k),
                number_cell(printed.total[k] / least.total[k]),
                Cell("belong to an arm" if real[k] else "none", float(real[k])),
            )
            for k, rho in enumerate(rhos)
        ),
        _key(problem),
    )


def notes(rhos: Sequence[float]) -> tuple[str, ...]:
    """Where upper bounds lie below the lower bound on the Gaussian arms, and why their policies may do so."""
    problem = problems.zhu_tan_gaussian()
    found = {rho: theory.below_lower_bound(problem, rho) for rho in rhos}
    sentences = [_smaller_class(problem, rhos)]
    for name in dict.fromkeys(one.bound for every in found.values() for one in every):
        where = {rho: one for rho, every in found.items() for one in every if one.bound == name}
        fails = "" if any(one.applies for one in where.values()) else ", arms for which its assumptions fail"
        at = ", ".join(map(rho_text, where))
        sentences.append(f"{name} allows fewer pulls of some arms than the lower bound{fails}, at rho = {at}.")
    return (*sentences, *dict.fromkeys(one.reason for every in found.values() for one in every))


def _smaller_class(problem: Problem, rhos: Sequence[float]) -> str:
    """How the bound for the paper's class compares: on these arms at these rho, as a sentence."""
    everything = theory.lower_bound(problem, rho=rhos).total
    limited = theory.lower_bound(problem, rho=rhos, largest_variance=1.0).total
    smaller = [
        (rho, value) for rho, value, other in zip(rhos, limited, everything, strict=True) if value < 0.999 * other
    ]
    than = "; ".join(f"{typeset(value)} at rho = {rho_text(rho)}" for rho, value in smaller)
    tail = f"smaller at some rho: {than}." if smaller else "the same on these arms at every rho."
    return (
        "The lower bound binds policies that are consistent on all problems with Gaussian arms. For those that are "
        f"consistent only where variances are at most 1, the paper's class, it is {tail}"
    )


def _key(problem: Problem) -> str:
    return (
        f"{APPLIES[True]}: every assumption of the theorem, and of its proof, holds for every arm; {APPLIES[False]}: "
        f"it does not, with the number of arms, of the {problem.size - 1} that are not best, for which it does. "
        "Arms are counted from 0."
    )


def _total(bound: Bound, k: int) -> Cell:
    """The total with whether it applies; sorted by the total."""
    total, applies = float(bound.total[k]), bool(bound.applies[k])
    covered = int(np.sum(bound.holds[k])) - 1  # the best arm is always counted as covered
    mark = APPLIES[applies] if applies else f"{APPLIES[applies]} {covered}/{bound.holds.shape[-1] - 1}"
    return Cell(f"{typeset(total)} {mark}", total, "" if applies else "dim")


def _best_arm(problem: Problem, rho: float) -> Cell:
    return number_cell(problem.with_risk(MeanVariance(rho)).best_arm)
