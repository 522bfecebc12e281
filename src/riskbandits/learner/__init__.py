"""Live use: ask for an arm, tell its reward, survive a restart."""

from riskbandits.learner.decisions import Decision
from riskbandits.learner.guarded import Guarded
from riskbandits.learner.learner import Learner
from riskbandits.learner.summaries import Best

__all__ = ["Best", "Decision", "Guarded", "Learner"]
