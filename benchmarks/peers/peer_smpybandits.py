"""SMPyBandits, by its policies' own `choice` and `getReward`."""

import numpy as np
from problem import CHANCES, STEPS
from SMPyBandits.Policies import UCB, Thompson

RUNS = 5


def runs(policy: str, number: int, seed: int) -> float:
    """The mean share of pulls of the best arm."""
    np.random.seed(seed)  # noqa: NPY002 (what its policies draw from)
    best = 0
    for run in range(number):
        rewards = np.random.default_rng([seed, run]).random((STEPS, len(CHANCES))) < CHANCES
        learner = {"thompson": Thompson, "ucb1": UCB}[policy](len(CHANCES))
        learner.startGame()
        for step in range(STEPS):
            arm = learner.choice()
            learner.getReward(arm, float(rewards[step, arm]))
            best += arm == len(CHANCES) - 1
    return best / (number * STEPS)
