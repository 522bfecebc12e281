"""Live use: ask for an arm, tell its reward, survive a restart."""

from riskbandits.learner.decisions import Decision
from riskbandits.learner.guarded import Guarded
from riskbandits.learner.inspection import Best
from riskbandits.learner.learner import Learner

__all__ = ["Best", "Decision", "Guarded", "Learner"]
