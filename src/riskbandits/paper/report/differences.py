"""Where the paper's text, its figures and the authors' published scripts part, and what that amounts to."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from riskbandits import problems, theory
from riskbandits.metrics import exact_pseudo_regret, pseudo_regret, regret
from riskbandits.paper.experiments import BERNOULLI_RHOS, GAUSSIAN_RHOS, Outcomes
from riskbandits.paper.report.content import Difference
from riskbandits.paper.report.formatting import percent, rho_text, typeset
from riskbandits.policies import MVLCB, MVTS, BernoulliLCB
from riskbandits.simulation.checkpoints import PAPER
from riskbandits.simulation.kernel import REWARD, REWARD_SQUARED
from riskbandits.simulation.trace import Trace

PAPERS_EXPERIMENTS = ("gaussian", "bernoulli")


def differences(outcomes: Outcomes) -> tuple[Difference, ...]:
    """All of them; amounts come from the runs and from theory."""
    traces = list(_traces(outcomes))
    return (
        Difference(
            "variance of the rewards",
            "Definition 2: the biased sample variance, a division by n.",
            "R's `var`, which divides by n - 1.",
            "As printed.",
            _division(traces),
        ),
        Difference(
            "what the figures show",
            "Regret averaged over runs; standard deviations are left out.",
            "The logarithm of the mean realised regret.",
            "The paper's axes, and beside them the exact pseudo-regret with 95 % bands, and run by run.",
            _logarithms(traces),
        ),
        Difference(
            "pseudo-regret",
            "Definition 3 counts the cost of switching twice ([E1](#E1)).",
            "Not used: the plots show the realised regret.",
            "The exact form, by which policies are compared here; the printed one is in the tables.",
            _switching(traces),
        ),
        Difference(
            "spread over runs",
            "Called small beside the averages, and so left out of the plots ([E24](#E24)).",
            "",
            "Intervals everywhere.",
            _spread(outcomes),
        ),
        Difference(
            "MTS",
            r"Algorithm 2 plays the largest $\rho \theta - 2 \beta$ ([E3](#E3)).",
            r"$\rho \theta - v$, v the sample variance, as in the proof.",
            "`MTS()` as in the scripts; `MTS.printed()` keeps the printed form, to show that it fails.",
            "",
        ),
        Difference(
            "shape of the posterior",
            rf"$\alpha$ = {typeset(MVTS().shape)} + T/2 after T pulls.",
            r"$\alpha$ is left at 1/2 after the first pull: $\alpha = T/2$.",
            "As printed; the scripts' form is `MVTS(shape=0)`.",
            "",
        ),
        Difference(
            "constants of MV-LCB",
            r"Named after Sani et al. (2012), whose index has $(5 + \rho) \sqrt{\ln(1/\delta)/(2T)}$, $\delta = 1/n^2$"
            "; the constants used are not given.",
            r"$\sqrt{3/2} (2 + \rho) \sqrt{\ln t/T}$: the form of Vakili & Zhao (2016) with $a = 2$.",
            f"All three: `MVLCB()`, `MVLCB.sani()`, `MVLCB.vakili()` (a = {typeset(3.0 / MVLCB.vakili().factor)}).",
            _presets(outcomes, "gaussian", "MVLCB", ("MVLCB:sani", "MVLCB:vakili")),
        ),
        Difference(
            "LCB for Bernoulli arms",
            "Said to be like the other two; no formula.",
            r"p = (1 + successes)/(1 + pulls), bonus $\sqrt{6} (2 + \rho) \sqrt{\ln t/(1 + \text{pulls})}$, no "
            "first pulls.",
            "`BernoulliLCB()` as in the scripts, `.sani()`, and `.tight()` with the bonus that f needs "
            f"({typeset(BernoulliLCB.tight().offset)} + rho in place of {typeset(BernoulliLCB().offset)} + rho).",
            _presets(outcomes, "bernoulli", "BernoulliLCB", ("BernoulliLCB:sani", "BernoulliLCB:tight")),
        ),
        Difference(
            "values of rho, Bernoulli arms",
            r"$0 < \rho < 1$.",
            f"A grid of {len(BERNOULLI_RHOS)} values, with 0 and 1.",
            "The scripts' grid.",
            _outside(),
        ),
        Difference(
            "values of rho and checkpoints",
            f"rho from {rho_text(GAUSSIAN_RHOS[0])} to {rho_text(GAUSSIAN_RHOS[-1])}; which values is not said.",
            f"{len(GAUSSIAN_RHOS)} values for Gaussian arms; {len(PAPER)} checkpoints from step {PAPER[0]:,} to "
            f"{PAPER[-1]:,}.",
            "The scripts' values; more checkpoints.",
            "",
        ),
        Difference(
            "the best arm",
            "Arm 1, without loss of generality.",
            "",
            "Found for each rho, never assumed; arms are counted from 0.",
            f"On the Gaussian arms {_best_arms()} different arms are best somewhere on the grid.",
        ),
        Difference(
            "reward draws",
            "Not said.",
            "Each policy sees draws of its own.",
            "The same: every run has streams of its own, so that policies are independent samples.",
            "",
        ),
    )


def _traces(outcomes: Outcomes) -> Iterator[Trace]:
    for name in PAPERS_EXPERIMENTS:
        for result in outcomes[name].results if name in outcomes else ():
            yield from result.traces


def _division(traces: list[Trace]) -> str:
    """What the other division adds to a run's regret: n V (n/(n - 1) - 1)."""
    added = []
    for trace in traces:
        n = trace.horizon
        variance = trace.sums[:, -1, REWARD_SQUARED] / n - (trace.sums[:, -1, REWARD] / n) ** 2
        added.append(float(np.mean(variance)) * n / max(n - 1, 1))
    return f"Adds {_range(added)} to a run's regret, on average." if added else ""


