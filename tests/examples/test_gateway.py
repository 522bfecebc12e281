"""The gateway example: routers on simulated latencies, a learner over HTTP, and LiteLLM where it is installed."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import riskbandits as rb

FOLDER = Path(__file__).parents[2] / "examples" / "gateway"


def module(name):
    spec = importlib.util.spec_from_file_location(f"gateway_{name}", FOLDER / f"{name}.py")
    found = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = found
    spec.loader.exec_module(found)
    return found


def test_the_tail_is_seen_and_drift_followed():
    simulation = module("simulation")
    played = simulation.play(simulation.LearnerRouter(simulation.tail_learner(0)), 800, 0)
    names = [name for name, _ in played]
    assert names[200:400].count("steady") > 160
    assert names[650:].count("quick") > 75
    assert max(seconds for _, seconds in played) <= simulation.TIMEOUT


def test_latencies_are_heavy_tailed_and_change():
    simulation, rng = module("simulation"), np.random.default_rng(0)
    before, after = ([simulation.latency("quick", half, rng) for _ in range(4000)] for half in (False, True))
    assert np.mean(before) < 0.3  # better on average than `steady`
    assert np.percentile(before, 95) > 1.0
    assert np.percentile(after, 99) < 0.2


def test_other_routers_play_too():
    simulation = module("simulation")
    for label, make in simulation.ROUTERS.items():
        assert len(simulation.play(make(1), 30, 1)) == 30, label


def test_a_service_is_a_learner(tmp_path):
    pytest.importorskip("fastapi")
    from serving.running import Running

    simulation = module("simulation")
    running = Running(f"sqlite:///{tmp_path}/test.db")
    client = rb.Client(running.address, running.key, "providers")
    client.create(list(simulation.PROVIDERS), policy="npts:anchor-free", risk="cvar:0.1")
    simulation.play(simulation.LearnerRouter(client), 25, 0)
    assert sum(one["told"] for one in client.summary()) == 25
    client.close()
    running.stop()


@pytest.mark.filterwarnings("ignore")  # LiteLLM's own
def test_litellm_routes_by_the_tail(monkeypatch):
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # nothing from the network
    litellm = pytest.importorskip("litellm")
    strategy = module("litellm_strategy")
    answers = {"good": "yes", "bad": "litellm.InternalServerError"}
    deployments = [
        {
            "model_name": "model",
            "litellm_params": {"model": "openai/any", "api_key": "-", "mock_response": answer},
            "model_info": {"id": name},
        }
        for name, answer in answers.items()
    ]
    router = litellm.Router(model_list=deployments, num_retries=3)
    learner = rb.Learner(rb.NPTS.anchor_free(), list(answers), rb.CVaR(0.1), seed=0)
    strategy.TailRouting(router, learner, timeout=9.0).install()
    call = {"model": "model", "messages": [{"role": "user", "content": "?"}]}

    async def asked():
        for _ in range(5):
            await router.acompletion(**call)

    for _ in range(5):
        router.completion(**call)
    asyncio.run(asked())
    until = time.monotonic() + 20.0
    while learner.open_decisions() and time.monotonic() < until:  # callbacks come a little later
        time.sleep(0.05)
    told = learner.summary().set_index("arm")
    assert told.loc["good", "told"] == 10
    assert told.loc["bad", "told"] >= 1
    assert told.loc["bad", "mean"] == -9.0
    assert not learner.open_decisions()
