"""Live use."""


class Learner:
    """Ask and tell."""
