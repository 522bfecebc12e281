"""Suites: named lists of problems with their sources, on which policies are compared."""

from riskbandits.suites.catalogue import SUITES, find, named
from riskbandits.suites.families import FAMILIES, draw
from riskbandits.suites.suite import Case, Suite, read_suite

__all__ = ["FAMILIES", "SUITES", "Case", "Suite", "draw", "find", "named", "read_suite"]
