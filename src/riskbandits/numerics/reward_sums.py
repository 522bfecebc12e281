"""What a learner keeps of an arm's rewards beside their moments, to see skewness and rewards that are often 0.

The columns follow those of `moments` in one row: sums of the third to sixth powers of deviations from the mean; and of
the rewards other than 0 their count, mean, and sum of squared deviations.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskbandits.compiling.jit import jitable
from riskbandits.numerics import moments
from riskbandits.numerics.moments import COUNT, MEAN, SQUARES

if TYPE_CHECKING:
    from riskbandits.types import State

THIRD, FOURTH, FIFTH, SIXTH, PAID, AMOUNT, AMOUNT_SQUARES = range(moments.WIDTH, moments.WIDTH + 7)
WIDTH = AMOUNT_SQUARES + 1
LARGEST = 1e45  # of a deviation: the sixth powers of larger ones are no numbers


@jitable
def add(state: State, k: int, reward: float) -> None:
    """Add a reward to all columns, those of `moments` included.

    With n rewards before it, the mean moves by e, and the sum of p-th powers becomes sum_j C(p, j) (-e)^j S_(p-j) +
    (n e)^p, where S_0 = n and S_1 = 0 (Pebay 2008): no difference of large numbers. Beyond `LARGEST` it is not known.
    """
    n = state[k, COUNT]
    e = (reward - state[k, MEAN]) / (n + 1.0)
    f = n * e
    if abs(f) > LARGEST:
        for column in range(THIRD, PAID):
            state[k, column] = math.nan
    elif e != 0.0 and n > 0.0:
        s2, s3, s4, s5 = state[k, SQUARES], state[k, THIRD], state[k, FOURTH], state[k, FIFTH]
        ee, ff = e * e, f * f
        state[k, SIXTH] += -6.0 * e * s5 + 15.0 * ee * s4 - 20.0 * e * ee * s3 + 15.0 * ee * ee * s2
        state[k, SIXTH] += n * ee * ee * ee + ff * ff * ff
        state[k, FIFTH] += -5.0 * e * s4 + 10.0 * ee * s3 - 10.0 * e * ee * s2 - n * e * ee * ee + f * ff * ff
        state[k, FOURTH] += -4.0 * e * s3 + 6.0 * ee * s2 + n * ee * ee + ff * ff
        state[k, THIRD] += -3.0 * e * s2 - n * e * ee + f * ff
    moments.add(state, k, reward)
    if reward != 0.0:
        deviation = reward - state[k, AMOUNT]
        state[k, PAID] += 1.0
        state[k, AMOUNT] += deviation / state[k, PAID]
        state[k, AMOUNT_SQUARES] += deviation * (reward - state[k, AMOUNT])
