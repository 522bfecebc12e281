"""Studies of our own, on the public API alone: `python -m studies.NAME` from the root of the project."""
