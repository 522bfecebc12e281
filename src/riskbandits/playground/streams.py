"""Random numbers in a page: the generator of GPUs, and normal numbers by the ziggurat (Marsaglia & Tsang 2000).

A processor waits for log and cos; the ziggurat needs neither for 99 of 100 numbers.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from riskbandits.compiling.jit import always_inline, jitable
from riskbandits.simulation.cuda.random_streams import UNIT, next_word

if TYPE_CHECKING:
    from riskbandits.types import Rng

LAYERS = 256
LAST_EDGE = 3.6541528853610088  # of 256 layers of equal area; beyond it lies the tail, in the lowest one


class PageStream(NamedTuple):
    """What policies and arms call `rng` in a page."""

    words: Any
    edges: Any  # of `ziggurat_edges`

    @always_inline
    def random(self) -> float:
        """Uniform on [0, 1), a multiple of 2^-53."""
        return (next_word(self.words) >> 11) * UNIT

    def standard_normal(self) -> float:
        """A point under the density: at once if it lies in the part of its layer that is below the curve."""
        while True:
            word = next_word(self.words)
            layer = word & 255
            x = (word >> 11) * UNIT * self.edges[layer]
            sign = 1.0 - 2.0 * ((word >> 8) & 1)
            if x < self.edges[layer + 1]:
                return sign * x
            if layer == 0:
                return sign * beyond_last_edge(self)
            if is_below_curve(self, x, self.edges[layer], self.edges[layer + 1]):
                return sign * x


@jitable
def is_below_curve(rng: Rng, x: float, outer: float, inner: float) -> bool:
    """Whether a point at x, at a height drawn between the layer's two, is below the density."""
    low, high = density(outer), density(inner)
    return low + rng.random() * (high - low) < density(x)


@jitable
def beyond_last_edge(rng: Rng) -> float:
    """A normal number given that it is larger than the last edge (Marsaglia 1964)."""
    while True:
        a = -math.log(1.0 - rng.random()) / LAST_EDGE
        b = -math.log(1.0 - rng.random())
        if 2.0 * b > a * a:
            return LAST_EDGE + a


@jitable
def density(x: float) -> float:
    """That of the normal distribution, with 1 at its height."""
    return math.exp(-0.5 * x * x)


def ziggurat_edges() -> list[float]:
    """The right edges of the layers, from the lowest to the top, where it is 0.

    The lowest has no edge because of its tail; its first number is the width of a box with the area of the layer.

    >>> edges = ziggurat_edges()
    >>> len(edges), round(edges[0], 4), edges[-1]
    (257, 3.9108, 0.0)
    """
    tail = math.sqrt(0.5 * math.pi) * math.erfc(LAST_EDGE / math.sqrt(2.0))
    area = LAST_EDGE * density(LAST_EDGE) + tail
    edges = [area / density(LAST_EDGE), LAST_EDGE]
    while len(edges) < LAYERS:
        edges.append(math.sqrt(-2.0 * math.log(area / edges[-1] + density(edges[-1]))))
    return [*edges, 0.0]
