"""Answers in one line: each waits for all earlier ones, in a ring longer than any of them waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.core.compiled import function, inlined
from riskbandits.simulation.choosers.late.post import DUE, NEXT, ONE, keep, hand_over
from riskbandits.simulation.delay import draw_wait

if TYPE_CHECKING:
    from riskbandits.simulation.choosers.late.post import Post


@function
def start(post: Post, rng: Any) -> None:
    """Who is told next, and when, is all there is to know."""
    post.cells[NEXT] = 1
    post.cells[DUE] = 1 + int(draw_wait(post.steps, post.scale, rng))


@inlined
def place_of(post: Post, decision: int) -> Any:
    """Where the answer of a decision is written down."""
    return ONE + (np.uintp(decision) & post.mask)


@inlined
def tell(post, rng, policy, seat, k, reward, step):
    keep(post, seat, place_of(post, step), k, reward)
    while post.cells[DUE] <= step:
        hand_over(post, policy, seat, place_of(post, post.cells[NEXT]))
        decision = post.cells[NEXT] + 1
        # Drawn here, a delay takes the time in which the policy learns.
        due = max(post.cells[DUE], decision + int(draw_wait(post.steps, post.scale, rng)))
        post.cells[NEXT], post.cells[DUE] = decision, due
