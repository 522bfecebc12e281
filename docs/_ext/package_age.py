"""When the package last changed: what was made by an older one is made again."""

from __future__ import annotations

import functools
from pathlib import Path

import riskbandits

KINDS = (".py", ".js", ".css", ".zig", ".html")


@functools.cache
def last_change() -> float:
    """The time of the newest file of the package."""
    package = Path(riskbandits.__file__).parent
    return max(file.stat().st_mtime for file in package.rglob("*") if file.suffix in KINDS)


def stale(made: Path, *sources: Path) -> bool:
    """Whether a file is missing, or older than what it is made from or than the package."""
    if not made.exists():
        return True
    return made.stat().st_mtime < max(last_change(), *(source.stat().st_mtime for source in sources), 0.0)
