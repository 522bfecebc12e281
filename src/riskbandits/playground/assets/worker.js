"use strict";
// One policy at a time, a few milliseconds at a time: between them a new order may come, which ends the old one.
const PIECE = 25; // milliseconds
let order = 0;

addEventListener("message", async ({ data }) => {
  order = data.number;
  try {
    await played(data);
  } catch (error) {
    postMessage({ number: data.number, failed: error.message });
  }
});

async function played({ number, module, manifest, policy, problem, extent, seed }) {
  const engine = new Engine(await WebAssembly.instantiate(module, {}), manifest);
  const runs = new Runs(engine, policy, problem, extent, initialWords(seed, policy.number, extent.runs));
  const started = performance.now();
  const rows = [];
  let ahead = 1; // checkpoints that are played at once
  while (rows.length < extent.checkpoints.length) {
    if (order !== number) return;
    const from = performance.now();
    const next = Math.min(extent.checkpoints.length, rows.length + ahead);
    if (!runs.playTo(extent.checkpoints[next - 1])) throw new Error("All its scores were NaN.");
    while (rows.length < next) rows.push(spread(runs.regrets(rows.length)));
    const took = performance.now() - from;
    ahead = Math.max(1, Math.min(2 * ahead, Math.floor((ahead * PIECE) / Math.max(took, 0.1))));
    const done = rows.length === extent.checkpoints.length;
    const wrong = done ? runs.endedElsewhere() : null;
    const milliseconds = performance.now() - started;
    postMessage({ number, rows, pulls: runs.pulls(), best: runs.facts.best, wrong, done, milliseconds });
    await new Promise((go) => setTimeout(go, 0));
  }
}

// Mean, its standard error, and the range of the middle nine tenths of the runs.
function spread(values) {
  const sorted = Float64Array.from(values).sort();
  const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
  const squares = values.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const error = values.length > 1 ? Math.sqrt(squares / (values.length - 1) / values.length) : 0;
  const at = (share) => sorted[Math.round(share * (sorted.length - 1))];
  return [mean, error, at(0.05), at(0.95)];
}
