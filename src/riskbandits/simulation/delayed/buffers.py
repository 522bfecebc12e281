"""What runs with late rewards leave for those that follow: logarithms of steps, and memory whose pages are there."""

# Both are made by functions, because the code that decides numbers is digested with all the values that it reaches.

from __future__ import annotations

import functools
import threading
import weakref
from typing import Any

import numpy as np


@functools.cache
def known_logs() -> np.ndarray:
    """By step, the logarithms that runs of this process have met, zeros elsewhere; whoever reads one reads it whole."""
    return np.zeros(2**20)


@functools.cache
def kept_memory() -> Any:
    """What every thread keeps: `words` of memory, and who has `taken` them."""
    return threading.local()


def kept_words(words: int) -> np.ndarray:
    """So much of this thread's memory, in which one range of runs after the other is played: new pages cost time."""
    mine = kept_memory()
    taken = getattr(mine, "taken", None)
    if words > len(getattr(mine, "words", ())) or (taken is not None and taken() is not None):
        mine.words = np.empty(words)
    given: np.ndarray = mine.words[:words]
    mine.taken = weakref.ref(given)
    return given
