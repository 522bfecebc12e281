"""Memory: what something would need, refused before it is taken."""

from __future__ import annotations

import math
import os

from riskbandits.core.errors import RefusalError

UNITS = ("bytes", "kB", "MB", "GB", "TB", "PB", "EB")
ENOUGH = 2**40  # where the machine does not say what it has


def installed() -> int:
    """The bytes of this machine's memory, as far as the system tells."""
    try:
        return int(os.sysconf("SC_PAGE_SIZE")) * int(os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        return ENOUGH


def refuse_beyond(needed: int, what: str, advice: str) -> None:
    """Raise if something needs more bytes than this machine has: asking the system for them would end worse."""
    have = installed()
    if needed > have:
        raise RefusalError(f"{what} would need {words(needed)} of memory; this machine has {words(have)}: {advice}.")


def words(size: int) -> str:
    """A number of bytes as people write it.

    >>> words(1500), words(48 * 10**12)
    ('1.5 kB', '48 TB')
    """
    digits = int(size.bit_length() * math.log10(2.0))
    if digits >= 3 * len(UNITS):
        return f"10^{digits} bytes"
    unit = min(max(len(str(size)) - 1, 0) // 3, len(UNITS) - 1)
    return f"{size / 1000**unit:.3g} {UNITS[unit]}"
