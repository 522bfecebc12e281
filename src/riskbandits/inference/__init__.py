"""Intervals and the bootstrap: what a number measured over runs is worth."""
