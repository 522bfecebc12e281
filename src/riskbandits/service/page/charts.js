// Charts as SVG: functions from data to an element. Nothing is ever parsed as markup.
const SPACE = "http://www.w3.org/2000/svg";
const HEIGHT = 320, LEFT = 66, RIGHT = 14, TOP = 14, BOTTOM = 54, LINE = 15, LONGEST_NAME = 130, INTERVALS = 12;
const SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR;
const STEPS = [1, 2, 5, 10, 15, 30].map((one) => one * SECOND)
  .concat([1, 2, 5, 10, 15, 30].map((one) => one * MINUTE), [1, 2, 3, 6, 12].map((one) => one * HOUR))
  .concat([1, 2, 5, 7, 14, 30, 91, 182, 365, 730, 1825, 3650].map((one) => one * DAY));

// Letters keep their size on a phone: the picture has fewer units there.
const width = () => (matchMedia("(max-width: 50rem)").matches ? 360 : 520);

export function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export function shown(number, digits = 4) {
  if (number === null || number === undefined || !Number.isFinite(number)) return "–";
  const size = Math.abs(number);
  if ((number !== 0 && size < 1e-4) || size >= 1e15) return number.toExponential(2);
  if (size >= 1e7) return number.toLocaleString("en", { notation: "compact", maximumSignificantDigits: digits });
  return number.toLocaleString("en", { maximumSignificantDigits: Math.max(digits, Math.ceil(Math.log10(size + 1))) });
}

const pen = document.createElement("canvas").getContext("2d");

