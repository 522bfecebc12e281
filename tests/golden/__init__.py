"""Digests of the numbers that the package produces: a change that is to change no number is shown to change none."""
