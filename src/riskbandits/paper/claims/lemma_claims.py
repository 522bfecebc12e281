"""The lemmas on which the proofs of Theorems 1 to 4 rest, as printed: on grids, and Lemma 2 by simulation."""

from __future__ import annotations

from collections.abc import Callable

from riskbandits.inference.claims import Claim
from riskbandits.inference.ratios import computed, of_mean
from riskbandits.paper.claims.arithmetic_claims import ROUNDING
from riskbandits.paper.claims.evidence import Row, at_least, at_most, cases_not_refuted, unless_refuted
from riskbandits.paper.claims.measurements import outcome
from riskbandits.paper.experiments import Outcomes
from riskbandits.paper.lemmas import tail_lemmas

MARGIN = "least margin (in logarithms)"
GRID = "Logarithm of the larger side less that of the smaller one, over a grid of cases: never below 0."
CASES = {
    r"$v \ge s_1^2$ with $m \le \mu_1$": (True, False),
    r"$v \ge s_1^2$ with $m > \mu_1$": (True, True),
    r"$v < s_1^2$ with $m \le \mu_1$": (False, False),
    r"$v < s_1^2$ with $m > \mu_1$": (False, True),
}


def pulls_of_mvts(outcomes: Outcomes) -> list[Row]:
    """Mean pulls of the wrong arm of two over what the lemma allows."""
    source = outcome(outcomes, "growth").results[0].trace("MVTS")
    problem = source.problem
    order = (problem.best_arm, 1 - problem.best_arm)
    variances = tuple(float(problem.variances[arm]) for arm in order)
    gaps = float(problem.gaps[order[1]]), float(problem.mean_gaps[order[1]])
    allowed = tail_lemmas.pulls_bound(variances, gaps, float(problem.risk.rho), source.horizon)
    return [at_most({"policy": "MVTS"}, of_mean(source.pulls[:, order[1]].astype(float), allowed), 1.0)]


def margins(**cases: float) -> list[Row]:
    """One row per case of a lemma."""
    return [at_least({"case": name}, computed(margin), -ROUNDING) for name, margin in cases.items()]


def lower_tail_of_mvts(outcomes: Outcomes) -> list[Row]:
    """One row per case of Lemma 3."""
    return margins(**{name: tail_lemmas.mvts_lower_tail(*case) for name, case in CASES.items()})


def upper_tail_of_mvts(outcomes: Outcomes) -> list[Row]:
    """Where it is a tail bound, and where it is not."""
    return margins(
        **{
            r"m below $\mu_1 - \varepsilon$": tail_lemmas.mvts_upper_tail(),
            r"m between $\mu_1 - \varepsilon$ and $\mu_1$": tail_lemmas.mvts_upper_tail(short=False),
        }
    )


def upper_tail_of_mts(outcomes: Outcomes) -> list[Row]:
    """Where it is a tail bound, and where it is not."""
    return margins(
        **{
            r"$\rho m$ below the level": tail_lemmas.mts_upper_tail(),
            r"$\rho m$ above the level": tail_lemmas.mts_upper_tail(short=False),
        }
    )


def lower_tail_of_mts(outcomes: Outcomes) -> list[Row]:
    """As it is proved, and as it is used."""
    return margins(
        **{
            "probabilities over the sample variance": tail_lemmas.mts_lower_tail(averaged=True),
            "probabilities given the history": tail_lemmas.mts_lower_tail(averaged=False),
        }
    )


def upper_tail_of_vts(outcomes: Outcomes) -> list[Row]:
    """As it is proved, and as it is used."""
    return margins(
        **{
            "probabilities over the sample mean": tail_lemmas.vts_upper_tail(averaged=True),
            "probabilities given the history": tail_lemmas.vts_upper_tail(averaged=False),
        }
    )


def upper_tail_of_bmvts(outcomes: Outcomes) -> list[Row]:
    """With the exponent that its proof gives, and with the one that is printed."""
    return margins(
        **{
            name: min(tail_lemmas.bmvts_upper_tail(pulls, as_printed) for pulls in (20, 40, 100))
            for name, as_printed in (
                ("the exponent $s d(m/s, x)$", False),
                ("the printed exponent $s d(x, m/s)$", True),
            )
        }
    )


def lower_tail_of_bmvts(outcomes: Outcomes) -> list[Row]:
    """One row per case."""
    return margins(
        **{
            r"$1 - \rho - 2 p_1 < 0$": tail_lemmas.bmvts_lower_tail(above=True),
            r"$1 - \rho - 2 p_1 > 0$": tail_lemmas.bmvts_lower_tail(above=False),
        }
    )


def lemma(
    name: str, statement: str, place: str, rows: Callable[[Outcomes], list[Row]], quantity: str = MARGIN
) -> Claim:
    """The claim that a lemma makes, decided on a grid."""
    return Claim(name, statement, place, GRID, quantity, rows, cases_not_refuted)


CLAIMS = (
    Claim(
        name="lemma-2",
        statement="The pulls of a wrong arm are at most those while the best arm is drawn too low, plus those while "
        "the wrong one is drawn too high.",
        source="Lemma 2, from Lattimore & Szepesvari",
        measure="Mean pulls of the wrong arm by MVTS in 100,000 steps on two easy arms, over the lemma's two terms and "
        "1, computed by quadrature: at most 1.",
        quantity="pulls over what the lemma allows",
        needs=("growth",),
        study=pulls_of_mvts,
        rule=unless_refuted,
    ),
    lemma(
        "lemma-3",
        "MVTS draws the best arm high enough with the probabilities that four cases name, 1/4 in the best of them.",
        "Lemma 3 (S-4)",
        lower_tail_of_mvts,
    ),
    lemma(
        "lemma-s3",
        "MVTS draws a wrong arm too high with a probability that falls exponentially with its pulls.",
        "Lemma S-3",
        upper_tail_of_mvts,
    ),
    lemma(
        "lemma-s6",
        "MTS draws a wrong arm too high with a probability that falls exponentially with its pulls.",
        "Lemma S-6",
        upper_tail_of_mts,
    ),
    lemma(
        "lemma-s7",
        "MTS draws the best arm high enough with at least half the probability that the drawn mean alone is.",
        "Lemma S-7",
        lower_tail_of_mts,
    ),
    lemma(
        "lemma-s9",
        "VTS draws a wrong arm too high with a probability that falls exponentially with its pulls.",
        "Lemma S-9",
        upper_tail_of_vts,
    ),
    lemma(
        "lemma-s12",
        "BMVTS draws a wrong arm too high with a probability that falls exponentially with its pulls.",
        "Lemma S-12",
        upper_tail_of_bmvts,
        "least margin (in logarithms), with 0 < m < s",
    ),
    lemma(
        "lemma-s13",
        "BMVTS draws the best arm high enough with at least a binomial probability, in each of two cases.",
        "Lemma S-13",
        lower_tail_of_bmvts,
        "least margin",
    ),
)
