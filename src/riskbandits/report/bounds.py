"""The paper's bounds on its own arms over rho, beside what no consistent policy can beat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from riskbandits import problems, theory
from riskbandits.experiments.printed_theorems import per_arm_table
from riskbandits.problem import Problem
from riskbandits.report.content import Cell, Column, Table
from riskbandits.report.numbers import number_cell, rho_cell, shown
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
        f"Gaussian arms: growth of regret per unit of ln n. {_key(problem)}",
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
    )


def bernoulli(rhos: Sequence[float]) -> Table:
    """Theorem 4 on the Bernoulli arms."""
    problem = problems.zhu_tan_bernoulli()
    least, printed = theory.lower_bound(problem, rho=rhos), theory.theorem_4(problem, rho=rhos)
    real = [bool(np.all(holds)) for holds in printed.remarks["second_root_is_an_arm"].holds]
    return Table(
        "bounds-bernoulli",
        f"Bernoulli arms: growth of regret per unit of ln n. {_key(problem)}",
        (
            Column("rho"),
            Column("best arm"),
            Column("lower bound"),
            Column(printed.name),
            Column("theorem over lower bound"),
            Column("second term of the theorem", numeric=False),
        ),
        tuple(
            (
                rho_cell(rho),
                _best_arm(problem, rho),
                number_cell(least.total[k]),
                _total(printed, k),
                number_cell(printed.total[k] / least.total[k]),
                Cell("stands for an arm" if real[k] else "stands for no arm", float(real[k])),
            )
            for k, rho in enumerate(rhos)
        ),
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
    return Cell(f"{shown(total)} {mark}", total, "" if applies else "dim")


def _best_arm(problem: Problem, rho: float) -> Cell:
    return number_cell(problem.with_risk(MeanVariance(rho)).best_arm)
