"use strict";
// Runs of one policy inside the compiled module. No page is needed here: workers and tests use the same lines.
const MASK = (1n << 64n) - 1n;

// SplitMix64, from which the words of all streams follow.
function splitmix(base, number) {
  let z = (base + number * 0x9e3779b97f4a7c15n) & MASK;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK;
  return z ^ (z >> 31n);
}

// Two streams of two words for each run, named by a seed and a policy's number.
function initialWords(seed, key, runs) {
  const bases = [0n, 1n].map((place) => splitmix(splitmix(BigInt(seed), BigInt(key)), place + 1n));
  const words = new BigUint64Array(4 * runs);
  for (let row = 0; row < 4; row++)
    for (let run = 0; run < runs; run++)
      words[4 * run + row] = splitmix(bases[row % 2], BigInt(2 * run + 1 + (row >> 1)));
  return words;
}

// Steps at which sums are kept: evenly spread, with the half of the horizon among them.
function checkpointsUntil(horizon, points) {
  const found = new Set([Math.max(1, Math.floor(horizon / 2)), horizon]);
  for (let i = 1; i <= points; i++) found.add(Math.max(1, Math.round((i * horizon) / points)));
  return [...found].sort((a, b) => a - b);
}

class Engine {
  constructor(instance, manifest) {
    this.exports = instance.exports;
    this.manifest = manifest;
    this.free = this.exports.__heap_base.value;
  }

  // Memory for some arrays, all zero; what an engine has taken it keeps, so it serves one setting.
  take(names, sizes) {
    const at = {};
    for (const name of names) {
      const { kind, shape } = this.manifest.arrays[name];
      const length = shape.reduce((product, part) => product * (part in sizes ? sizes[part] : Number(part)), 1);
      const start = (this.free + 7) & ~7;
      this.free = start + 8 * Math.max(1, length);
      const memory = this.exports.memory;
      const missing = this.free - memory.buffer.byteLength;
      if (missing > 0) memory.grow(Math.ceil(missing / 65536));
      at[name] = { start, length, kind };
    }
    return at;
  }

  view(place) {
    const kinds = { f8: Float64Array, i8: BigInt64Array, u8: BigUint64Array };
    return new kinds[place.kind](this.exports.memory.buffer, place.start, place.length);
  }

  call(name, at, sizes, ...numbers) {
    const { arrays } = this.manifest.functions[name.split("_")[0]];
    const addresses = arrays.map((array) => at[array].start);
    const ending = this.exports[name](...addresses, ...this.manifest.sizes.map((size) => sizes[size]), ...numbers);
    if (ending < 0 && !name.startsWith("look")) throw new Error("One of its methods raised an error.");
    return ending;
  }

  // What arms are worth, in the measure's own words.
  values(rho, means, variances) {
    const before = this.free;
    const sizes = { ...this.noSizes(), floats: 1, arms: means.length };
    const at = this.take(this.manifest.functions.value.arrays, sizes);
    this.view(at.floats)[0] = rho;
    this.view(at.means).set(means);
    this.view(at.variances).set(variances);
    this.call("value", at, sizes);
    const found = [...this.view(at.values)];
    this.free = before;
    return found;
  }

  noSizes() {
    return Object.fromEntries(this.manifest.sizes.map((size) => [size, 0]));
  }
}

// Replications of one policy on one problem, all at the same step.
// problem: {family, means, variances, rho}; extent: {horizon, runs, checkpoints}; words: of `initialWords`.
class Runs {
  constructor(engine, policy, problem, extent, words, facts) {
    const { means, variances, rho, family } = problem;
    const { horizon, runs, checkpoints } = extent;
    Object.assign(this, { engine, policy, problem, ...extent, step: 0, arms: means.length });
    const floats = [...policy.floats, rho, 0];
    const wholes = [...policy.wholes, engine.manifest.families.indexOf(family), 0];
    const none = means.map(() => 0);
    const { probabilities, amounts } = family === "hurdle" ? salesOf(means, variances) : { probabilities: none, amounts: none };
    const vectors = [...policy.vectors, means, variances, family === "bernoulli" ? means : none, probabilities, amounts, none];
    const offsets = vectors.reduce((sums, vector) => [...sums, sums[sums.length - 1] + vector.length], [0]);
    const together = [...vectors.flat(), 0];
    this.sizes = {
      floats: floats.length, wholes: wholes.length, vectors: together.length, offsets: offsets.length,
      arms: this.arms, width: policy.width, runs, checkpoints: checkpoints.length,
    };
    const { play, look } = engine.manifest.functions;
    this.at = engine.take([...new Set([...play.arrays, ...look.arrays])], this.sizes);
    const big = (numbers) => numbers.map((number) => BigInt(number));
    this.facts = facts || armFacts(engine, problem);
    const { cells } = engine.manifest;
    const first = {
      floats, vectors: together, wholes: big(wholes), offsets: big(offsets), edges: engine.manifest.edges,
      facts: this.facts.rows.flat(), best_means: [this.facts.bestMean], ends: [BigInt(horizon)],
      checkpoints: big(checkpoints), words,
    };
    for (const [name, numbers] of Object.entries(first)) this.view(name).set(numbers);
    const room = this.view("cells");
    for (let run = 0; run < runs; run++) room[(run * room.length) / runs + cells.HORIZON] = horizon;
    this.view("last").fill(NaN);
  }

