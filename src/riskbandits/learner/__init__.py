"""Live use: ask for an arm, tell its reward, survive a restart."""

from riskbandits.learner.decisions import Decision
from riskbandits.learner.learner import Learner

__all__ = ["Decision", "Learner"]
