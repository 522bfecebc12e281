"""The paper's experiments, its figures, and the one call that reproduces them.

| module | what |
|---|---|
| `experiment`, `zhu_tan` | what is simulated, as data |
| `figures` | `FIGURES`: name -> `Figure`, by their numbers in print |
| `reproduction` | `reproduce(out, figures, runs, seed, ...) -> Reproduction` |
| `layout` | where the files are |
| `cvar`, `heavy_tails`, `markets` | studies beside the paper, run by `python -m`; `panels` is what they share |
"""

from riskbandits.paper.experiment import Experiment, run
from riskbandits.paper.figures import FIGURES
from riskbandits.paper.reproduction import Reproduction, reproduce

__all__ = ["FIGURES", "Experiment", "Reproduction", "reproduce", "run"]