function wide(text) {
  pen.font = `13px ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text).width;
}

// A name that fits: names often differ only at their ends, so what is left out is in the middle.
function short(text, most = LONGEST_NAME) {
  const letters = [...text];
  let found = text;
  for (let left = letters.length - 1; left > 1 && wide(found) > most; left -= 1) {
    found = `${letters.slice(0, Math.ceil(left / 2)).join("")}…${letters.slice(letters.length - Math.floor(left / 2)).join("")}`;
  }
  return found;
}

function picture(label, height = HEIGHT) {
  return svg("svg", { viewBox: `0 0 ${width()} ${height}`, role: "img", "aria-label": label });
}

function nothing(made, words = "Nothing yet.") {
  made.append(svg("text", { x: width() / 2, y: 60, "text-anchor": "middle" }, words));
  return made;
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
  for (let k = Math.ceil(low / step); k * step <= high; k += 1) found.push(Number((k * step).toPrecision(12)));
  return found;
}

// The ends of an axis of time; a single moment is in its middle.
function period(times) {
  let low = Infinity, high = -Infinity;
  for (const time of times) { low = Math.min(low, time); high = Math.max(high, time); }
  return high - low < SECOND ? [low - MINUTE / 2, high + MINUTE / 2] : [low, high];
}

// Moments for an axis of time, in local time, with what stands below them; and the title, which has what they leave out.
function timeTicks(low, high) {
  const about = width() > 400 ? 5 : 3;
  const step = STEPS.find((one) => (high - low) / one <= about) ?? STEPS[STEPS.length - 1];
  const shift = (at) => new Date(at).getTimezoneOffset() * MINUTE, found = [];
  // Each by the offset of its own day: clocks may be changed in between.
  const tick = (k) => k * step + shift(k * step + shift(low));
  for (let k = Math.ceil((low - shift(low)) / step); tick(k) <= high; k += 1) found.push(tick(k));
  const day = (at, parts) => new Date(at).toLocaleDateString("en-GB", parts);
  const within = day(low) === day(high);
  const clock = { hour: "2-digit", minute: "2-digit", ...(step < MINUTE ? { second: "2-digit" } : {}) };
  const midnight = (at) => new Date(at).getHours() + new Date(at).getMinutes() + new Date(at).getSeconds() === 0;
  const labels = found.map((at) => (step >= 182 * DAY ? day(at, { month: "short", year: "numeric" })
    : step >= DAY || midnight(at) ? day(at, { day: "numeric", month: "short" }) : new Date(at).toLocaleTimeString("en-GB", clock)));
  const full = { day: "numeric", month: "short", year: "numeric" };
  return { found, labels, title: within ? `time on ${day(low, full)}` : `${day(low, full)} to ${day(high, full)}`, power: "" };
}

// Below an axis, and not beyond the edge.
function label(x, y, text) {
  return svg("text", { x: Math.min(x, width() - wide(text) / 2), y, "text-anchor": "middle" }, text);
}

function axes(into, x, y, across, up, titles, bottom = HEIGHT - BOTTOM) {
  into.append(svg("path", { class: "axis", d: `M${LEFT} ${TOP}V${bottom}H${width() - RIGHT}` }));
  across.found.forEach((value, k) => {
    into.append(svg("path", { class: "axis", d: `M${x(value)} ${bottom}v4` }));
    into.append(label(x(value), bottom + 18, across.labels[k]));
  });
  up.found.forEach((value, k) => into.append(svg("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, up.labels[k])));
  const middle = (TOP + bottom) / 2;
  into.append(svg("text", { class: "title", x: (LEFT + width() - RIGHT) / 2, y: bottom + 40, "text-anchor": "middle" }, titles[0] + across.power));
  into.append(svg("text", { class: "title", x: 14, y: middle, "text-anchor": "middle", transform: `rotate(-90 14 ${middle})` }, titles[1] + up.power));
}

// Round numbers for an axis, with their labels; of very small or large ones the power of ten stands in the title.
function numbers(low, high) {
  const found = ticks(low, high), most = Math.max(...found.map(Math.abs)), power = Math.floor(Math.log10(most));
  if (most > 0 && (power < -3 || power >= 15)) {
    return { found, labels: found.map((one) => shown(Number((one / 10 ** power).toPrecision(4)))), power: `, times 10${superscript(power)}` };
  }
  const compact = (one) => one.toLocaleString("en", { notation: "compact", maximumSignificantDigits: 3 });
  return { found, labels: found.map((one) => (Math.abs(one) >= 1e4 ? compact(one) : shown(one))), power: "" };
}

const superscript = (power) => [...String(power)].map((one) => (one === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[one])).join("");

function around(values, share = 0.08) {
  let low = Infinity, high = -Infinity;
  for (const value of values) { low = Math.min(low, value); high = Math.max(high, value); }
  if (!(high > low)) { low -= Math.abs(low) * 0.1 || 0.5; high += Math.abs(high) * 0.1 || 0.5; }
  const more = (high - low) * share;
  return [low - more, high + more];
}

// A place for a name near its point where no other name is; those for which there is none have theirs in the table.
function placeName(taken, name, x, y) {
  const length = wide(name), least = LEFT + 2, most = width() - RIGHT;
  for (let far = 0; far < 8; far += 1) {
    for (const [side, up] of [[1, -1], [1, 1], [-1, -1], [-1, 1]]) {
      const left = side > 0 ? x + 7 : x - 7 - length, base = y + 4 + up * (8 + far * LINE);
      const box = { left, right: left + length, top: base - LINE + 3, bottom: base + 3 };
      const free = taken.every((one) => box.right < one.left || one.right < box.left || box.bottom < one.top || one.bottom < box.top);
      if (free && left >= least && box.right <= most && box.top >= TOP && box.bottom <= HEIGHT - BOTTOM) {
        taken.push(box);
        return { left, right: left + length, base, far };
      }
    }
  }
  return null;
}

// `isOther`: of so many arms that they have neither a colour nor a name of their own here.
export function cloud(arms, rho, colour, isOther) {
  const known = arms.filter((arm) => arm.mean !== null && arm.variance !== null);
  const made = picture("Mean and variance of each arm, with lines of equal value");
  if (!known.length) return nothing(made);
  const spots = known.map((arm) => {
    const other = isOther(arm.name), sure = !other && arm.rewards > 1 && arm.variance > 0;
    const meanError = sure ? Math.sqrt(arm.variance / arm.rewards) : 0, varianceError = sure ? arm.variance * Math.sqrt(2 / arm.rewards) : 0;
    return { ...arm, other, sure, meanError, varianceError };
  });
  const [low, high] = around(spots.flatMap((arm) => [arm.mean - 2 * arm.meanError, arm.mean + 2 * arm.meanError]));
  const tops = spots.flatMap((arm) => [Math.max(0, arm.variance - 2 * arm.varianceError), arm.variance + 2 * arm.varianceError]);
  const [bottom, top] = Math.max(...tops) > 0 ? around(tops) : [-0.08, 1];
  const x = scale(low, high, LEFT, width() - RIGHT), y = scale(bottom, top, HEIGHT - BOTTOM, TOP);
  const clip = svg("clipPath", { id: "frame" }, svg("rect", { x: LEFT, y: TOP, width: width() - LEFT - RIGHT, height: HEIGHT - TOP - BOTTOM }));
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
  const named = spots.filter((arm) => !arm.other);
  const taken = spots.map((arm) => {
    const [cx, cy, r] = [x(arm.mean), y(arm.variance), arm.other ? 2 : 5];
    return { left: cx - r, right: cx + r, top: cy - r, bottom: cy + r };
  });
  for (const arm of spots.filter((one) => one.other).concat(named)) {
    const [cx, cy] = [x(arm.mean), y(arm.variance)];
    for (const errors of arm.sure ? [2, 1] : []) {
      inside.append(svg("ellipse", {
        class: `cloud fill ${colour(arm.name)}`, cx, cy,
        rx: Math.max(2, x(arm.mean + errors * arm.meanError) - cx),
        ry: Math.max(2, cy - y(arm.variance + errors * arm.varianceError)),
      }));
    }
    const look = arm.sure || arm.other ? "fill" : "hollow stroke";
    inside.append(svg("circle", { class: `${look} ${colour(arm.name)}`, cx, cy, r: arm.other ? 2.5 : 4 }, svg("title", {}, arm.name)));
  }
  for (const arm of named) {
    const [cx, cy] = [x(arm.mean), y(arm.variance)], name = short(arm.name), found = placeName(taken, name, cx, cy);
    if (found === null) continue;
    if (found.far > 0) inside.append(svg("path", { class: "leader", d: `M${cx} ${cy}L${found.left < cx ? found.right : found.left} ${found.base - 4}` }));
    inside.append(svg("text", { class: "name", x: found.left, y: found.base }, name));
  }
  axes(made, x, y, numbers(low, high), numbers(bottom, top), ["mean reward (unit of the rewards)", "variance (that unit, squared)"]);
  return made;
}

// Those with the highest values, in the order in which the arms are listed.
export function intervals(arms, rho, colour) {
  const all = arms.filter((arm) => arm.value !== null && !arm.retired);
  const least = all.map((arm) => arm.value).sort((a, b) => b - a)[INTERVALS - 1] ?? -Infinity;
  const known = all.filter((arm) => arm.value >= least).slice(0, INTERVALS);
  const step = Math.min(60, Math.max(26, (HEIGHT - 80) / Math.max(1, known.length)));
  const height = 60 + step * Math.max(1, known.length), bottom = height - BOTTOM + 8;
  const made = picture("Value of each arm with its interval", known.length ? Math.max(height, 120) : HEIGHT);
  if (!known.length) return nothing(made);
  const [low, high] = around(known.flatMap((arm) => [arm.value, arm.low ?? arm.value, arm.high ?? arm.value]));
  const left = 16 + Math.max(...known.map((arm) => wide(short(arm.name)))), x = scale(low, high, left, width() - RIGHT), across = numbers(low, high);
  made.append(svg("path", { class: "axis", d: `M${left} ${bottom}H${width() - RIGHT}` }));
  across.found.forEach((value, k) => {
    made.append(label(x(value), bottom + 17, across.labels[k]));
  });
  const unit = rho === null ? "" : " (unit of the rewards, squared)";
  made.append(svg("text", { class: "title", x: (left + width() - RIGHT) / 2, y: bottom + 38, "text-anchor": "middle" }, `value${unit}${across.power}`));
  known.forEach((arm, k) => {
    const y = 10 + step * (k + 0.5);
    made.append(svg("text", { class: "name", x: left - 8, y: y + 4, "text-anchor": "end" }, short(arm.name), svg("title", {}, arm.name)));
    if (arm.low !== null && arm.high !== null) {
      made.append(svg("path", { class: `whisker stroke ${colour(arm.name)}`, d: `M${x(arm.low)} ${y}H${x(arm.high)}` }));
    }
    made.append(svg("circle", { class: `fill ${colour(arm.name)}`, cx: x(arm.value), cy: y, r: 5 }));
  });
  return made;
}

// `columns`: for each moment the share of each name, in the order of `names`.
export function shares(names, columns, times, colour) {
  const made = picture("Shares of the arms among recent decisions");
  if (!columns.length) return nothing(made);
  const [low, high] = period(times);
  const x = scale(low, high, LEFT, width() - RIGHT), y = scale(0, 100, HEIGHT - BOTTOM, TOP);
  const all = names.map((_, k) => columns.reduce((sum, column) => sum + column[k], 0) / columns.length);
  const [ends, filled] = times[times.length - 1] - times[0] >= SECOND ? [times, columns] : [[low, high], [all, all]];
  const below = filled.map(() => 0);
  names.forEach((name, k) => {
    const lower = below.map((sum, i) => `${x(ends[i])} ${y(sum)}`).reverse();
    filled.forEach((column, i) => { below[i] += 100 * column[k]; });
    const upper = below.map((sum, i) => `${x(ends[i])} ${y(Math.min(100, sum))}`);
    made.append(svg("path", { class: `fill ${colour(name)}`, d: `M${upper.join("L")}L${lower.join("L")}Z` }, svg("title", {}, name)));
  });
  const across = timeTicks(low, high);
  axes(made, x, y, across, { found: [0, 50, 100], labels: ["0", "50", "100"], power: "" }, [across.title, "share of decisions (%)"]);
  return made;
}

// `points`: the rewards as dots; `lines`: by arm, the mean of its last rewards.
export function stream(points, lines, colour) {
  const made = picture("Rewards, and each arm's running mean");
  if (!points.length) return nothing(made, "No rewards to show yet.");
  const [low, high] = period(points.map((one) => one.time));
  const [bottom, top] = around(points.map((one) => one.reward).concat(lines.flatMap((one) => one.points.map((each) => each.mean))));
  const x = scale(low, high, LEFT, width() - RIGHT), y = scale(bottom, top, HEIGHT - BOTTOM, TOP);
  for (const one of points) made.append(svg("circle", { class: `${points.length > 100 ? "dot " : ""}fill ${colour(one.arm)}`, cx: x(one.time), cy: y(one.reward), r: 2.2 }));
  for (const one of lines) {
    const d = one.points.map((each) => `${x(each.time).toFixed(1)} ${y(each.mean).toFixed(1)}`).join("L");
    made.append(svg("path", { class: `mean stroke ${colour(one.arm)}`, d: `M${d}` }, svg("title", {}, one.arm)));
  }
  const across = timeTicks(low, high);
  axes(made, x, y, across, numbers(bottom, top), [across.title, "reward (unit as sent)"]);
  return made;
}

// `points`: after each reward the sum so far, and what the baseline would have brought, with a 95 % interval.
export function totals(points, colour, arm) {
  const made = picture("Sum of the rewards, against always playing one arm");
  if (!points.length) return nothing(made, "No rewards to show yet.");
  const [low, high] = period(points.map((one) => one.time));
  const [bottom, top] = around(points.flatMap((one) => [one.total, one.baseline, one.low, one.high]).filter((one) => one !== null));
  const x = scale(low, high, LEFT, width() - RIGHT), y = scale(bottom, top, HEIGHT - BOTTOM, TOP);
  const path = (name) => points.map((one) => `${x(one.time).toFixed(1)} ${y(one[name]).toFixed(1)}`);
  if (points[0].low !== null) {
    made.append(svg("path", { class: `cloud fill ${colour(arm)}`, d: `M${path("high").join("L")}L${path("low").reverse().join("L")}Z` }));
  }
  if (points[0].baseline !== null) {
    made.append(svg("path", { class: `always stroke ${colour(arm)}`, d: `M${path("baseline").join("L")}` }));
  }
  made.append(svg("path", { class: "total", d: `M${path("total").join("L")}` }));
  const last = points[points.length - 1];
  made.append(svg("circle", { class: "end", cx: x(last.time), cy: y(last.total), r: 3 }));
  const across = timeTicks(low, high);
  axes(made, x, y, across, numbers(bottom, top), [across.title, "sum of rewards (unit as sent)"]);
  return made;
}
