"use strict";
// Orders from a file, played under Node: node node.js FOLDER. Used to try a module before it becomes a page, and by tests.
const fs = require("fs");
const path = require("path");
const folder = process.argv[2];
const { Engine, Runs, checkpointsUntil } = require(path.join(folder, "engine.js"));
const { manifest, orders } = JSON.parse(fs.readFileSync(path.join(folder, "orders.json"), "utf8"));
const compiled = new WebAssembly.Module(fs.readFileSync(path.join(folder, "page.wasm")));

const newEngine = () => new Engine(new WebAssembly.Instance(compiled, {}), manifest);

// The same runs as a page shows them.
function shown({ policy, problem, horizon, words }) {
  const extent = { horizon, runs: words.length / 4, checkpoints: checkpointsUntil(horizon, 10) };
  const runs = new Runs(newEngine(), manifest.policies[policy], problem, extent, BigUint64Array.from(words.map(BigInt)));
  for (const step of extent.checkpoints) runs.playTo(step);
  const regrets = [...runs.regrets(extent.checkpoints.length - 1)];
  return { regrets, wrong: runs.endedElsewhere(), pulls: runs.pulls(), facts: runs.facts };
}

function answer(order) {
  const { policy, problem, horizon, words } = order;
  const numbers = BigUint64Array.from(words.map(BigInt));
  const checkpoints = Array.from({ length: horizon }, (_, step) => step + 1);
  const extent = { horizon, runs: words.length / 4, checkpoints };
  // With an arm's number in the place of its gap, sums of gaps say which arm was played at every step.
  const facts = { rows: problem.means.map((_, k) => [k, 0, 0]), best: 0, bestMean: 0, values: problem.means };
  const runs = new Runs(newEngine(), manifest.policies[policy], problem, extent, numbers, facts);
  const middle = Math.ceil(horizon / 3); // where it is cut must not matter
  const looked = runs.playTo(middle) ? runs.look(0) : null;
  const ended = runs.playTo(horizon);
  const sums = (run) => checkpoints.map((_, point) => runs.sum(run, point, "GAP"));
  const choices = Array.from({ length: extent.runs }, (_, run) => sums(run).map((sum, i, all) => sum - (i ? all[i - 1] : 0)));
  return { ended, choices, looked: looked && { step: middle + 1, choice: looked.choice }, shown: shown(order) };
}

function safely(order) {
  try {
    return answer(order);
  } catch (error) {
    return { error: String(error.message || error) };
  }
}

process.stdout.write(JSON.stringify(orders.map(safely)));
