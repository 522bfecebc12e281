"""What keeps learners usable in a forked process.

Whoever forks while another thread is in a call of a learner would leave the child with a lock that nobody releases and
arrays that are half written. So a fork waits until no learner is in a call. The child then gives out ids of its own.
"""

from __future__ import annotations

import contextlib
import os
import threading
import weakref
from typing import Any

_learners: weakref.WeakSet[Any] = weakref.WeakSet()
_lock = threading.Lock()  # of the set; held during a fork
_held: list[Any] = []  # the learners whose locks a fork holds


def register(learner: Any) -> None:
    """Let forks wait for this learner."""
    with _lock:
        _learners.add(learner)


def _before() -> None:
    _lock.acquire()
    for learner in _learners:
        _held.append(learner)
        learner._lock.acquire()


def _after_in_parent() -> None:
    while _held:
        with contextlib.suppress(RuntimeError):  # an interrupt came before it was acquired
            _held.pop()._lock.release()
    _lock.release()


def _after_in_child() -> None:
    for learner in _held:
        learner._decision_log.ids.begin_load(learner.decisions)
    _after_in_parent()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_after_in_parent, after_in_child=_after_in_child)
