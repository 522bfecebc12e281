"""A rehearsal: the bandit's future, simulated many times from what it knows, for another goal, policy or horizon.

What is not known is drawn: in each run the arms have means and variances from the posterior of the rewards seen (a
Gaussian's with a vague prior, or a Beta for rewards of 0 and 1), so that arms of which little is known may be anything
that fits. Each run begins with the evidence there is.
"""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
from sqlalchemy import Engine

from riskbandits.core.errors import ParameterError
from riskbandits.learner import Learner
from riskbandits.learner.decisions import LARGEST_REWARD
from riskbandits.learner.posterior import are_binary
from riskbandits.policies.support import written
from riskbandits.policies.support.contract import reward_complaint
from riskbandits.risk import MeanVariance
from riskbandits.service import models, storage
from riskbandits.service.fold import REWARD
from riskbandits.service.looking import Seen
from riskbandits.service.refusals import Refusal
from riskbandits.service.shared import SharedLearner
from riskbandits.service.views import number

PIECES = 20  # of the horizon, in each of which shares are counted
MOST_TOGETHER = 100_000  # steps times runs
MOST_EVIDENCE = 5000  # rewards told to another policy, the last ones


class Future:
    """Plausible reward distributions of the arms, drawn for one run."""

    def __init__(self, start: Learner, arms: list[dict[str, Any]], rng: np.random.Generator) -> None:
        self._policy, self._rng = start.policy, rng
        told = np.array([arm["told"] for arm in arms], dtype=float)
        mean = np.array([arm["mean"] if arm["told"] else 0.0 for arm in arms])
        variance = np.array([arm["variance"] if arm["told"] else 0.0 for arm in arms])
        seen = told > 0
        self.binary = are_binary(start._state.moments) or reward_complaint(start.policy, 0.5) is not None
        if self.binary:
            self.mean = rng.beta(told * np.clip(mean, 0.0, 1.0) + 0.5, told * np.clip(1.0 - mean, 0.0, 1.0) + 0.5)
            self.variance = self.mean * (1.0 - self.mean)
            return
        # An arm without rewards is taken for one of the others, with all the difference that there is between them.
        centre = float(mean[seen].mean()) if seen.any() else 0.0
        spread = float(mean[seen].var() + variance[seen].mean()) if seen.any() else 1.0
        prior = spread if spread > 0.0 else 1.0
        count = told + 1.0
        middle = (told * mean + centre) / count
        scale = told * variance + prior + told * (mean - centre) ** 2 / count
        self.variance = scale / rng.chisquare(told + 3.0)
        self.mean = middle + np.sqrt(self.variance / count) * rng.standard_normal(len(arms))

    def pays(self, k: int) -> float:
        """A reward of an arm that the policy accepts."""
        if self.binary:
            return float(self._rng.random() < self.mean[k])
        drawn = float(self.mean[k] + math.sqrt(self.variance[k]) * self._rng.standard_normal())
        reward = min(max(drawn, -LARGEST_REWARD), LARGEST_REWARD)
        if reward_complaint(self._policy, reward) is not None:
            reward = min(max(reward, 0.0), 1.0)
        return reward


class Tally:
    """What happened in all runs."""

    def __init__(self, wanted: models.RehearsalWanted, arms: int) -> None:
        pieces = min(PIECES, wanted.horizon)
        self.ends = [round(wanted.horizon * (piece + 1) / pieces) for piece in range(pieces)]
        self.chosen = np.zeros((wanted.runs, pieces, arms))
        self.best = np.zeros(arms)
        self.rewards = np.zeros((wanted.runs, wanted.horizon))


