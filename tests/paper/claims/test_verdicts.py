from __future__ import annotations

import numpy as np
import pytest

from paper.claims.synthetic import outcome, outcomes, swapped
from riskbandits.core.errors import UnknownNameError
from riskbandits.inference.ratios import computed
from riskbandits.paper import claims
from riskbandits.paper.claims import FAILS, HOLDS, HOLDS_ONLY, NOT_REFUTED, OPEN
from riskbandits.paper.claims.decisions import STUDIED
from riskbandits.paper.claims.definition_claims import but_for_the_first_steps
from riskbandits.paper.claims.evidence import at_most, judge
from riskbandits.paper.experiments import CLOSE_CALLS
from riskbandits.paper.report.markdown import plain
from riskbandits.simulation.kernel import GAP, MEAN, MEAN_SQUARED, REWARD

GAUSSIAN = ("gaussian", *CLOSE_CALLS)
GROWTH = ("growth", "growth-vts", "theorem-1", "theorem-2", "theorem-3")


def as_the_paper_says(rho, label):
    """Regrets of a world in which every comparison of the paper is true."""
    if label.startswith(("MVLCB", "BernoulliLCB")):
        return 400.0
    specialist = "VTS" if rho < 1.0 else "MTS"
    if label in (specialist, "BMVTS") or rho == 1.0:
        return 100.0
    return 104.0 if label == "MVTS" else 120.0


@pytest.fixture(scope="module")
def good():
    made = outcomes(as_the_paper_says, *GAUSSIAN, "bernoulli", noise=0.05)
    # Half as far as the 10 000 steps of the logarithm that the others follow at 30 000.
    half = np.log(10_000) / np.log(30_000)
    both = ("unbiased", "unbiased-small-rho")
    made |= outcomes(lambda rho, label: half * as_the_paper_says(rho, label.split("(")[0]), *both, noise=0.05)
    made |= outcomes(lambda rho, label: 1.0, *GROWTH, noise=0.05)
    return made | outcomes(lambda rho, label: 100.0 * rho**2, "units", noise=0.05)


def verdicts(made, *names):
    return {one.claim.name: one.verdict for one in claims.decide(made, names or None)}


COMPARISONS = [
    "vts-best-small-rho",
    "mts-best-large-rho",
    "three-similar",
    "three-beat-mv-lcb",
    "mvts-is-vts-small-rho",
    "mvts-is-mts-large-rho",
    "mvts-well-everywhere",
    "mvts-beats-mv-lcb",
    "all-beat-mv-lcb",
    "mts-without-its-condition",
    "small-deviations",
    "small-deviations-all-figures",
    "figure-3-every-step",
    "figure-4-every-step",
    "figure-5-every-step",
    "unbiased-variance",
    "bmvts-beats-lcb",
    "bmvts-over-time-1-9",
    "bmvts-over-time-4-9",
    "bmvts-over-time-8-9",
    "scale-invariance",
]
BOUNDED = [
    "theorem-1",
    "theorem-2",
    "theorem-3",
    "theorem-4",
    "mts-logarithmic",
    "vts-logarithmic",
    "mvts-logarithmic",
    "limit-large-rho",
    "limit-small-rho",
]


def test_in_a_world_where_the_paper_is_right_its_claims_hold(good):
    found = verdicts(good)
    assert {name: found[name] for name in COMPARISONS} == dict.fromkeys(COMPARISONS, HOLDS)
    # Examples prove no theorem.
    proved = [*BOUNDED, "lemma-1", "lemma-2"]
    assert {name: found[name] for name in proved} == dict.fromkeys(proved, NOT_REFUTED)


