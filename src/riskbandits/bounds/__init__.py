"""Bounds on scores, which lazy simulation lives on: one file per policy that they serve."""
