"""Whether a cluster is still there: asked in threads of their own, for one that is gone may never answer."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from riskbandits.core.errors import EngineError

SECONDS_UNTIL_GONE = 60.0
SECONDS_BETWEEN_QUESTIONS = 2.0
WHAT_TO_DO = "or use engine='threads'. With a store, finished runs are kept and the same call resumes from there"


class Watch:
    """Asks a cluster every few seconds for its number of workers."""

    def __init__(self, name: str, count_workers: Callable[[], int]) -> None:
        self._name, self._count_workers = name, count_workers
        self._answered = self._had_workers = time.monotonic()
        self._over = threading.Event()
        threading.Thread(target=self._look, name="riskbandits-watch", daemon=True).start()

    def check(self, seconds_idle: float) -> None:
        """Raise if nothing has come back for a while, and the cluster is silent or has had no worker for as long."""
        now = time.monotonic()
        if min(seconds_idle, now - self._answered) > SECONDS_UNTIL_GONE:
            raise EngineError(
                f"The {self._name} cluster has not answered for {SECONDS_UNTIL_GONE:.0f} seconds: "
                f"see whether its scheduler runs and can be reached, {WHAT_TO_DO}."
            )
        if min(seconds_idle, now - self._had_workers) > SECONDS_UNTIL_GONE:
            raise EngineError(
                f"The {self._name} cluster has had no worker for {SECONDS_UNTIL_GONE:.0f} seconds: "
                f"start workers, {WHAT_TO_DO}."
            )

    def end(self) -> None:
        """Ask no more."""
        self._over.set()

    def _look(self) -> None:
        while not self._over.wait(SECONDS_BETWEEN_QUESTIONS):
            try:
                workers = self._count_workers()
            except Exception:  # no answer, in whatever way
                continue
            self._answered = time.monotonic()
            if workers > 0:
                self._had_workers = self._answered


def within(seconds: float, action: Callable[[], Any]) -> Any:
    """What an action gives, or TimeoutError if it takes longer: it is then left alone."""
    found: list[Any] = []
    failed: list[BaseException] = []

    def act() -> None:
        try:
            found.append(action())
        except BaseException as error:  # raised again where it is waited for
            failed.append(error)

    thread = threading.Thread(target=act, name="riskbandits-asking", daemon=True)
    thread.start()
    thread.join(seconds)
    if failed:
        raise failed[0]
    if not found:
        raise TimeoutError
    return found[0]
