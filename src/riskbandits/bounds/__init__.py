"""Bounds on scores, which lazy simulation needs: one file per policy that they serve, `contract` for what they are."""
