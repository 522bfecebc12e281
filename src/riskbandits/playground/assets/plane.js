"use strict";
// The plane of mean and variance: arms as dots that can be moved, and the lines on which all arms are worth the same.
const REACH = {
  gaussian: { x: [-0.25, 1.25], y: [0, 1.2] },
  bernoulli: { x: [0, 1], y: [0, 0.3] },
  hurdle: { x: [0.01, 1.25], y: [0, 1.2] }, // an arm that pays nothing on average has no amount
};
const reachOf = (family) => REACH[family];
const LINES = 9;
const NUDGE = 0.01;

class Plane {
  constructor(svg, changed) {
    this.svg = svg;
    this.changed = changed; // (arm, mean, variance), or null if arms stay where they are
    this.focused = null;
  }

  // arms: {mean, variance}; marks: what is to be drawn under the arms, [{x, y, class, colour}].
  draw({ arms, family, rho, facts, chosen = null, marks = [] }) {
    const active = this.svg.contains(document.activeElement) ? document.activeElement.dataset.arm : null;
    const height = heightOf(380);
    const { x, y } = reachOf(family);
    this.plot = frame(this.svg, { x, y, xName: "mean of the rewards", yName: "variance", height });
    this.ends = { x, y };
    this.lines(rho, facts);
    if (family === "bernoulli") this.parabola();
    const { layer, toX, toY } = this.plot;
    for (const mark of marks) {
      drawn(layer, "circle", { cx: toX(mark.x), cy: toY(mark.y), r: mark.r || 1.6, class: mark.class, fill: mark.colour || "" });
    }
    arms.forEach((arm, k) => this.arm(arm, k, facts, chosen));
    if (active !== null) this.svg.querySelector(`[data-arm="${active}"]`)?.focus();
  }

  // Where rho mean - variance is the same: straight lines with slope rho.
  lines(rho, facts) {
    const { layer } = this.plot;
    const { x, y } = this.ends;
    const corners = x.flatMap((mean) => y.map((variance) => rho * mean - variance));
    const low = Math.min(...corners), high = Math.max(...corners);
    for (let i = 1; i < LINES; i++) this.line(rho, low + (i * (high - low)) / LINES, "equal");
    this.line(rho, facts.values[facts.best], "equal of-best");
    drawn(layer, "text", { x: this.plot.right - 8, y: this.plot.bottom - 8, "text-anchor": "end", class: "better" }, "better ↘");
  }

  line(rho, value, kind) {
    const { x, y } = this.ends;
    const { layer, toX, toY } = this.plot;
    const flat = rho * (x[1] - x[0]) < y[1] - y[0];
    const points = flat ? x.map((mean) => [mean, rho * mean - value]) : y.map((variance) => [(variance + value) / rho, variance]);
    const [[x1, y1], [x2, y2]] = points;
    drawn(layer, "line", { x1: toX(x1), y1: toY(y1), x2: toX(x2), y2: toY(y2), class: kind });
  }

  parabola() {
    const { layer, toX, toY } = this.plot;
    const points = Array.from({ length: 61 }, (_, i) => `${toX(i / 60)},${toY((i / 60) * (1 - i / 60))}`);
    drawn(layer, "polyline", { points: points.join(" "), class: "parabola" });
  }

  arm({ mean, variance }, k, facts, chosen) {
    const kind = facts.rows[k][2] ? "arm best" : "arm";
    const dot = drawn(this.svg, "g", { class: k === chosen ? `${kind} chosen` : kind, "data-arm": k });
    const place = { cx: this.plot.toX(mean), cy: this.plot.toY(variance) };
    if (this.changed) drawn(dot, "circle", { ...place, r: 17, class: "grip" });
    drawn(dot, "circle", { ...place, r: 9, class: "dot" });
    drawn(dot, "text", { x: place.cx, y: place.cy + 3.5, "text-anchor": "middle" }, String(k));
    const words = `Arm ${k}: mean ${short(mean)}, variance ${short(variance)}, value ${short(facts.values[k])}` +
      (facts.rows[k][2] ? ", the best" : `, ${short(facts.rows[k][0])} less than the best`);
    drawn(dot, "title", {}, words);
    if (!this.changed) return;
    for (const [name, value] of Object.entries({
      tabindex: 0, role: "slider", "aria-label": words, "aria-valuenow": mean, "aria-valuetext": words,
      "aria-valuemin": this.ends.x[0], "aria-valuemax": this.ends.x[1],
    })) dot.setAttribute(name, value);
    dot.addEventListener("pointerdown", (event) => this.drag(event, k));
    dot.addEventListener("keydown", (event) => this.key(event, k, mean, variance));
  }

  // The listeners are the document's: while an arm moves it is drawn anew.
  drag(event, k) {
    event.preventDefault();
    this.svg.querySelector(`[data-arm="${k}"]`).focus();
    const move = (now) => {
      const box = this.svg.getBoundingClientRect();
      const scale = this.svg.viewBox.baseVal.width / box.width;
      const across = ((now.clientX - box.x) * scale - EDGE.left) / (this.plot.right - EDGE.left);
      const up = (this.plot.bottom - (now.clientY - box.y) * scale) / (this.plot.bottom - EDGE.top);
      const { x, y } = this.ends;
      this.move(k, x[0] + across * (x[1] - x[0]), y[0] + up * (y[1] - y[0]));
    };
    const end = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  key(event, k, mean, variance) {
    const far = event.shiftKey ? 5 * NUDGE : NUDGE;
    const moves = { ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, far], ArrowDown: [0, -far] };
    if (event.key === "Delete" || event.key === "Backspace") this.changed(k, null, null);
    else if (event.key in moves) this.move(k, mean + moves[event.key][0], variance + moves[event.key][1]);
    else return;
    event.preventDefault();
  }

  move(k, mean, variance) {
    const { x, y } = this.ends;
    const between = (number, [low, high]) => Math.round(1000 * Math.min(high, Math.max(low, number))) / 1000;
    this.changed(k, between(mean, x), between(variance, y));
  }
}
