"""Live use: ask for an arm, tell its reward, survive a restart."""

from riskbandits.learner.learner import Learner

__all__ = ["Learner"]
