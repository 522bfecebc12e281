"""Thompson sampling without a model: the value of a history whose entries have random (Dirichlet) weights.

Weights are Gamma(count) per entry, which is Dirichlet once they are divided by their sum, so equal rewards need one
draw. A history of T different rewards still needs T draws, at every step. Two things save most of them, and neither
changes the law of the choices:

- A measure of the lower tail (`tail_share`) does not see how the weight above its quantile is spread. The lowest
  entries are drawn one by one, the rest as one Gamma; should the quantile lie in the rest after all, that is split.
- A long history is first drawn in blocks of neighbours: the weight of a block is one Gamma, and its rewards lie between
  its ends. That bounds the value (`sample_bounds`). While the bounds leave open which arm is best, the blocks of those
  that may be are split, given their weights, at last into single entries.
"""

from __future__ import annotations

import math
from typing import Any

from riskbandits.compiled import function
from riskbandits.risk.contract import sample_bounds, sample_value, tail_share
from riskbandits.statistics import history
from riskbandits.statistics.history import SIZE, TOTAL
from riskbandits.statistics.variates import exponential, gamma

# Columns of the state. The score is the value drawn or, while there are blocks not split (BITS > 0), a bound below it.
SCORE, CEILING, BITS = range(history.WIDTH, history.WIDTH + 3)
WIDTH = history.WIDTH + 3

FIRST_BITS = 6  # there are 2^BITS blocks: their borders are then found by shifting
FINER_BITS = 3
ENTRY_BITS = 2  # a block has at least 2^2 entries; what is kept of it takes three cells
DEVIATIONS = 4.0  # how surely the first entries drawn of a tail are enough


@function
def draw_scores(state: Any, run: Any, risk: Any, rng: Any) -> None:
    """Write scores such that the largest is that of the arm with the largest value drawn."""
    for k in range(state.shape[0]):
        if state[k, SIZE] < 1 << (FIRST_BITS + ENTRY_BITS):
            state[k, SCORE] = draw(state, k, run, risk, rng)
            state[k, CEILING] = state[k, SCORE]
            state[k, BITS] = 0.0
        else:
            draw_blocks(state, k, run, rng)
            bound(state, k, run, risk)
    undecided = True
    while undecided:
        best = -math.inf
        for k in range(state.shape[0]):
            best = max(best, state[k, SCORE])
        rivals = 0
        for k in range(state.shape[0]):
            if state[k, CEILING] >= best:
                rivals += 1
        undecided = False
        for k in range(state.shape[0]):
            if rivals > 1 and state[k, CEILING] >= best and state[k, BITS] > 0.0:
                refine(state, k, run, risk, rng)
                undecided = True


@function
def fill(rng: Any, counts: Any, weights: Any, first: int, last: int, distinct: bool) -> float:
    """Draw Gamma(count) for entries `first` to `last` - 1; return their sum."""
    part = 0.0
    for i in range(first, last):
        weight = exponential(rng) if distinct or counts[i] == 1.0 else gamma(rng, counts[i])
        weights[i] = weight
        part += weight
    return part


@function
def rescale(weights: Any, first: int, last: int, factor: float) -> None:
    """Multiply the weights `first` to `last` - 1."""
    for i in range(first, last):
        weights[i] *= factor


@function
def draw(state: Any, k: int, run: Any, risk: Any, rng: Any) -> float:
    """The value of arm k's history with weights drawn for its entries."""
    values = history.values(state, k, run)
    counts = history.counts(state, k, run)
    weights = history.weights(state, k, run)
    size = values.shape[0]
    distinct = state[k, TOTAL] == state[k, SIZE]
    share = tail_share(risk)
    if share >= 1.0:
        fill(rng, counts, weights, 0, size, distinct)
        return sample_value(risk, values, weights)
    unseen = state[k, TOTAL]  # the count of entries not drawn one by one
    wanted = share * unseen + DEVIATIONS * (1.0 + math.sqrt(share * unseen))
    scale = 1.0
    mass = 0.0
    rest = 0.0
    last = 0
    while True:
        first = last
        taken = 0.0
        while last < size and taken < wanted:
            taken += counts[last]
            last += 1
        part = fill(rng, counts, weights, first, last, distinct)
        unseen -= taken
        new_rest = gamma(rng, unseen) if last < size else 0.0
        if first > 0:
            # These entries share what the rest had.
            scale = rest / (part + new_rest)
            rescale(weights, first, last, scale)
        mass += scale * part
        rest = scale * new_rest
        if last == size:
            return sample_value(risk, values, weights)
        if mass > share * (mass + rest):
            weights[last] = rest  # wherever above the quantile it lies
            return sample_value(risk, values[: last + 1], weights[: last + 1])
        wanted = taken