SWAPS = [
    ({"VTS": "MTS", "MTS": "VTS"}, "vts-best-small-rho", HOLDS_ONLY),
    ({"VTS": "MTS", "MTS": "VTS"}, "mts-best-large-rho", HOLDS_ONLY),
    ({"VTS": "MVLCB", "MVLCB": "VTS"}, "three-similar", HOLDS_ONLY),
    ({"VTS": "MVLCB", "MVLCB": "VTS"}, "three-beat-mv-lcb", HOLDS_ONLY),
    ({"VTS": "MTS", "MTS": "VTS"}, "mvts-is-vts-small-rho", FAILS),
    ({"VTS": "MTS", "MTS": "VTS"}, "mvts-is-mts-large-rho", FAILS),
    ({"MVTS": "MVLCB", "MVLCB": "MVTS"}, "mvts-well-everywhere", FAILS),
    ({"MVTS": "MVLCB", "MVLCB": "MVTS"}, "mvts-beats-mv-lcb", FAILS),
    ({"MVTS": "MVLCB:sani", "MVLCB:sani": "MVTS"}, "mvts-beats-mv-lcb", FAILS),
    ({"VTS": "MVLCB", "MVLCB": "VTS"}, "all-beat-mv-lcb", HOLDS_ONLY),
    ({"MTS": "MVLCB", "MVLCB": "MTS"}, "mts-without-its-condition", FAILS),
    ({"VTS": "MTS", "MTS": "VTS"}, "figure-3-every-step", HOLDS_ONLY),
    ({"VTS": "MVLCB", "MVLCB": "VTS"}, "figure-4-every-step", FAILS),
    ({"VTS": "MTS", "MTS": "VTS"}, "figure-5-every-step", HOLDS_ONLY),
    ({"BMVTS": "BernoulliLCB", "BernoulliLCB": "BMVTS"}, "bmvts-beats-lcb", FAILS),
    ({"BMVTS": "BernoulliLCB", "BernoulliLCB": "BMVTS"}, "bmvts-over-time-4-9", FAILS),
]


@pytest.mark.parametrize(("labels", "name", "expected"), SWAPS)
def test_the_data_decide_so_that_swapped_labels_change_the_verdict(good, labels, name, expected):
    made = {key: swapped(result, labels) for key, result in good.items()}
    # Runs of the further experiments would hide the swap: they have one of the two labels only.
    made = {key: result for key, result in made.items() if key in ("gaussian", "bernoulli")}
    assert verdicts(made, name) == {name: expected}


@pytest.mark.parametrize("name", [name for name in COMPARISONS + BOUNDED if not name.startswith("small-deviations")])
def test_too_few_and_noisy_runs_decide_nothing(name):
    needed = claims.experiments_needed([name])
    # What is allowed at rho = 1000 is so much that regrets of 100 are certainly below it.
    scale = 1e4 if name == "limit-large-rho" else 1.0
    made = outcomes(lambda rho, label: scale * as_the_paper_says(rho, label), *needed, noise=20.0, runs=3)
    assert verdicts(made, name) == {name: OPEN}


def test_spreads(good):
    wide = outcomes(as_the_paper_says, "gaussian", noise=0.5)
    assert verdicts(wide, "small-deviations") == {"small-deviations": FAILS}
    wide_elsewhere = {**good, "bernoulli": outcome(STUDIED["bernoulli"], as_the_paper_says, noise=0.5)}
    assert verdicts(wide_elsewhere, "small-deviations-all-figures") == {"small-deviations-all-figures": HOLDS_ONLY}
    (found,) = claims.decide(wide, ["small-deviations"])
    assert found.effect == pytest.approx(0.5, rel=0.3)
    assert 0.25 < found.low < found.effect < found.high


def test_growth_beyond_a_bound_refutes_it():
    fast = outcomes(lambda rho, label: 1e9, "gaussian", "bernoulli", *GROWTH)
    names = [name for name in BOUNDED if not name.endswith("logarithmic")]
    assert set(verdicts(fast, *names).values()) == {FAILS}
    linear = outcomes(lambda rho, label: 1.0, *GROWTH, curve=lambda steps: np.asarray(steps, float))
    names = ["mts-logarithmic", "vts-logarithmic", "mvts-logarithmic"]
    assert set(verdicts(linear, *names).values()) == {FAILS}
    (found,) = claims.decide(linear, ["vts-logarithmic"])
    assert found.effect == pytest.approx(10.0)


