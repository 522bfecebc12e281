"""Bad calls of every function of the package, and what became of each: `python -m bad_calls` (see `harness`)."""
