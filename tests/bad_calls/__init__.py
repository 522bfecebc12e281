"""Bad calls of every door of the package, and what became of each: `python -m bad_calls` (see `harness`)."""
