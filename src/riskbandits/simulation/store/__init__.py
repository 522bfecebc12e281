"""Finished chunks of replications on disk, under keys derived from everything that determines their numbers."""

from riskbandits.simulation.store.folder import Store, content_key

__all__ = ["Store", "content_key"]