def test_one_counterexample_is_enough(good):
    made = {**good, "theorem-3": outcome(STUDIED["theorem-3"], lambda rho, label: 1e6)}
    (found,) = claims.decide(made, ["theorem-3"])
    assert found.verdict == FAILS
    assert found.where == "Theorem 3's counterexample at rho = 0.4"
    assert [row["says"] for row in found.evidence].count("yes") == len(found.evidence) - 1


def test_other_units():
    fixed = outcomes(lambda rho, label: 100.0, "units")
    assert verdicts(fixed, "scale-invariance") == {"scale-invariance": FAILS}
    only_vts = outcomes(lambda rho, label: 100.0 * (rho**2 if label == "VTS" else rho), "units")
    (found,) = claims.decide(only_vts, ["scale-invariance"])
    assert found.text == "holds only for VTS with rewards x 0.1 and VTS with rewards x 10"


def test_conditions_are_named(good):
    def rising(rho, label):
        return 50.0 if label == "MVLCB:sani" and rho >= 100.0 else as_the_paper_says(rho, label)

    (found,) = claims.decide(outcomes(rising, "gaussian"), ["mvts-beats-mv-lcb"])
    assert found.text == "holds only against MVLCB and MVLCB:vakili; against MVLCB:sani at rho <= 30"
    assert found.effect == pytest.approx(50.0 / 104.0)
    assert found.where.startswith("against MVLCB:sani at rho = ")
    assert "36 for it, 3 against it" in found.sentence
    assert len(found.evidence) == 39


def test_what_is_undecided_is_not_passed_over():
    def uneven(rho, label):
        return {"MVLCB": 80.0, "MVLCB:sani": 106.0}.get(label, 100.0 if label == "MVTS" else 400.0)

    (found,) = claims.decide(outcomes(uneven, "gaussian", noise=0.1), ["mvts-beats-mv-lcb"])
    answers = [row["says"] for row in found.evidence]
    assert answers == ["no"] * 13 + [*answers[13:26]] + ["yes"] * 13
    assert "undecided" in answers
    expected = f"against MVLCB:vakili ({answers.count('undecided')} of 39 comparisons undecided)"
    assert found.condition == expected


def test_lemma_1_can_fail():
    """Noise that is high where the played means are low makes the covariance of the identity very negative."""
    made = outcomes(lambda rho, label: 100.0, "gaussian", "bernoulli")
    for result in made["gaussian"].results:
        for trace in result.traces:
            steps = trace.checkpoints
            side = np.where(np.arange(trace.runs) % 2 == 0, 1.0, -1.0)[:, None]
            trace.sums[:, :, MEAN] = 10.0 * side * np.sqrt(steps)
            trace.sums[:, :, MEAN_SQUARED] = trace.sums[:, :, MEAN] ** 2 / steps
            trace.sums[:, :, REWARD] = trace.sums[:, :, MEAN] - 10.0 * side * np.sqrt(steps)
    (found,) = claims.decide(made, ["lemma-1"])
    assert found.verdict == FAILS
    assert found.effect > 1.0


def test_the_parts_of_the_regret():
    large = outcomes(lambda rho, label: 1e5, "gaussian", noise=0.01)
    small = outcomes(lambda rho, label: 2.0, "gaussian", noise=0.01)
    assert verdicts(large, "first-part-of-regret") == {"first-part-of-regret": HOLDS}
    assert verdicts(small, "first-part-of-regret") == {"first-part-of-regret": FAILS}
    (second,) = claims.decide(small, ["second-part-of-regret"])
    # After each arm once: sum_i (mu_i - mean)^2 + (1 - 1/K) sum_i s_i^2, against twice the first sum.
    problem = small["gaussian"].results[0].problem
    spread = ((problem.means - problem.means.mean()) ** 2).sum()
    expected = (spread + 14.0 / 15.0 * problem.variances.sum()) / (2.0 * spread)
    assert second.effect == pytest.approx(expected)
    # A row at the horizon that is against it would refute it; the one of n = K is named instead.
    assert second.verdict == FAILS
    against, for_it = (at_most({"policy": "MVTS", "rho": 1.0}, computed(ratio), 1.0) for ratio in (2.0, 0.5))
    found = but_for_the_first_steps(judge([for_it, for_it, against]))
    assert (found.verdict, found.condition) == (HOLDS_ONLY, "beyond n = K")
    assert but_for_the_first_steps(judge([for_it, against, against])).verdict == FAILS
    assert but_for_the_first_steps(judge([for_it, for_it, for_it])).verdict == HOLDS


