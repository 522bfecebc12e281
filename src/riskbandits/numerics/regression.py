"""Linear regression of one arm's rewards on features, row by row: a Cholesky factor kept in the arm's state row.

The model is y = theta_0 + theta_1 x_1 + ... + theta_d x_d + noise; the 1 that belongs to theta_0 is added here. What is
minimised is the sum of squared residuals plus `ridge` times theta_1^2 + ... + theta_d^2: the intercept is free. With
p = d + 1, the columns from START on are

    ORIGIN      the first reward, from which all are counted: what is added to every reward costs no digits
    RESIDUAL    the minimum, the (penalised) residual sum of squares
    z           p columns, and
    L           p (p + 1)/2 columns, row by row: the lower Cholesky factor of the precision matrix, L L' = ridge + X'X,
                and L z = X'y

so that with L u = x a prediction is u'z and its variance u'u (times that of the noise): one triangular solve for both.
A reward is booked by p plane rotations, which keep L positive however many there are. `work` are p cells to work in.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskbandits.compiling.jit import jitable
from riskbandits.numerics.moments import WIDTH as START
from riskbandits.numerics.run_cells import FEATURES

if TYPE_CHECKING:
    from riskbandits.types import Run, State

ORIGIN, RESIDUAL = START, START + 1
FACTORS = START + 2  # z, and then L


@jitable
def columns(features: int) -> int:
    """The columns of a regression on so many features."""
    size = features + 1
    return 2 + size + size * (size + 1) // 2


@jitable
def clear(state: State, k: int, features: int, ridge: float) -> None:
    """No rewards: L is the root of the ridge, and 0 for the intercept."""
    for column in range(START, START + columns(features)):
        state[k, column] = 0.0
    for i in range(1, features + 1):
        state[k, diagonal(features, i)] = math.sqrt(ridge)


@jitable
def diagonal(features: int, i: int) -> int:
    """The column of L[i, i]; L[i, 0] is i columns before it."""
    return FACTORS + features + 1 + i * (i + 1) // 2 + i


@jitable
def add(state: State, k: int, features: int, run: Run, reward: float) -> None:
    """Book a reward with the features in `run`. The first one sets the origin."""
    work = FEATURES + features
    if state[k, diagonal(features, 0)] == 0.0:
        state[k, ORIGIN] = reward
    run[work] = 1.0
    for i in range(features):
        run[work + 1 + i] = run[FEATURES + i]
    state[k, RESIDUAL] += rotate(state, k, features, run, 0, reward - state[k, ORIGIN])


@jitable
def rotate(state: State, k: int, features: int, run: Run, first: int, target: float) -> float:
    """Rotate the row in the work cells, which are 0 before `first`, into L, and its target into z.

    Gives the square of what is left of the target: by so much the residual sum of squares grows.
    """
    work = FEATURES + features
    for i in range(first, features + 1):
        if run[work + i] == 0.0:
            continue
        place = diagonal(features, i)
        length = math.hypot(state[k, place], run[work + i])
        cosine, sine = state[k, place] / length, run[work + i] / length
        state[k, place] = length
        below = place
        for j in range(i + 1, features + 1):
            below += j  # L[j, i]
            old, new = state[k, below], run[work + j]
            state[k, below] = cosine * old + sine * new
            run[work + j] = cosine * new - sine * old
        old = state[k, FACTORS + i]
        state[k, FACTORS + i] = cosine * old + sine * target
        target = cosine * target - sine * old
    return target * target


@jitable
def predict(state: State, k: int, features: int, run: Run) -> tuple[float, float]:
    """The mean at the features in `run`, and its variance as a multiple of that of the noise."""
    work = FEATURES + features
    mean = state[k, ORIGIN]
    spread = 0.0
    place = FACTORS + features + 1  # L[i, j], row by row
    for i in range(features + 1):
        u = 1.0 if i == 0 else run[FEATURES + i - 1]
        for j in range(i):
            u -= state[k, place] * run[work + j]
            place += 1
        u /= state[k, place]
        place += 1
        run[work + i] = u
        mean += u * state[k, FACTORS + i]
        spread += u * u
    return mean, spread


@jitable
def discount(state: State, k: int, features: int, run: Run, ridge: float, factor: float) -> None:
    """Let the rewards count for a factor of what they did; the ridge stays what it is."""
    root = math.sqrt(factor)
    state[k, RESIDUAL] *= factor
    for column in range(FACTORS, START + columns(features)):
        state[k, column] *= root
    work = FEATURES + features
    for first in range(1, features + 1):  # a row for the share of each feature's ridge that has faded with them
        run[work + first] = math.sqrt((1.0 - factor) * ridge)
        for i in range(first + 1, features + 1):
            run[work + i] = 0.0
        state[k, RESIDUAL] += rotate(state, k, features, run, first, 0.0)
