"use strict";
// One run, step by step: what the policy draws or reckons for each arm, which arm it plays, what it is paid.
const CLOUD = 40; // draws of each arm that show its posterior

class Steps {
  constructor(elements, module, manifest) {
    Object.assign(this, { elements, module, manifest });
    this.plane = new Plane(elements.plane, null);
    this.timer = null;
  }

  async start(policy, problem, horizon, seed) {
    this.pause();
    const instance = await WebAssembly.instantiate(this.module, {});
    const engine = new Engine(instance, this.manifest);
    const extent = { horizon, runs: 1, checkpoints: [horizon] };
    Object.assign(this, { policy, problem, horizon });
    this.run = new Runs(engine, policy, problem, extent, initialWords(seed, policy.number, 1));
    this.paid = problem.means.map(() => []);
    this.last = null;
    this.show();
  }

  // Play so many steps; a policy that fails says so.
  forward(steps) {
    try {
      this.advance(steps);
    } catch (error) {
      this.pause();
      this.elements.said.textContent = `It stopped after step ${this.run.step}. ${error.message}`;
    }
  }

  // What the policy saw is noted for the last step.
  advance(steps) {
    const end = Math.min(this.horizon, this.run.step + steps);
    while (this.run.step < end) {
      const seen = this.run.step + 1 === end ? this.look() : null;
      const before = [...this.run.view("reward_sums")];
      const pulls = [...this.run.view("pulls")];
      if (!this.run.playTo(this.run.step + 1)) throw new Error("All its scores were NaN.");
      const arm = [...this.run.view("pulls")].findIndex((number, k) => number !== pulls[k]);
      const reward = this.run.view("reward_sums")[arm] - before[arm] + this.run.facts.bestMean;
      this.paid[arm].push(reward);
      this.last = { arm, reward, seen };
    }
    this.show();
    if (this.run.step >= this.horizon) this.pause();
  }

  // The first pulls are not chosen by scores.
  look() {
    return this.run.step < this.problem.means.length * this.policy.first_pulls ? null : this.run.look(0).arms;
  }

  // Draws of all arms as they might have come: each look from other words.
  cloud() {
    if (this.look() === null) return [];
    const words = this.run.view("words").slice();
    const marks = [];
    for (let i = 0; i < CLOUD; i++) {
      this.run.view("words").set([splitmix(words[0], BigInt(i + 1)), splitmix(words[1], BigInt(i + 1))]);
      this.run.look(0).arms.forEach(([, x, y], k) => marks.push({ x, y, k, class: "drawn" }));
    }
    this.run.view("words").set(words);
    return marks.filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
  }

  toggle() {
    if (this.timer) return this.pause();
    this.timer = setInterval(() => this.forward(1), 350);
    this.elements.play.textContent = "Pause";
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.elements.play.textContent = "Play on";
  }

  show() {
    const { means, variances, rho, family } = this.problem;
    const facts = this.run.facts;
    const arms = means.map((mean, k) => ({ mean, variance: variances[k] }));
    const hues = means.map((_, k) => `hsl(${Math.round((360 * k) / means.length)} 65% 50%)`);
    const marks = this.cloud().map((mark) => ({ ...mark, colour: hues[mark.k] }));
    this.plane.draw({ arms, family, rho, facts, chosen: this.last?.arm ?? null, marks });
    const said = this.last
      ? `Step ${this.run.step}: arm ${this.last.arm} was played and paid ${short(this.last.reward)}.`
      : "Nothing has been played.";
    const forced = means.length * this.policy.first_pulls;
    const first = forced > this.run.step ? ` The first ${forced} steps play every arm ${this.policy.first_pulls > 1 ? `${this.policy.first_pulls} times` : "once"}.` : "";
    this.elements.said.textContent = said + first;
    this.elements.rows.replaceChildren(...means.map((_, k) => this.row(k, hues[k])));
  }

  row(k, hue) {
    const paid = this.paid[k];
    const mean = paid.reduce((sum, one) => sum + one, 0) / paid.length;
    const variance = paid.reduce((sum, one) => sum + (one - mean) ** 2, 0) / paid.length;
    const [score, x, y] = this.last?.seen?.[k] ?? [NaN, NaN, NaN];
    const row = document.createElement("tr");
    row.className = k === this.last?.arm ? "chosen" : "";
    const cells = [paid.length, mean, variance, x, y, score].map(short);
    const name = document.createElement("th");
    name.scope = "row";
    const swatch = document.createElement("span");
    swatch.className = "swatch";
    swatch.style.background = hue;
    name.append(swatch, `${k}${this.run.facts.rows[k][2] ? " (best)" : ""}${k === this.last?.arm ? " ◀" : ""}`);
    row.append(name, ...cells.map((text) => Object.assign(document.createElement("td"), { className: "number", textContent: text })));
    return row;
  }
}