def test_what_agrees_at_the_extreme_alone_holds_there_alone(good):
    only = outcomes(
        lambda rho, label: 200.0 if label == "MVTS" and 0.001 < rho < 1.0 else as_the_paper_says(rho, label),
        *GAUSSIAN,
        noise=0.05,
    )
    (found,) = claims.decide(only, ["mvts-is-vts-small-rho"])
    assert found.text == "holds only with rho = 0.001"
    assert verdicts(good, "mvts-is-vts-small-rho") == {"mvts-is-vts-small-rho": HOLDS}


def test_theorem_3_itself_does_not_particularise():
    (found,) = claims.decide({}, ["bounds-particularise"])
    assert [row["theorem_3"] for row in found.evidence] == pytest.approx([1.65, 43.2], rel=0.01)
    assert "1.65 and 43.2 times as large" in found.sentence


def test_a_claim_uses_only_what_it_names(good):
    strange = {**good, "gaussian-small-rho": outcome(STUDIED["gaussian-small-rho"], lambda rho, label: 1e6, runs=90)}
    assert verdicts(strange, "mvts-beats-mv-lcb") == {"mvts-beats-mv-lcb": HOLDS}
    assert verdicts(strange, "vts-best-small-rho") == {"vts-best-small-rho": FAILS}


def test_what_was_not_simulated_cannot_be_decided(good):
    decisions = claims.decide({})
    undecided = {one.claim.name: one for one in decisions if one.claim.needs}
    assert {one.verdict for one in undecided.values()} == {OPEN}
    assert "'gaussian' was not simulated" in undecided["mvts-beats-mv-lcb"].sentence
    short = {"bernoulli": outcome(STUDIED["bernoulli"].smaller(0.1, 500), as_the_paper_says)}
    (found,) = claims.decide(short, ["bmvts-over-time-1-9"])
    assert (found.verdict, found.evidence) == (OPEN, [])
    assert "no checkpoint 1000" in found.sentence


def test_formulas_decide_without_outcomes():
    found = verdicts({}, *(name for name, claim in claims.CLAIMS.items() if not claim.needs))
    assert found == {
        "theorem-1-known-limit": HOLDS,
        "bounds-particularise": HOLDS,
        "vts-bound-optimal": HOLDS,
        "mvts-order-optimal": HOLDS,
        "best-known-bounds": HOLDS,
        "finite-time-bounds": FAILS,
        "extreme-rhos": HOLDS,
        "bernoulli-rho-above-1": HOLDS,
        "lower-bound-of-vakili-zhao": HOLDS_ONLY,
        "lemma-4": HOLDS_ONLY,
        "lemma-5": NOT_REFUTED,
        "lemma-3": HOLDS_ONLY,
        "lemma-s3": HOLDS_ONLY,
        "lemma-s6": HOLDS_ONLY,
        "lemma-s7": HOLDS_ONLY,
        "lemma-s9": HOLDS_ONLY,
        "lemma-s12": HOLDS_ONLY,
        "lemma-s13": HOLDS_ONLY,
    }


def test_in_which_cases_lemmas_fail():
    decisions = claims.decide({}, ["lemma-3", "lemma-s3", "lemma-s7", "lemma-s13", "lower-bound-of-vakili-zhao"])
    conditions = {one.claim.name: plain(one.condition) for one in decisions}
    assert conditions == {
        "lemma-3": "for v >= s_1^2 with m <= mu_1 and v >= s_1^2 with m > mu_1 (not refuted there)",
        "lemma-s3": "for m below mu_1 - epsilon (not refuted there)",
        "lemma-s7": "for probabilities over the sample variance (not refuted there)",
        "lemma-s13": "for 1 - rho - 2 p_1 > 0 (not refuted there)",
        "lower-bound-of-vakili-zhao": "for means apart by 1/2",
    }


