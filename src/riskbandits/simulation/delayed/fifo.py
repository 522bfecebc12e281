"""Answers told in the order of their decisions: they wait in a ring that is longer than any of them waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.compiling.jit import always_inline, jitable
from riskbandits.simulation.delay import draw_wait
from riskbandits.simulation.delayed.pending import DUE, NEXT, hand_over, keep

if TYPE_CHECKING:
    from riskbandits.simulation.delayed.pending import Post
    from riskbandits.simulation.kernel import Seat
    from riskbandits.types import Policy


@jitable
def start(post: Post, rng: Any) -> None:
    """Who is told next, and when, is all there is to know."""
    post.cells[NEXT] = 1
    post.cells[DUE] = 1 + int(draw_wait(post.steps, post.scale, rng))


@always_inline
def tell(post: Post, rng: Any, policy: Policy, seat: Seat, k: int, reward: float, step: int) -> None:
    """Keep the answer of this step, and tell those that are due."""
    keep(post, seat, np.uintp(step) & post.mask, k, reward)
    while post.cells[DUE] <= step:
        hand_over(post, policy, seat, np.uintp(post.cells[NEXT]) & post.mask)
        post.cells[NEXT] += 1
        # Drawn here, a delay takes the time in which the policy learns. What was due earlier has waited until now.
        post.cells[DUE] = post.cells[NEXT] + int(draw_wait(post.steps, post.scale, rng))
