"""MABWiser, by its own `predict` and `partial_fit`."""

import numpy as np
from mabwiser.mab import MAB, LearningPolicy
from problem import CHANCES, STEPS

RUNS = 2


def runs(policy: str, number: int, seed: int) -> float:
    """The mean share of pulls of the best arm."""
    learning = {"thompson": LearningPolicy.ThompsonSampling(), "ucb1": LearningPolicy.UCB1(alpha=1.0)}[policy]
    arms = list(range(len(CHANCES)))
    best = 0
    for run in range(number):
        rng = np.random.default_rng([seed, run])
        rewards = rng.random((STEPS, len(arms))) < CHANCES
        learner = MAB(arms, learning, seed=seed + run)
        learner.fit(arms, [int(rewards[k, k]) for k in arms])
        best += 1
        for step in range(len(arms), STEPS):
            arm = learner.predict()
            learner.partial_fit([arm], [int(rewards[step, arm])])
            best += arm == len(arms) - 1
    return best / (number * STEPS)