def rehearsed(engine: Engine, seen: Seen, wanted: models.RehearsalWanted) -> bytes:
    """The rehearsal, as JSON."""
    product = wanted.horizon * wanted.runs
    if product > MOST_TOGETHER:
        raise ParameterError(f"horizon times runs must be at most {MOST_TOGETHER}. Got {product} instead.")
    if wanted.rho is not None and wanted.risk is not None:
        raise ParameterError("rho and risk both set the objective: give only one of them.")
    start = _beginning(engine, seen, wanted)
    table = start.summary()
    arms: Any = table[~table["retired"].astype(bool)].to_dict(orient="records")
    if not arms:
        raise Refusal(409, f"The bandit {seen.row.name!r} has no arm to choose: all are retired.")
    tally = Tally(wanted, len(arms))
    with np.errstate(all="ignore"):  # rewards may be as large as numbers can be
        text = start.to_json()
        for run in range(wanted.runs):
            _play(start, text, arms, tally, run, np.random.default_rng([wanted.seed, run]))
        return json.dumps(_told(start, wanted, arms, tally), allow_nan=False).encode()


def _play(start: Learner, text: str, arms: Any, tally: Tally, run: int, rng: np.random.Generator) -> None:
    """One run."""
    future, learner = Future(start, arms, rng), SharedLearner.from_json(text)
    learner._state.rng = np.random.Generator(np.random.PCG64(rng.integers(2**63)))
    places = {arm["arm"]: k for k, arm in enumerate(arms)}
    values = [start.risk.value(mean, variance) for mean, variance in zip(future.mean, future.variance, strict=True)]
    tally.best[int(np.argmax(values))] += 1.0
    piece = 0
    for step in range(tally.rewards.shape[1]):
        piece += step >= tally.ends[piece]
        decision: Any = learner.decide()
        k = places[decision.arm]
        reward = tally.rewards[run, step] = future.pays(k)
        learner.answer(decision.id, reward)
        tally.chosen[run, piece, k] += 1.0


def _beginning(engine: Engine, seen: Seen, wanted: models.RehearsalWanted) -> Learner:
    """The learner that every run starts from."""
    learner: Any = SharedLearner.from_json(seen.learner)
    risk = learner.risk
    if wanted.rho is not None:
        risk = MeanVariance(wanted.rho)
    elif wanted.risk is not None:
        risk = written.risk_measure(wanted.risk)
    if wanted.policy is None:
        return learner if risk is learner.risk else learner.with_risk(risk)
    other = SharedLearner(written.policy(wanted.policy), learner.arms, risk, learner.horizon)
    known = set(map(str, other.arms))
    with engine.connect() as connection:
        last = max(0, seen.sequence - 2 * MOST_EVIDENCE)
        found = storage.read_events(connection, seen.row.id, last)
        told = [(one["arm"], one["reward"]) for one in found if one["kind"] == REWARD and one["arm"] in known]
    if told:
        other.tell([arm for arm, _ in told[-MOST_EVIDENCE:]], [reward for _, reward in told[-MOST_EVIDENCE:]])
    return other


def _told(start: Learner, wanted: models.RehearsalWanted, arms: Any, tally: Tally) -> dict[str, Any]:
    """The results as data."""
    shares = tally.chosen.sum(axis=1) / wanted.horizon  # (runs, arms)
    means = tally.rewards.mean(axis=1)
    over_time = tally.chosen.mean(axis=0) / np.diff([0, *tally.ends])[:, None]
    mean, variance = float(means.mean()), float(tally.rewards.var(axis=1).mean())
    return {
        "policy": repr(start.policy),
        "risk": repr(start.risk),
        "horizon": wanted.horizon,
        "runs": wanted.runs,
        "mean": number(mean),
        "mean_se": number(_error(means)),
        "variance": number(variance),
        "value": number(start.risk.value(mean, variance)),
        "arms": [
            {
                "name": str(arm["arm"]),
                "share": float(shares[:, k].mean()),
                "share_se": _error(shares[:, k]),
                "best": float(tally.best[k] / wanted.runs),
            }
            for k, arm in enumerate(arms)
        ],
        "steps": tally.ends,
        "shares": over_time.tolist(),
    }


def _error(numbers: np.ndarray) -> float:
    return float(numbers.std(ddof=1) / math.sqrt(len(numbers))) if len(numbers) > 1 else 0.0
