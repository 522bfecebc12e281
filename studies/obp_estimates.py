"""Logs and estimates of Open Bandit Pipeline, to compare `rb.evaluate` with, number by number.

    python3.10 -m venv obp && obp/bin/pip install obp==0.5.7 "matplotlib<3.8"
    obp/bin/python studies/obp_estimates.py FOLDER
    python -m studies.evaluation --against FOLDER

It runs where obp does, Python 3.8 to 3.10, without this package. Three of the logs are those of obp's own tests
(synthetic, 2 and 10 actions; handwritten digits), two the samples of real logs that it brings along. For each it
writes the log with the probability that a target gives each action, and the estimates of the target's mean reward:
self-normalised, by the bootstrap its 95 % interval, and of the action chosen most often the mean of its rewards.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from obp.dataset import (
    MultiClassToBanditReduction,
    OpenBanditDataset,
    SyntheticBanditDataset,
    linear_behavior_policy,
    logistic_reward_function,
)
from obp.ope import ReplayMethod
from obp.ope import SelfNormalizedInverseProbabilityWeighting as Weighting
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression

SEED = 12345


def logs():
    """Feedback and the target's probabilities of actions, by name."""
    for actions in (2, 10):
        made = SyntheticBanditDataset(
            n_actions=actions,
            dim_context=5,
            reward_type="binary",
            reward_function=logistic_reward_function,
            behavior_policy_function=linear_behavior_policy,
            random_state=SEED,
        ).obtain_batch_bandit_feedback(n_rounds=10_000)
        scores = np.exp(made["context"] @ np.random.default_rng(1).normal(size=(5, actions)))
        yield f"synthetic, {actions} actions", made, (scores / scores.sum(axis=1, keepdims=True))[:, :, None]
    inputs, labels = load_digits(return_X_y=True)
    reduction = MultiClassToBanditReduction(
        X=inputs, y=labels, base_classifier_b=LogisticRegression(max_iter=10_000, random_state=SEED), alpha_b=0.4
    )
    reduction.split_train_eval(eval_size=0.7, random_state=SEED)
    chances = reduction.obtain_action_dist_by_eval_policy(
        base_classifier_e=LogisticRegression(max_iter=100, C=0.01, random_state=SEED), alpha_e=0.8
    )
    yield "digits", reduction.obtain_batch_bandit_feedback(random_state=SEED), chances
    for policy in ("random", "bts"):
        made = OpenBanditDataset(behavior_policy=policy, campaign="all").obtain_batch_bandit_feedback()
        made["position"] = np.zeros(made["n_rounds"], dtype=int)
        common = np.argsort(-np.bincount(made["action"], minlength=made["n_actions"]))[:10]
        chances = np.zeros((made["n_rounds"], made["n_actions"], 1))
        chances[:, common] = 0.1
        yield f"Open Bandit Dataset, {policy}", made, chances


def main(folder):
    """Write a log and its estimates per case."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, made, chances in logs():
        rows, actions = np.arange(made["n_rounds"]), made["action"]
        given = {"reward": made["reward"], "action": actions, "action_dist": chances, "position": made["position"]}
        low_high = Weighting().estimate_interval(
            pscore=made["pscore"], random_state=SEED, n_bootstrap_samples=1000, **given
        )
        most = int(np.bincount(actions).argmax())
        always = np.zeros_like(chances)
        always[:, most] = 1.0
        found = {
            "weighted": float(Weighting().estimate_policy_value(pscore=made["pscore"], **given)),
            "low": low_high["95.0% CI (lower)"],
            "high": low_high["95.0% CI (upper)"],
            "most": most,
            "replayed": float(ReplayMethod().estimate_policy_value(**{**given, "action_dist": always})),
        }
        log = pd.DataFrame({"arm": actions, "reward": made["reward"], "probability": made["pscore"]})
        target = pd.DataFrame(chances[rows, :, 0], columns=[f"target_{k}" for k in range(chances.shape[1])])
        pd.concat([log, target], axis=1).to_csv(folder / f"{name}.csv", index=False)
        (folder / f"{name}.json").write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
