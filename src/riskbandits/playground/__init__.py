"""The simulator inside one web page: the same policies and the same loop, as WebAssembly."""

from riskbandits.playground.page import write

__all__ = ["write"]
