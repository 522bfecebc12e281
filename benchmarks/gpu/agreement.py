"""Every policy, both precisions, on the problems of the exactness tests: does the GPU have the law of the CPU?"""

import json
import time
from pathlib import Path
from typing import Any

from exactness import BERNOULLI, FAMILY_WISE_ERROR, GAUSSIAN, Case, outcome, p_values

import riskbandits as rb
from comparing import rounded
from riskbandits import policies
from riskbandits.policies.support import contract, naming
from riskbandits.testing.policy import RISKS

RUNS = 5_000
PRECISIONS = ("float64", "float32")
KEPT = "agreement-rows.json"


def tables(quick: bool, out: Path, only: str = "") -> dict[str, list[dict[str, Any]]]:
    """The comparison of every policy, or of those whose labels hold `only`.

    What is found of a policy is kept in a file: a run that was cut goes on where it ended.
    """
    runs = 4 if quick else RUNS
    forms = {naming.labels([policy])[0]: policy for policy in presets()}
    kept = out / KEPT
    known = json.loads(kept.read_text()) if kept.exists() else {}
    if known.get("runs") != runs:
        known = {"runs": runs, "policies": {}}
    for label in [label for label in forms if only in label and label not in known["policies"]]:
        known["policies"][label] = compared(forms[label], label, runs, quick)
        out.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(known))
    found = [known["policies"][label] for label in forms if label in known["policies"]]
    rows = {precision: [row for one in found for row in one[precision]] for precision in PRECISIONS}
    refused = [row for one in found for row in one["refused"]]
    tables = {f"Verdict, {runs} runs a side": [_verdict(precision, mine) for precision, mine in rows.items()]}
    if refused:
        tables["Not run"] = refused
    for precision, mine in rows.items():
        labels = list(dict.fromkeys(row["policy"] for row in mine))
        tables[f"Smallest p-value of each policy, {precision}"] = [_worst(mine, label) for label in labels]
    return tables


def compared(policy: Any, label: str, runs: int, quick: bool) -> dict[str, list[dict[str, Any]]]:
    """The p-values of one policy in each precision, and why there are none."""
    found: dict[str, list[dict[str, Any]]] = {"refused": [], **{precision: [] for precision in PRECISIONS}}
    cases = [suit for case in (*GAUSSIAN, *BERNOULLI) if (suit := suited(policy, case)) is not None]
    if quick:
        cases = [case._replace(horizon=min(case.horizon, 35)) for case in cases[:2]]
    started = time.perf_counter()
    oracle = [outcome(policy, case, "plain", runs, 11) for case in cases]
    cpu = time.perf_counter() - started
    for precision in PRECISIONS:
        started = time.perf_counter()
        try:
            ours = [outcome(policy, case, "auto", runs, 12, engine="cuda", precision=precision) for case in cases]
        except rb.RiskBanditsError as error:
            found["refused"].append({"policy": label, "precision": precision, "why": str(error)})
            print(found["refused"][-1], flush=True)
            continue
        seconds = time.perf_counter() - started
        for case, a, b in zip(cases, oracle, ours, strict=True):
            regrets = rounded(a.regret, b.regret)
            for p in p_values(a._replace(regret=regrets[0]), b._replace(regret=regrets[1])):
                found[precision].append({"policy": label, "problem": _name(case), "p": float(p)})
        worst = _worst(found[precision], label)
        print(f"{label} {precision}: CPU {cpu:.1f} s, GPU {seconds:.1f} s, {worst}", flush=True)
    return found


def presets() -> list[Any]:
    """Every policy of the package in every form that has a name."""
    found = []
    all_classes = [getattr(policies, name) for name in policies.__all__]
    for cls in [one for one in all_classes if not contract.history_entries(one())]:
        forms = [cls(), *(getattr(cls, preset)() for preset in naming.presets(cls))]
        found += [form for number, form in enumerate(forms) if form not in forms[:number]]
    return found


def suited(policy: Any, case: Case) -> Case | None:
    """The case with a risk measure that the policy serves, or None if the arms are not for it."""
    binary = isinstance(case.problem.arms, rb.BernoulliArms)
    measures = (case.problem.risk, *RISKS)
    for risk in measures:
        if not contract.refusal(policy, risk, case.problem.arms):
            # A policy that serves both kinds of arms is tried on Gaussian ones.
            meant = not binary or all(contract.refusal(policy, one, GAUSSIAN[0].problem.arms) for one in measures)
            return case._replace(problem=case.problem.with_risk(risk)) if meant else None
    return None


def _name(case: Case) -> str:
    return f"{case.name} ({type(case.problem.arms).__name__})"


def _worst(rows: list[dict[str, Any]], label: str) -> dict[str, Any]:
    mine = [row for row in rows if row["policy"] == label]
    return {**min(mine, key=lambda row: row["p"]), "comparisons": len(mine)}


def _verdict(precision: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Holm's first step over all comparisons of a precision as one family."""
    limit = FAMILY_WISE_ERROR / len(rows)
    rejected = sorted({(row["policy"], row["problem"]) for row in rows if row["p"] < limit})
    return {
        "precision": precision,
        "comparisons": len(rows),
        "smallest p": min(row["p"] for row in rows),
        "limit": limit,
        "differ": "; ".join(f"{policy} on {problem}" for policy, problem in rejected) or "none",
    }
