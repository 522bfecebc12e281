"""Every command on every engine: the same gate for all of them, so that none forgets what another knows."""

from __future__ import annotations

import importlib.util
import json

import pytest

from riskbandits.compiling import gpu

ENGINES = ["threads", "processes", "cuda", "dask", "ray"]

# The commands, small, in a process of their own: numba decides at import whether it simulates a GPU.
COMMANDS = """
import contextlib, io, json, sys, tempfile
from riskbandits.cli import main
from riskbandits.paper import experiments, reproduction
from riskbandits.policies import BMVTS, BernoulliLCB
import riskbandits as rb

ENGINE, CLUSTER = sys.argv[1], sys.argv[2]
two = (BernoulliLCB.authors(), BMVTS())
tiny = experiments.EXPERIMENTS["bernoulli"]._replace(policies=two, horizon=30, runs=2)
reproduction.EXPERIMENTS = {"bernoulli": tiny}
experiments.Experiment.smaller = lambda self, *ignored: self._replace(runs=2, horizon=30, checkpoints=None)
suite = tempfile.mktemp(suffix=".json")
json.dump({"name": "small", "problems": [{"name": "a", "probabilities": [0.2, 0.6], "rho": 0.5}]}, open(suite, "w"))
small = ["--arms", "bernoulli(probabilities=[0.2, 0.6, 0.9])", "--policies", "bmvts,bernoulli-lcb"]
size = ["--horizon", "30", "--runs", "4", "--threads", "2", "--json"]
calls = {
    "simulate": [*small, *size],
    "sweep": [*small, *size, "--rhos", "0.2,0.8"],
    "compare": ["--suite", suite, "--policies", "bmvts,bernoulli-lcb", *size]
    + (["--no-common-rewards"] if ENGINE == "cuda" else []),
    "identify": [*small[:2], "--budget", "60", "--runs", "6", "--threads", "2", "--json"],
    "reproduce": ["figure-s2", "--runs", "2", "--horizon", "30", "--threads", "2", "--out", tempfile.mkdtemp()],
    "claims": ["scale-invariance", "--runs", "2", "--threads", "2", "--json", "--out", tempfile.mkdtemp()],
}
if CLUSTER and ENGINE == "dask":
    from distributed import Client

    client = Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None)
elif CLUSTER and ENGINE == "ray":
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
found = {}
for name, arguments in calls.items():
    out, err, code = io.StringIO(), io.StringIO(), 0
    sys.argv = ["riskbandits", name, *arguments, "--engine", ENGINE]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as ended:
            code = ended.code or 0
    found[name] = [code, out.getvalue(), err.getvalue()]
print(json.dumps(found))
"""


def run_all(run_python, engine, installed, **environment):
    code = COMMANDS.replace("sys.argv[1]", repr(engine)).replace("sys.argv[2]", repr(installed))
    return json.loads(run_python(code, **environment).splitlines()[-1])


@pytest.fixture(scope="module")
def on_threads(tmp_path_factory):
    """Filled by the first engine: what the others are compared with."""
    return {}


@pytest.mark.parametrize("engine", ENGINES)
def test_every_command(engine, run_python, on_threads):
    module = {"cuda": "numba_cuda", "dask": "distributed", "ray": "ray"}.get(engine)
    installed = module is None or importlib.util.find_spec(module) is not None
    environment = {gpu.SIMULATOR: "1"} if engine == "cuda" else {}
    found = run_all(run_python, engine, installed, **environment)
    if engine == "threads":
        on_threads.update(found)
    for command, (code, out, err) in found.items():
        assert "Traceback" not in err, (command, err)
        if not installed:
            assert code == 2, (command, err)
            assert f"engine='{engine}' needs" in err
            assert f"riskbandits[{engine}]" in err
        elif engine == "cuda" and command == "identify":
            assert code == 2
            assert "engine='cuda' runs only simulations: use another engine." in err
        else:
            assert code == 0, (command, err)
            if engine not in ("threads", "cuda") and command != "reproduce":  # a GPU has streams of its own
                assert numbers(out) == numbers(on_threads[command][1])


def numbers(text):
    """What a command prints, without what may differ: nothing but versions does."""
    data = json.loads(text)
    data.pop("versions", None)
    return data