def _logarithms(traces: list[Trace]) -> str:
    means = np.concatenate([regret(trace).mean(axis=0) for trace in traces]) if traces else np.zeros(0)
    if not len(means):
        return ""
    negative = int((means <= 0.0).sum())
    return (
        f"Of {len(means):,} mean regrets over policies, rho and steps, {negative:,} are negative or 0, "
        "so they cannot be drawn on a log axis."
    )


def _switching(traces: list[Trace]) -> str:
    ends = [trace._replace(checkpoints=trace.checkpoints[-1:], sums=trace.sums[:, -1:]) for trace in traces]
    ratios = [float(pseudo_regret(end).mean() / exact_pseudo_regret(end).mean()) for end in ends]
    return f"The printed form is {_range(ratios)} times the exact one at the end." if ratios else ""


def _spread(outcomes: Outcomes) -> str:
    parts = []
    for name, label in (("gaussian", "MVTS"), ("bernoulli", "BMVTS")):
        for rho, result in zip(outcomes[name].values, outcomes[name].results, strict=True) if name in outcomes else ():
            if label in result.labels and result.traces[0].runs > 1:
                values = regret(result.trace(label))[:, -1]
                parts.append((float(values.std(ddof=1) / abs(values.mean())), label, rho))
    if not parts:
        return ""
    low, high = min(parts), max(parts)
    return (
        f"The standard deviation of the realised regret is {percent(low[0])} ({low[1]} at rho = {rho_text(low[2])}) to "
        f"{percent(high[0])} ({high[1]} at rho = {rho_text(high[2])}) of its mean."
    )


def _presets(outcomes: Outcomes, name: str, first: str, others: tuple[str, ...]) -> str:
    """How much more or less regret other constants give."""
    parts = []
    for other in others if name in outcomes else ():
        results = [one for one in outcomes[name].results if {first, other} <= set(one.labels)]
        ratios = [_mean_at_the_end(one.trace(other)) / _mean_at_the_end(one.trace(first)) for one in results]
        if ratios:
            parts.append(f"{other}: {_range(ratios)} times")
    return f"Regret over rho, beside {first}: {'; '.join(parts)}." if parts else ""


def _mean_at_the_end(trace: Trace) -> float:
    return float(exact_pseudo_regret(trace)[:, -1].mean())


def _outside() -> str:
    applies = theory.theorem_4(problems.zhu_tan_bernoulli(), rho=BERNOULLI_RHOS).applies
    outside = [rho_text(rho) for rho, inside in zip(BERNOULLI_RHOS, applies, strict=True) if not inside]
    return f"Theorem 4 does not speak of rho = {' and '.join(outside)}." if outside else ""


def _best_arms() -> int:
    return len({problems.zhu_tan_gaussian(rho).best_arm for rho in GAUSSIAN_RHOS})


def _range(values: list[float]) -> str:
    low, high = typeset(min(values)), typeset(max(values))
    return low if low == high else f"{low} to {high}"
