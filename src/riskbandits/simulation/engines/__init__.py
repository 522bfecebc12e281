"""Where pieces of work run: threads of this process, other processes, a Dask cluster, Ray, a GPU."""

from riskbandits.simulation.engines.base import Engine
from riskbandits.simulation.engines.opening import ENGINES, check_engine, open_engine, usable_cores

__all__ = ["ENGINES", "Engine", "check_engine", "open_engine", "usable_cores"]
