"""What failed to compile, in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from riskbandits.core.errors import ContractError, RiskBanditsError
from riskbandits.core.guards import PACKAGE

# What numba says of a function that allocates although it must not.
ALLOCATION_PHRASES = ("NRT required but not enabled", "Only accept returning of array passed")


@contextmanager
def explaining(what: str, hint: str = "") -> Iterator[None]:
    """Turn numba's pages about a failed compilation into a sentence about `what` was compiled, and a hint."""
    try:
        yield
    except RiskBanditsError:
        raise
    except Exception as error:  # numba raises many kinds, not all of them its own
        raise ContractError(f"{what} could not be compiled: {_reason(error).rstrip('.')}.{hint}") from error


def _reason(error: Exception) -> str:
    """What numba's pages come down to: the most telling line, and the last place named outside this package."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    starts = ("Unknown", "No implementation", "Cannot", "Use of", "Invalid use", "Untyped")
    telling = [line for line in lines if "Error" in line or line.startswith(starts)] or lines
    if any(phrase in line for line in lines for phrase in ALLOCATION_PHRASES):
        telling = ["it creates an array, a list or similar, which compiled methods must not do"]
    places = [line.rstrip(":") for line in lines if line.startswith("File ")]
    theirs = [place for place in places if PACKAGE not in place and "site-packages" not in place] or places
    return " ".join([telling[-1].rstrip(":"), *(f"({place})." for place in theirs[-1:])])