@function
def draw_blocks(state: Any, k: int, run: Any, rng: Any) -> None:
    """Draw the weights of the first blocks of arm k's history into the first cells of its weights."""
    counts = history.counts(state, k, run)
    weights = history.weights(state, k, run)
    distinct = state[k, TOTAL] == state[k, SIZE]
    for b in range(1 << FIRST_BITS):
        weights[b] = gamma(rng, rewards_in(counts, FIRST_BITS, b, distinct))
    state[k, BITS] = FIRST_BITS


@function
def rewards_in(counts: Any, bits: int, b: int, distinct: bool) -> float:
    """How many rewards are in block b of 2^bits."""
    first = b * counts.shape[0] >> bits
    last = (b + 1) * counts.shape[0] >> bits
    if distinct:
        return float(last - first)
    found = 0.0
    for i in range(first, last):
        found += counts[i]
    return found


@function
def bound(state: Any, k: int, run: Any, risk: Any) -> None:
    """Write bounds for the value of arm k, from the weights of its blocks."""
    values = history.values(state, k, run)
    cells = history.weights(state, k, run)
    size = values.shape[0]
    bits = int(state[k, BITS])
    blocks = 1 << bits
    lows = cells[blocks : 2 * blocks]
    highs = cells[2 * blocks : 3 * blocks]
    for b in range(blocks):
        lows[b] = values[b * size >> bits]
        highs[b] = values[((b + 1) * size >> bits) - 1]
    state[k, SCORE], state[k, CEILING] = sample_bounds(risk, lows, highs, cells[:blocks])


@function
def refine(state: Any, k: int, run: Any, risk: Any, rng: Any) -> None:
    """Split the blocks of arm k, given their weights, into smaller ones, or into entries if those would be tiny."""
    bits = int(state[k, BITS]) + FINER_BITS
    if state[k, SIZE] < 1 << (bits + ENTRY_BITS) or state[k, CEILING] == math.inf:  # there no bounds will help
        state[k, SCORE] = split_into_entries(state, k, run, risk, rng)
        state[k, CEILING] = state[k, SCORE]
        state[k, BITS] = 0.0
        return
    counts = history.counts(state, k, run)
    weights = history.weights(state, k, run)
    distinct = state[k, TOTAL] == state[k, SIZE]
    # From the last block to the first: the weight of a block stands where the parts of an earlier one will.
    for b in range((1 << int(state[k, BITS])) - 1, -1, -1):
        mass = weights[b]
        first = b << FINER_BITS
        last = (b + 1) << FINER_BITS
        part = 0.0
        for c in range(first, last):
            weights[c] = gamma(rng, rewards_in(counts, bits, c, distinct))
            part += weights[c]
        rescale(weights, first, last, mass / part)
    state[k, BITS] = bits
    bound(state, k, run, risk)


@function
def split_into_entries(state: Any, k: int, run: Any, risk: Any, rng: Any) -> float:
    """The value of arm k's history with weights drawn for its entries, given the weights of its blocks."""
    values = history.values(state, k, run)
    counts = history.counts(state, k, run)
    weights = history.weights(state, k, run)
    distinct = state[k, TOTAL] == state[k, SIZE]
    size = values.shape[0]
    bits = int(state[k, BITS])
    total = 0.0
    for b in range(1 << bits):
        total += weights[b]
    # Blocks above the quantile of a measure of the tail may stay whole.
    target = tail_share(risk) * total
    needed = 0
    below = 0.0
    while needed < 1 << bits and below <= target:
        below += weights[needed]
        needed += 1
    end = needed * size >> bits
    for b in range(needed - 1, -1, -1):
        mass = weights[b]
        first = b * size >> bits
        last = (b + 1) * size >> bits
        part = fill(rng, counts, weights, first, last, distinct)
        rescale(weights, first, last, mass / part)
    if end == size:
        return sample_value(risk, values, weights)
    weights[end] = total - below
    return sample_value(risk, values[: end + 1], weights[: end + 1])