  view(name) {
    return this.engine.view(this.at[name]);
  }

  // Play on; false if a policy could not choose.
  playTo(end) {
    this.engine.call(`play_${this.policy.kernel}`, this.at, this.sizes, this.policy.first_pulls, this.step, end);
    if (!this.view("endings").every((ending) => ending === 0n)) return false;
    this.step = end;
    return true;
  }

  // The scores of the next step and the draws behind them, one [score, mean, variance] per arm, and the choice.
  look(run) {
    this.view("last").fill(NaN);
    const moved = ["words", "cells", "states"]; // it draws, and may write while it prepares
    const before = moved.map((name) => this.view(name).slice());
    const choice = this.engine.call(`look_${this.policy.kernel}`, this.at, this.sizes, run, this.step + 1);
    const seen = [...this.view("seen")];
    moved.forEach((name, i) => this.view(name).set(before[i]));
    return { choice, arms: Array.from({ length: this.arms }, (_, k) => seen.slice(3 * k, 3 * k + 3)) };
  }

  sum(run, point, column) {
    const { SUMS } = this.engine.manifest.columns;
    return this.view("sums")[(run * this.checkpoints.length + point) * SUMS + this.engine.manifest.columns[column]];
  }

  // The expected regret of each run at a checkpoint, given its pulls: gaps, and what mixing means costs.
  regrets(point) {
    const steps = this.checkpoints[point];
    return Float64Array.from({ length: this.runs }, (_, run) => {
      const mean = this.sum(run, point, "MEAN");
      const switching = this.sum(run, point, "MEAN_SQUARED") - (mean * mean) / steps;
      return this.sum(run, point, "GAP") + Math.max(0, switching);
    });
  }

  // The share of runs with less than half of the pulls in their second half on a best arm.
  endedElsewhere() {
    const half = Math.floor(this.horizon / 2);
    const middle = this.checkpoints.indexOf(half);
    const last = this.checkpoints.length - 1;
    let wrong = 0;
    for (let run = 0; run < this.runs; run++) {
      const before = half > 0 ? this.sum(run, middle, "BEST_ARM") : 0;
      if (2 * (this.sum(run, last, "BEST_ARM") - before) < this.horizon - half) wrong++;
    }
    return wrong / this.runs;
  }

  // Pulls of each arm, on average over runs.
  pulls() {
    const pulls = this.view("pulls");
    return Array.from({ length: this.arms }, (_, k) => {
      let sum = 0;
      for (let run = 0; run < this.runs; run++) sum += Number(pulls[run * this.arms + k]);
      return sum / this.runs;
    });
  }
}

// The arms that pay an amount or nothing and have these means, which are not 0, and variances.
function salesOf(means, variances) {
  const amounts = means.map((mean, k) => mean + variances[k] / mean);
  return { amounts, probabilities: means.map((mean, k) => mean / amounts[k]) };
}

// Per arm its gap, its mean less the best arm's, and whether it is a best arm; gaps that are rounding are none.
function armFacts(engine, { rho, means, variances }) {
  const values = engine.values(rho, means, variances);
  const most = Math.max(...values);
  const least = engine.manifest.rounding * Math.max(...values.map(Math.abs));
  const gaps = values.map((value) => (most - value <= least ? 0 : most - value));
  const best = gaps.indexOf(0);
  const rows = means.map((mean, k) => [gaps[k], mean - means[best], gaps[k] === 0 ? 1 : 0]);
  return { rows, best, bestMean: means[best], values };
}

if (typeof module !== "undefined") module.exports = { Engine, Runs, armFacts, checkpointsUntil, initialWords, splitmix };
