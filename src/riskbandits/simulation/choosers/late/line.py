"""Answers in one line: each waits for all earlier ones, in a ring longer than any of them waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from riskbandits.core.compiled import function, inlined
from riskbandits.simulation.choosers.late.post import DUE, NEXT, NOBODY, ONE
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
def first(post: Post, step: int) -> Any:
    """The first answer that is due, or NOBODY."""
    return np.uint32(place_of(post, post.cells[NEXT])) if post.cells[DUE] <= step else NOBODY


@inlined
def following(post: Post, rng: Any, step: int) -> Any:
    """The answer that is due after the one just told, or NOBODY."""
    decision = post.cells[NEXT] + 1
    # Drawn here, a delay takes the time in which the policy learns.
    due = max(post.cells[DUE], decision + int(draw_wait(post.steps, post.scale, rng)))
    post.cells[NEXT], post.cells[DUE] = decision, due
    return np.uint32(place_of(post, decision)) if due <= step else NOBODY