def test_policies_that_are_alike_on_average_and_not_run_by_run():
    """Three runs of VTS in five cost little and two the rest: its mean is that of the others, its median is not."""
    made = outcomes(lambda rho, label: 100.0, *GAUSSIAN, runs=600)
    for name in ("gaussian", "gaussian-rho-1"):
        split = made[name].at(1.0).trace("VTS")
        split.sums[:, :, GAP] *= np.where(np.arange(split.runs) % 5 < 3, 0.2, 2.2)[:, None]
    (found,) = claims.decide(made, ["three-similar"])
    assert found.verdict == HOLDS_ONLY
    assert "MTS and VTS by the mean" in found.condition
    assert "MTS and VTS by the median" not in found.condition
    assert "MTS and MVTS by the median" in found.condition


def test_beating_a_weak_rival_is_not_performing_well():
    """MTS has three times the regret of VTS at rho = 0.001, and MV-LCB four times."""
    made = outcomes(lambda rho, label: {"MTS": 300.0, "MVLCB": 400.0}.get(label, 100.0), "gaussian", noise=0.05)
    (found,) = claims.decide(made, ["mts-without-its-condition"])
    assert found.condition == "against MVLCB"


def test_all_claims_together_in_one_line(good):
    decisions = claims.decide(good)
    line = claims.multiplicity(decisions)
    by_runs = [one for one in decisions if one.claim.needs and one.evidence]
    changed = [one.claim.name for one in by_runs if one.together != one.verdict]
    assert 0 < len(changed) < 5
    stay = f"{len(by_runs) - len(changed)} of the {len(by_runs)} verdicts by runs stay as they are"
    assert f"{stay}; the others would be weaker: {', '.join(changed)}." in line
    assert f"{sum(len(one.evidence) for one in by_runs):,} comparisons together" in line
    assert claims.multiplicity(claims.decide({})) == ""


def test_what_is_barely_decided_by_itself_is_not_among_many():
    close = outcomes(lambda rho, label: 108.0 if label.startswith("MVLCB") else 100.0, "gaussian", noise=0.1, runs=50)
    (alone,) = claims.decide(close, ["three-beat-mv-lcb"])
    assert (alone.verdict, alone.together) == (HOLDS, HOLDS)
    among = {one.claim.name: one for one in claims.decide(close)}["three-beat-mv-lcb"]
    assert (among.verdict, among.together) == (HOLDS, OPEN)


def test_the_claims_are_in_order():
    for name, claim in claims.CLAIMS.items():
        assert claim.name == name
        assert claim.statement.endswith(".")
        assert claim.source
        assert claim.measure.endswith(".")
        assert set(claim.needs) <= set(STUDIED)
    needed = claims.experiments_needed()
    assert list(needed) == list(STUDIED)  # nothing is simulated for no claim
    assert list(claims.experiments_needed(["theorem-3"])) == ["gaussian", "theorem-3", "growth"]
    with pytest.raises(UnknownNameError, match="Did you mean 'theorem-3'"):
        claims.decide({}, ["theorem3"])


@pytest.mark.full
def test_a_tenth_of_the_runs():
    from riskbandits.paper.experiments import run

    made = run({name: one.smaller(0.1) for name, one in claims.experiments_needed().items()}, progress=False)
    found = verdicts(made)
    print(found)
    assert found["theorem-3"] == FAILS
    assert found["scale-invariance"] == FAILS
    assert found["bmvts-beats-lcb"] == HOLDS
    assert found["mvts-beats-mv-lcb"] in (HOLDS_ONLY, OPEN)
    assert FAILS not in (found["theorem-4"], found["mvts-is-mts-large-rho"], found["mvts-is-vts-small-rho"])


@pytest.mark.full
def test_lemma_1_by_all_runs():
    """Fewer leave it open: one run of VTS carries most of the variance at rho = 300."""
    from riskbandits.paper.experiments import run

    made = run(claims.experiments_needed(["lemma-1"]), progress=False)
    assert [one.verdict for one in claims.decide(made, ["lemma-1"])] == [NOT_REFUTED]
