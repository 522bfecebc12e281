"""Runs on a GPU: one thread per run, the kernel of the plain method, the same records."""
