"""The version of the package: the one of its distribution."""

from importlib.metadata import version

__version__ = version("riskbandits")
