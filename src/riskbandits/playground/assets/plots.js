"use strict";
// Drawings in SVG: what planes, lines and bars share. Colours are the page's, so that dark is dark.
const SVG = "http://www.w3.org/2000/svg";
const EDGE = { left: 58, right: 20, top: 12, bottom: 38 };

function drawn(parent, name, attributes = {}, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  parent.append(made);
  return made;
}

// Round numbers between two ends.
function ticks(low, high, most) {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) found.push(Number((i * step).toPrecision(12)));
  return found;
}

function short(number) {
  if (!Number.isFinite(number)) return "–";
  const size = Math.abs(number);
  if (size !== 0 && (size >= 1e5 || size < 1e-3)) return number.toExponential(1);
  return String(Number(number.toPrecision(size >= 1000 ? 4 : 3)));
}

// Drawings are lower where the page is a part of another.
function heightOf(usual) {
  return document.documentElement.classList.contains("embed") ? (innerWidth < 576 ? 240 : 320) : usual;
}

// An empty frame with axes; gives functions from numbers to places.
function frame(svg, { x, y, xName, yName, height }) {
  const width = Math.max(260, svg.parentElement.clientWidth);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.replaceChildren();
  const right = width - EDGE.right, bottom = height - EDGE.bottom;
  const toX = (number) => EDGE.left + ((number - x[0]) / (x[1] - x[0])) * (right - EDGE.left);
  const toY = (number) => bottom - ((number - y[0]) / (y[1] - y[0])) * (bottom - EDGE.top);
  const grid = drawn(svg, "g", { class: "grid" });
  for (const tick of ticks(...x, width < 420 ? 5 : 8)) {
    drawn(grid, "line", { x1: toX(tick), x2: toX(tick), y1: EDGE.top, y2: bottom });
    drawn(grid, "text", { x: toX(tick), y: bottom + 15, "text-anchor": "middle" }, short(tick));
  }
  for (const tick of ticks(...y, 6)) {
    drawn(grid, "line", { x1: EDGE.left, x2: right, y1: toY(tick), y2: toY(tick) });
    drawn(grid, "text", { x: EDGE.left - 6, y: toY(tick) + 4, "text-anchor": "end" }, short(tick));
  }
  drawn(grid, "text", { x: (EDGE.left + right) / 2, y: height - 5, "text-anchor": "middle", class: "name" }, xName);
  const turned = `rotate(-90 11 ${(EDGE.top + bottom) / 2})`;
  drawn(grid, "text", { x: 11, y: (EDGE.top + bottom) / 2, transform: turned, "text-anchor": "middle", class: "name" }, yName);
  const clip = `${svg.id}-inside`;
  const inside = { x: EDGE.left, y: EDGE.top, width: right - EDGE.left, height: bottom - EDGE.top };
  drawn(drawn(svg, "clipPath", { id: clip }), "rect", inside);
  const layer = drawn(svg, "g", { "clip-path": `url(#${clip})` });
  return { layer, toX, toY, right, bottom, width };
}

// Colours of the figures; black is the colour of ink, whatever that is.
function colour(policy) {
  return policy.colour.toLowerCase() === "#000000" ? "var(--ink)" : policy.colour;
}

// Regret over steps: a line with its band for each result.
function drawRegret(svg, results, extent, band) {
  const most = Math.max(0, ...results.flatMap(({ rows }) => rows.map((row) => ends(row, band)[1]))) || 1;
  const plot = frame(svg, { x: [0, extent.horizon], y: [0, 1.04 * most], xName: "step", yName: "regret", height: heightOf(330) });
  for (const { policy, rows } of results) {
    const at = (step, number) => `${plot.toX(step).toFixed(1)},${plot.toY(number).toFixed(1)}`;
    const steps = extent.checkpoints.slice(0, rows.length);
    const upper = rows.map((row, i) => at(steps[i], ends(row, band)[1]));
    const lower = rows.map((row, i) => at(steps[i], ends(row, band)[0])).reverse();
    drawn(plot.layer, "polygon", { points: [...upper, ...lower].join(" "), fill: colour(policy), class: "band" });
    const line = rows.map((row, i) => at(steps[i], row[0])).join(" ");
    drawn(plot.layer, "polyline", {
      points: `${at(0, 0)} ${line}`, stroke: colour(policy), "stroke-dasharray": policy.dash.join(" "), class: "line",
    });
  }
}

function ends([mean, error, low, high], band) {
  return band === "runs" ? [low, high] : [Math.max(0, mean - 1.96 * error), mean + 1.96 * error];
}

// How often each arm was pulled, as a row of bars; the best arm stands out.
function drawPulls(svg, pulls, best, steps) {
  const width = 7 * pulls.length, height = 26;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  svg.replaceChildren();
  pulls.forEach((number, k) => {
    const tall = Math.max(0.7, (height * number) / steps);
    const bar = drawn(svg, "rect", { x: 7 * k + 1, y: height - tall, width: 5, height: tall, class: k === best ? "best" : "bar" });
    drawn(bar, "title", {}, `arm ${k}: ${short(number)} pulls`);
  });
}
