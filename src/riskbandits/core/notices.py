"""Things that a person should know once, on standard error: what went on as it could, and what would help."""

from __future__ import annotations

import contextlib
import re
import sys
import warnings

_said: set[str] = set()


def say_once(sentence: str, about: str | None = None) -> None:
    """Say a sentence, unless this process or the one that started it has said it, or another `about` the same."""
    if (about or sentence) in _said:
        return
    _said.add(about or sentence)
    _say(sentence)


def warn(sentence: str, category: type[Warning], level: int) -> None:
    """Warn, as Python does; where warnings were made errors, say it once instead: what is going on is worth more."""
    try:
        warnings.warn(sentence, category, level + 1)
    except category:
        say_once(sentence, re.sub(r"\d", "", sentence))  # the same of other numbers says nothing new


def _say(sentence: str) -> None:
    processes = sys.modules.get("multiprocessing.process")
    if processes is not None and processes.current_process().name != "MainProcess":
        return  # a worker: what it would say was said where the work was planned
    with contextlib.suppress(OSError, ValueError, AttributeError):  # standard error is closed, or there is none
        print(f"riskbandits: {sentence}", file=sys.stderr, flush=True)
