"""Thompson sampling without a model: the value of a history whose entries have random (Dirichlet) weights.

Weights are Gamma(count) per entry, which is Dirichlet once they are divided by their sum, so equal rewards need one
draw. A history of T different rewards still needs T draws, at every step. Most of them are avoided without changing the
distribution of the choices:

- A long history is first drawn in blocks of neighbours: the weight of a block is one Gamma, and its rewards lie between
  its ends. That bounds the value (`sample_bounds`). While the bounds leave open which arm is best, the blocks of those
  that may be are split, given their weights, at last into single entries.
- A measure of the lower tail (`tail_share`) does not see how the weight above its quantile is spread: blocks that
  lie there are never split into entries.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from riskbandits.compiling.jit import allocating, jitable
from riskbandits.numerics import history
from riskbandits.numerics.history import SIZE, TOTAL
from riskbandits.numerics.variates import exponential, gamma
from riskbandits.risk.contract import sample_bounds, sample_value, tail_share

if TYPE_CHECKING:
    from riskbandits.types import Cells, RiskMeasure, Rng, Run, State

# Columns of the state. The weights of 2^BITS blocks are drawn; the score is a bound below the value. When those of all
# entries are drawn, BITS is DRAWN and the score is the value.
SCORE, CEILING, BITS = range(history.WIDTH, history.WIDTH + 3)
WIDTH = history.WIDTH + 3
DRAWN = -1.0

FIRST_BITS = 6  # powers of two: the borders of blocks are found by shifting
FINER_BITS = 3
ENTRY_BITS = 2  # a block has at least 2^2 entries; what is kept of it takes three cells


@jitable
def draw_scores(state: State, run: Run, risk: RiskMeasure, rng: Rng) -> None:
    """Write scores such that the largest is that of the arm with the largest value drawn."""
    for k in range(state.shape[0]):
        begin(state, k, run)
    rivals = state.shape[0]
    best = -math.inf
    undecided = True
    while undecided:
        undecided = False
        for k in range(state.shape[0]):
            if state[k, CEILING] >= best and state[k, BITS] != DRAWN and rivals > 1:
                refine(state, k, run, risk, rng)
                undecided = True
        for k in range(state.shape[0]):
            best = max(best, state[k, SCORE])
        rivals = 0
        for k in range(state.shape[0]):
            if state[k, CEILING] >= best:
                rivals += 1


@allocating
def begin(state: State, k: int, run: Run) -> None:
    """All the weight of arm k in one block, and nothing known of the value."""
    history.weights(state, k, run)[0] = 1.0
    state[k, BITS] = 0.0
    state[k, SCORE] = -math.inf
    state[k, CEILING] = math.inf


@jitable
def refine(state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng) -> None:
    """Split the blocks of arm k, given their weights, into smaller ones, or into entries if those would be tiny."""
    bits = int(state[k, BITS])
    bounded = bits == 0 or state[k, CEILING] < math.inf  # a measure without bounds gains nothing by blocks
    step = FIRST_BITS if bits == 0 else FINER_BITS
    if bounded and state[k, SIZE] >= 1 << (bits + step + ENTRY_BITS):
        split(state, k, run, rng, bits, step)
        state[k, SCORE], state[k, CEILING] = bounds(state, k, run, risk, bits + step)
        state[k, BITS] = bits + step
    else:
        state[k, SCORE] = split_into_entries(state, k, run, risk, rng, bits)
        state[k, CEILING] = state[k, SCORE]
        state[k, BITS] = DRAWN


@allocating
def split(state: State, k: int, run: Run, rng: Rng, bits: int, step: int) -> None:
    """Share the weight of each of 2^bits blocks among the 2^step blocks it is made of."""
    counts = history.counts(state, k, run)
    weights = history.weights(state, k, run)
    size = counts.shape[0]
    distinct = state[k, TOTAL] == size
    # From the last block to the first: the weight of a block stands where the parts of an earlier one will.
    for b in range((1 << bits) - 1, -1, -1):
        mass = weights[b]
        part = 0.0
        for c in range(b << step, (b + 1) << step):
            first = c * size >> (bits + step)
            last = (c + 1) * size >> (bits + step)
            rewards = float(last - first)
            if not distinct:
                rewards = 0.0
                for i in range(first, last):
                    rewards += counts[i]
            weights[c] = gamma(rng, rewards)
            part += weights[c]
        rescale(weights, b << step, (b + 1) << step, mass / part)


@jitable
def rescale(weights: Cells, first: int, last: int, factor: float) -> None:
    """Multiply the weights `first` to `last` - 1."""
    for i in range(first, last):
        weights[i] *= factor


@allocating
def bounds(state: State, k: int, run: Run, risk: RiskMeasure, bits: int) -> tuple[float, float]:
    """Bounds for the value of arm k, from the weights of its 2^bits blocks."""
    values = history.values(state, k, run)
    cells = history.weights(state, k, run)
    size = values.shape[0]
    blocks = 1 << bits
    lows = cells[blocks : 2 * blocks]
    highs = cells[2 * blocks : 3 * blocks]
    for b in range(blocks):
        lows[b] = values[b * size >> bits]
        highs[b] = values[((b + 1) * size >> bits) - 1]
    return sample_bounds(risk, lows, highs, cells[:blocks])


@allocating
def split_into_entries(state: State, k: int, run: Run, risk: RiskMeasure, rng: Rng, bits: int) -> float:
    """The value of arm k with weights drawn for its entries, given those of its 2^bits blocks."""
    values = history.values(state, k, run)
    counts = history.counts(state, k, run)
    weights = history.weights(state, k, run)
    size = values.shape[0]
    distinct = state[k, TOTAL] == size
    # Blocks above the quantile of a measure of the tail may stay whole.
    share = tail_share(risk)
    needed = 0
    below = 0.0
    while needed < 1 << bits and (below <= share or needed == 0):
        below += weights[needed]
        needed += 1
    end = needed * size >> bits
    for b in range(needed - 1, -1, -1):
        mass = weights[b]
        first = b * size >> bits
        last = (b + 1) * size >> bits
        part = 0.0
        for i in range(first, last):
            weight = exponential(rng) if distinct or counts[i] == 1.0 else gamma(rng, counts[i])
            weights[i] = weight
            part += weight
        rescale(weights, first, last, mass / part)
    if end < size:
        weights[end] = max(0.0, 1.0 - below)  # wherever above the quantile it lies
        end += 1
    return sample_value(risk, values[:end], weights[:end])
