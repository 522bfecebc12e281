"""How fast a web page plays: `python benchmarks/playground.py` prints times and ratios, and the size of the page.

500 runs of MVTS on the paper's fifteen arms, 3000 steps each: natively with the plain method on one core, under Node
and, where there is one, in Chromium. They take turns, so that a busy machine slows all of them.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import riskbandits as rb
from riskbandits.playground import catalogue, node_check, page

RUNS, HORIZON, ROUNDS = 500, 3000, 7
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# As the page's workers do: all runs a piece of the horizon at a time.
PLAY = """
  const policy = manifest.policies.find(({ label }) => label === "MVTS");
  const problem = { ...manifest.paper, rho: 1, family: "gaussian" };
  const extent = { horizon: HORIZON, runs: RUNS, checkpoints: checkpointsUntil(HORIZON, 100) };
  const runs = new Runs(engine, policy, problem, extent, initialWords(1, 0, RUNS));
  const started = performance.now();
  for (const step of extent.checkpoints) runs.playTo(step);
  const seconds = (performance.now() - started) / 1000;
""".replace("HORIZON", str(HORIZON)).replace("RUNS", str(RUNS))
NODE = """
  const fs = require("fs");
  const { Engine, Runs, checkpointsUntil, initialWords } = require(process.argv[2] + "/engine.js");
  const manifest = JSON.parse(fs.readFileSync(process.argv[2] + "/manifest.json"));
  const compiled = new WebAssembly.Module(fs.readFileSync(process.argv[2] + "/page.wasm"));
  const engine = new Engine(new WebAssembly.Instance(compiled, {}), manifest);
"""


def natively() -> float:
    problem = rb.problems.zhu_tan_gaussian(1.0)
    started = time.perf_counter()
    rb.simulate(problem, [rb.MVTS()], horizon=HORIZON, runs=RUNS, seed=1, workers=1, method="plain", progress=False)
    return time.perf_counter() - started


def under_node(folder: Path) -> Callable[[], float]:
    (folder / "time.js").write_text(NODE + PLAY + "console.log(seconds);")
    command = [node_check.node(), str(folder / "time.js"), str(folder)]
    return lambda: float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def in_chromium(browser, address: str) -> Callable[[], float]:
    def play() -> float:
        opened = browser.new_page()
        opened.goto(address)
        opened.wait_for_function("document.body.dataset.finished", timeout=120_000)
        script = (
            "async () => { const manifest = MANIFEST; "
            "const engine = new Engine(await WebAssembly.instantiate(code, {}), manifest); "
            + PLAY
            + " return seconds; }"
        )
        seconds = opened.evaluate(script)
        opened.close()
        return float(seconds)

    return play


def measured(ways: dict[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    for play in ways.values():
        play()  # the first time something is compiled or loaded
    found: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, play in ways.items():
            found[name].append(play())
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument(
        "--all", action="store_true", help="with all policies that are offered (compiling takes a minute)"
    )
    asked = parser.parse_args()
    wanted = [offer for offer in catalogue.offers() if asked.all or offer.label == "MVTS"]
    module, manifest = page.built(wanted)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = page.html(module, manifest)
        (folder / "page.html").write_text(text, encoding="utf-8")
        (folder / "page.wasm").write_bytes(module)
        (folder / "manifest.json").write_text(json.dumps(manifest))
        shutil.copy(str(resources.files("riskbandits.playground") / "assets" / "engine.js"), folder)
        print(
            f"{len(wanted)} policies: {len(module) / 1000:.0f} kB of WebAssembly, a page of {len(text) / 1000:.0f} kB"
        )
        ways = {"native, plain": natively, "Node": under_node(folder)}
        program = next(filter(None, map(shutil.which, CHROMIUM)), None)
        if program is None:
            show(measured(ways, asked.rounds))
            return
        from playwright.sync_api import sync_playwright

        with sync_playwright() as running:
            browser = running.chromium.launch(executable_path=program, args=["--no-sandbox"])
            ways["Chromium"] = in_chromium(browser, (folder / "page.html").as_uri())
            show(measured(ways, asked.rounds))
            browser.close()


def show(found: dict[str, list[float]]) -> None:
    first = next(iter(found.values()))
    for name, seconds in found.items():
        ratios = [one / native for one, native in zip(seconds, first, strict=True)]
        print(
            f"{name:14} {statistics.median(seconds):6.2f} s    {statistics.median(ratios):5.2f} times native "
            f"({min(ratios):.2f} to {max(ratios):.2f})"
        )


if __name__ == "__main__":
    main()
