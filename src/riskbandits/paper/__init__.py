"""Everything of Zhu & Tan (2020): what is simulated, figures, claims, the report. Nothing else needs this package.

| module | what |
|---|---|
| `experiments` | all that is simulated, as data |
| `figures` | `FIGURES`: name -> `Figure`, by their numbers in print |
| `reproduction` | `reproduce(out, figures, runs, seed, ...) -> Reproduction` |
| `layout` | where the files are |
| `claims`, `report` | the verdicts on what the paper says, and the page that shows everything |
"""

from riskbandits.paper.experiments import Experiment, run
from riskbandits.paper.figures import FIGURES
from riskbandits.paper.reproduction import Reproduction, reproduce

__all__ = ["FIGURES", "Experiment", "Reproduction", "reproduce", "run"]
