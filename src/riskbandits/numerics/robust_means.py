"""Means that a few enormous rewards cannot move, of histories in the order in which rewards came.

Both estimates change with ln t as well as with the rewards, but seldom: each keeps what it needs to know whether it
still holds, so that an arm that is not played is rarely looked at again.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskbandits.compiling.jit import allocating
from riskbandits.numerics import history

if TYPE_CHECKING:
    from riskbandits.types import Run, State

# Columns of the state: the estimate, the rewards in it, until when or for how many blocks it holds, and a sum.
ESTIMATE, SEEN, VALID, SUM = range(history.WIDTH, history.WIDTH + 4)
WIDTH = history.WIDTH + 4


@allocating
def truncated_mean(state: State, k: int, run: Run, log: float, moment: float, order: float) -> None:
    """ESTIMATE becomes the mean of the rewards, the i-th as 0 if |x| > (moment i / log)^(1/(1 + order)).

    The i-th reward counts while log <= moment i/|x|^(1 + order). As log only grows, a reward once left out stays out:
    SUM holds the sum of those that count, VALID the least of their borders.
    """
    rewards = history.values(state, k, run)
    first = int(state[k, SEEN])
    if first <= 0 or log > state[k, VALID]:
        first = 0
        state[k, SUM] = 0.0
        state[k, VALID] = math.inf
    for i in range(first, rewards.shape[0]):
        size = abs(rewards[i]) ** (1.0 + order)
        border = moment * (i + 1.0) / size if size > 0.0 else math.inf
        if log <= border:
            state[k, SUM] += rewards[i]
            state[k, VALID] = min(state[k, VALID], border)
    state[k, SEEN] = rewards.shape[0]
    state[k, ESTIMATE] = state[k, SUM] / rewards.shape[0]


@allocating
def median_of_means(state: State, k: int, run: Run, blocks: float) -> None:
    """ESTIMATE becomes the median of the means of min(blocks, T/2) blocks of neighbours; a remainder is not used."""
    rewards = history.values(state, k, run)
    size = rewards.shape[0]
    number = max(1, int(min(blocks, 0.5 * size)))
    if state[k, SEEN] != size or state[k, VALID] != number:
        means = history.weights(state, k, run)
        length = size // number
        for b in range(number):
            total = 0.0
            for i in range(b * length, (b + 1) * length):
                total += rewards[i]
            mean = total / length
            place = b
            while place > 0 and means[place - 1] > mean:
                means[place] = means[place - 1]
                place -= 1
            means[place] = mean
        middle = number // 2
        state[k, ESTIMATE] = means[middle] if number % 2 == 1 else 0.5 * (means[middle - 1] + means[middle])
        state[k, SEEN] = size
        state[k, VALID] = number
