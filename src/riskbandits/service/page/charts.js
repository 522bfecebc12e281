// Charts as SVG: functions from data to an element. Nothing is ever parsed as markup.
const SPACE = "http://www.w3.org/2000/svg";
const WIDTH = 520, HEIGHT = 300, LEFT = 52, RIGHT = 12, TOP = 12, BOTTOM = 34;

export function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export function shown(number, digits = 4) {
  if (number === null || number === undefined || !Number.isFinite(number)) return "–";
  if (number !== 0 && (Math.abs(number) >= 1e6 || Math.abs(number) < 1e-4)) return number.toExponential(2);
  return String(Number(number.toPrecision(digits)));
}

function picture(label, height = HEIGHT) {
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": label });
}

function scale(low, high, from, to) {
  const span = high > low ? high - low : 1;
  return (value) => from + ((value - low) / span) * (to - from);
}

function ticks(low, high, about = 4) {
  const rough = (high - low) / about || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough);
  const found = [];
  for (let k = Math.ceil(low / step); k * step <= high; k += 1) found.push(k * step);
  return found;
}

function axes(into, x, y, xs, ys, bottom = HEIGHT - BOTTOM) {
  into.append(svg("path", { class: "axis", d: `M${LEFT} ${TOP}V${bottom}H${WIDTH - RIGHT}` }));
  for (const value of xs) into.append(svg("text", { x: x(value), y: bottom + 15, "text-anchor": "middle" }, shown(value)));
  for (const value of ys) into.append(svg("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, shown(value)));
}

function around(values, share = 0.08) {
  let low = Math.min(...values), high = Math.max(...values);
  if (!(high > low)) { low -= Math.abs(low) * 0.1 || 0.5; high += Math.abs(high) * 0.1 || 0.5; }
  const more = (high - low) * share;
  return [low - more, high + more];
}

export function cloud(arms, rho, colour) {
  const known = arms.filter((arm) => arm.mean !== null && arm.variance !== null);
  const made = picture("Mean and variance of each arm, with lines of equal value");
  if (!known.length) return made;
  const spots = known.map((arm) => ({
    ...arm,
    meanError: Math.sqrt(arm.variance / arm.rewards),
    varianceError: arm.variance * Math.sqrt(2 / arm.rewards),
  }));
  const [low, high] = around(spots.flatMap((arm) => [arm.mean - 2 * arm.meanError, arm.mean + 2 * arm.meanError]));
  const tops = spots.flatMap((arm) => [Math.max(0, arm.variance - 2 * arm.varianceError), arm.variance + 2 * arm.varianceError]);
  const [bottom, top] = around(tops);
  const x = scale(low, high, LEFT, WIDTH - RIGHT), y = scale(bottom, top, HEIGHT - BOTTOM, TOP);
  const clip = svg("clipPath", { id: "frame" }, svg("rect", { x: LEFT, y: TOP, width: WIDTH - LEFT - RIGHT, height: HEIGHT - TOP - BOTTOM }));
  const inside = svg("g", { "clip-path": "url(#frame)" });
  made.append(clip, inside);
  if (rho !== null) {
    const values = spots.map((arm) => rho * arm.mean - arm.variance), best = Math.max(...values);
    const corners = [rho * low - top, rho * high - bottom];
    for (let k = 0; k <= 8; k += 1) inside.append(equal(corners[0] + ((corners[1] - corners[0]) * k) / 8, "equal"));
    inside.append(equal(best, "equal-best"));
  }
  function equal(value, name) {
    return svg("path", { class: name, d: `M${x(low)} ${y(rho * low - value)}L${x(high)} ${y(rho * high - value)}` });
  }
  for (const arm of spots) {
    for (const errors of [2, 1]) {
      inside.append(svg("ellipse", {
        class: `cloud fill ${colour(arm.name)}`, cx: x(arm.mean), cy: y(arm.variance),
        rx: Math.max(2, x(arm.mean + errors * arm.meanError) - x(arm.mean)),
        ry: Math.max(2, y(arm.variance) - y(arm.variance + errors * arm.varianceError)),
      }));
    }
    inside.append(svg("circle", { class: `fill ${colour(arm.name)}`, cx: x(arm.mean), cy: y(arm.variance), r: 4 }));
    inside.append(svg("text", { class: "name", x: x(arm.mean) + 7, y: y(arm.variance) - 6 }, arm.name.slice(0, 24)));
  }
  axes(made, x, y, ticks(low, high), ticks(bottom, top));
  return made;
}

export function intervals(arms, colour) {
  const known = arms.filter((arm) => arm.value !== null && !arm.retired).slice(0, 30);
  const height = 40 + 26 * Math.max(1, known.length), bottom = height - 26;
  const made = picture("Value of each arm with its interval", height);
  if (!known.length) return made;
  const [low, high] = around(known.flatMap((arm) => [arm.value, arm.low ?? arm.value, arm.high ?? arm.value]));
  const left = 120, x = scale(low, high, left, WIDTH - RIGHT);
  made.append(svg("path", { class: "axis", d: `M${left} ${bottom}H${WIDTH - RIGHT}` }));
  for (const value of ticks(low, high)) made.append(svg("text", { x: x(value), y: bottom + 15, "text-anchor": "middle" }, shown(value)));
  known.forEach((arm, k) => {
    const y = 20 + 26 * k;
    made.append(svg("text", { class: "name", x: left - 8, y: y + 4, "text-anchor": "end" }, arm.name.slice(0, 17)));
    if (arm.low !== null && arm.high !== null) {
      made.append(svg("path", { class: `whisker stroke ${colour(arm.name)}`, d: `M${x(arm.low)} ${y}H${x(arm.high)}` }));
    }
    made.append(svg("circle", { class: `fill ${colour(arm.name)}`, cx: x(arm.value), cy: y, r: 5 }));
  });
  return made;
}

// `columns`: for each moment the share of each name, in the order of `names`.
export function shares(label, names, columns, ends, colour) {
  const made = picture(label);
  if (!columns.length) return made;
  const first = ends.length > 1 ? ends[0] : ends[0] - 1;
  const x = scale(first, ends[ends.length - 1], LEFT, WIDTH - RIGHT), y = scale(0, 1, HEIGHT - BOTTOM, TOP);
  const below = columns.map(() => 0);
  names.forEach((name, k) => {
    const lower = below.map((sum, i) => `${x(ends[i])} ${y(sum)}`).reverse();
    columns.forEach((column, i) => { below[i] += column[k]; });
    const upper = below.map((sum, i) => `${x(ends[i])} ${y(Math.min(1, sum))}`);
    const title = svg("title", {}, name);
    made.append(svg("path", { class: `fill ${colour(name)}`, d: `M${upper.join("L")}L${lower.join("L")}Z` }, title));
  });
  axes(made, x, y, ticks(first, ends[ends.length - 1]), [0, 0.5, 1]);
  return made;
}

export function stream(rewards, colour) {
  const made = picture("Rewards in the order in which they came");
  if (!rewards.length) return made;
  const first = rewards[0].sequence, last = rewards[rewards.length - 1].sequence;
  const [low, high] = around(rewards.map((one) => one.reward));
  const x = scale(first, Math.max(last, first + 1), LEFT, WIDTH - RIGHT), y = scale(low, high, HEIGHT - BOTTOM, TOP);
  for (const one of rewards) {
    made.append(svg("circle", { class: `fill ${colour(one.arm)}`, cx: x(one.sequence), cy: y(one.reward), r: 2.2 }));
  }
  axes(made, x, y, ticks(first, last), ticks(low, high));
  return made;
}
