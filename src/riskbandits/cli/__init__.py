"""The command line: thin commands over the library."""

from riskbandits.cli.app import main

__all__ = ["main"]
