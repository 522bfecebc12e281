// The page: polls the service and shows its state. Names come from anybody: they are only ever text.
import { cloud, intervals, shares, shown, stream, totals } from "./charts.js";

const EVERY = 1500, EVENTS_AT_ONCE = 6000, EVENTS_KEPT = 30000, LINE_POINTS = 300, REWARDS_SHOWN = 500, PIECES = 40, OPEN_SHOWN = 20, COLOURS = 8, MEAN_OF = 30, MEAN_FROM = 5, MEANS = 20, TOTALS_SHOWN = 200;
const ARMS_SHOWN = 200, ENOUGH = 10;  // rewards of an arm, from which an interval for its mean is shown
const at = (id) => document.getElementById(id);
const state = { key: null, name: null, seen: null, text: "", events: [], whole: false, colours: new Map(), rho: null, whatIf: null, refusal: "", baseline: null, features: null, role: null, round: 0, busy: false };

class NoKey extends Error {}

async function ask(path, options = {}) {
  const answer = await fetch(path, { ...options, headers: { Authorization: `Bearer ${state.key}`, ...options.headers }, cache: "no-store" });
  if (answer.status === 401) throw new NoKey();
  if (!answer.ok) throw new Error((await answer.json()).detail);
  return answer;
}

const place = (name) => `v1/bandits/${encodeURIComponent(name)}`;
const make = (name, text, attributes = {}) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};
const fill = (id, ...children) => at(id).replaceChildren(...children);

// Each arm has a colour of its own or, where there are more than colours, those that are chosen most.
function giveColours(arms) {
  const order = arms.length > COLOURS && !state.colours.size ? mostChosen(arms) : arms;
  for (const arm of order) {
    if (!state.colours.has(arm.name)) state.colours.set(arm.name, `c${Math.min(state.colours.size, COLOURS - 1)}`);
  }
}

const colour = (arm) => state.colours.get(arm) ?? `c${COLOURS - 1}`;
const isOther = (arm) => state.colours.size > COLOURS && colour(arm) === `c${COLOURS - 1}`;
const mostChosen = (arms) => [...arms].sort((one, other) => other.rewards + other.outstanding - one.rewards - one.outstanding);

// What the colours of a chart mean, below it.
function legend(id, events) {
  const met = new Set(events.map((one) => one.arm)), names = [...state.colours.keys()].filter((name) => met.has(name));
  const named = names.filter((name) => !isOther(name)).map((name) => [name, colour(name)]);
  const others = names.some(isOther) ? [["other arms", `c${COLOURS - 1}`]] : [];
  fill(id, ...named.concat(others).map(([words, key]) => {
    const item = make("span");
    item.append(make("span", "", { class: `key ${key}` }), words);
    return item;
  }));
}

function readAddress() {
  const found = new URLSearchParams(location.hash.slice(1));
  if (found.get("key")) sessionStorage.setItem("riskbandits-key", found.get("key"));
  state.key = sessionStorage.getItem("riskbandits-key");
  const name = found.get("bandit");
  if (found.get("key")) history.replaceState(null, "", name ? `#bandit=${encodeURIComponent(name)}` : location.pathname);
  if (name !== state.name) choose(name);
}

function choose(name) {
  Object.assign(state, { name, seen: null, text: "", events: [], whole: false, rho: null, whatIf: null, baseline: null, features: null });
  state.colours.clear();
}

async function listBandits() {
  const { bandits, role } = await (await ask("v1/bandits")).json();
  state.role = role;
  if (state.name === null && bandits.length) choose(bandits[0].name);
  const known = [...document.querySelectorAll("#bandits a")].map((one) => one.textContent);
  if (known.join("\n") !== bandits.map((one) => one.name).join("\n")) {
    fill("bandits", ...bandits.map((one) => {
      const line = make("li");
      line.append(make("a", one.name, { href: `#bandit=${encodeURIComponent(one.name)}` }), make("span", "", { class: "small" }));
      return line;
    }));
  }
  document.querySelectorAll("#bandits .small").forEach((one, k) => { one.textContent = bandits[k].paused ? "paused" : ""; });
  for (const link of document.querySelectorAll("#bandits a")) {
    if (link.textContent === state.name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  at("nothing").hidden = bandits.length > 0;
  if (state.seen === null) at("bandit").hidden = true;
}

// The address of a bandit's state: for the features that were set, and for another rho if one was.
function stateOf(name, rho = null) {
  const asked = new URLSearchParams();
  if (rho !== null) asked.set("risk", `mean-variance:${rho}`);
  if (state.features !== null) asked.set("features", JSON.stringify(state.features));
  return `${place(name)}?${asked}`;
}

async function readBandit() {
  const name = state.name, features = state.features;
  const read = await (await ask(stateOf(name))).text(), seen = JSON.parse(read);
  if (name !== state.name || features !== state.features) return;
  const after = state.events.length ? state.events[state.events.length - 1].sequence : Math.max(0, seen.sequence - EVENTS_AT_ONCE);
  const text = after < seen.sequence ? await (await ask(`${place(name)}/log?after=${after}`)).text() : "";
  const older = await readOlder(name);
  const { decisions } = await (await ask(`${place(name)}/decisions?limit=${OPEN_SHOWN}`)).json();
  if (name !== state.name) return;
  const same = read === state.text && !text && !older.length;
  state.text = read;
  state.seen = seen;
  state.events = older.concat(state.events, parsed(text)).slice(-EVENTS_KEPT);
  giveColours(seen.arms);
  if (seen.features !== null && state.features === null) {
    showFeatures(seen.features);
    return readBandit();
  }
  at("features-section").hidden = seen.features === null;
  const before = state.whatIf?.sequence;
  if (!same) await readWhatIf();
  if (name !== state.name) return;
  if (!same || before !== state.whatIf?.sequence) showBandit();
  showOpenDecisions(decisions);
}

const parsed = (text) => text.split("\n").filter(Boolean).map((line) => JSON.parse(line)).map((one) => ({ ...one, time: Date.parse(one.at) }));

// Some of the events before those that are shown: the newest are there at once, and drift is seen over weeks.
async function readOlder(name) {
  const first = state.events[0]?.sequence;
  if (first === undefined || state.whole || state.events.length >= EVENTS_KEPT) return [];
  const after = Math.max(0, first - 1 - EVENTS_AT_ONCE);
  const found = first === 1 ? [] : parsed(await (await ask(`${place(name)}/log?after=${after}&limit=${EVENTS_AT_ONCE}`)).text());
  const older = found.filter((one) => one.sequence < first);
  if (name === state.name) state.whole = !older.length;
  return older;
}

async function readWhatIf() {
  const rho = state.rho, name = state.name;
  let found = null, refusal = "";
  try {
    if (rho !== null) found = await (await ask(stateOf(name, rho))).json();
  } catch (error) {
    if (error instanceof NoKey) throw error;
    refusal = error.message;  // of a policy that does not know this goal
  }
  if (rho === state.rho && name === state.name) Object.assign(state, { whatIf: found, refusal });
}

// A slider for each number, over what was seen of it, and a list for each feature with levels.
function showFeatures(records) {
  const given = state.events.map((one) => one.data?.features).filter(Boolean);
  state.features = {};
  fill("features", ...records.map((record, k) => {
    const id = `feature-${k}`, line = make("p"), past = given.map((one) => Number(one[record.name])).filter(Number.isFinite);
    line.append(make("label", record.name, { for: id }));
    if (record.levels) {
      const list = make("select", undefined, { id });
      list.append(...record.levels.map((level) => make("option", level, { value: level })));
      state.features = { ...state.features, [record.name]: record.levels[0] };
      list.addEventListener("change", () => setFeature(record.name, list.value));
      line.append(list);
      return line;
    }
    let low = past.length ? Math.min(...past) : 0, high = past.length ? Math.max(...past) : 0;
    if (low === high) [low, high] = [low - record.scale, high + record.scale];
    const middle = past.length ? past.sort((a, b) => a - b)[past.length >> 1] : 0;
    const slider = make("input", undefined, { id, type: "range", min: low, max: high, step: "any", value: middle });
    const now = make("output", shown(middle, 3), { for: id });
    state.features = { ...state.features, [record.name]: middle };
    slider.addEventListener("input", () => { now.textContent = shown(Number(slider.value), 3); setFeature(record.name, Number(slider.value)); });
    slider.addEventListener("keydown", (event) => {  // "any" leaves the steps of the arrow keys to the browser
      const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      if (steps === undefined) return;
      event.preventDefault();
      slider.value = Number(slider.value) + (steps * (high - low)) / 50;
      slider.dispatchEvent(new Event("input"));
    });
    line.append(slider, now);
    return line;
  }));
}

function setFeature(name, value) {
  state.features = { ...state.features, [name]: value };
  clearTimeout(state.soon);
  state.soon = setTimeout(refresh, 150);
}

function percent(share) {
  return share === null ? "–" : `${shown(100 * share, 3)} %`;
}

function goal(seen) {
  if (seen.rho !== null) return `mean times ${shown(seen.rho, 6)} minus variance`;
  const tail = /^cvar(?:[:(](?:level=)?([0-9.]+)\)?)?$/i.exec(seen.risk);
  return tail ? `mean of the worst ${shown(100 * Number(tail[1] ?? 0.05), 3)} % of the rewards` : seen.risk;
}

function bestArm(seen) {
  if (seen.best === null) return "Too little is known to name a best arm.";
  return `Best so far${seen.features === null ? "" : " with these features"}: ${seen.best.arm}, the best in truth with probability ${percent(seen.best.probability)}${seen.best.assured ? "" : ` (not assured: ${seen.features === null ? "few or very skewed rewards" : "true if means are linear in the features"})`}.`;
}

function showBandit() {
  const { seen, whatIf } = state;
  const since = new Date(seen.created).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  at("name").textContent = seen.name;
  at("about").textContent = `Goal: ${goal(seen)} (the more, the better). Policy: ${seen.policy}. Since ${since}.`;
  at("paused").hidden = !seen.paused && !seen.archived;
  at("paused").textContent = seen.archived ? "Archived: no more decisions are made; rewards still count."
    : seen.baseline === null ? "Paused: no decisions are made; rewards still count." : `Paused: only ${seen.baseline} is played.`;
  at("best").textContent = bestArm(seen);
  at("notice").hidden = seen.notice === null;
  at("notice").textContent = seen.notice ?? "";
  fill("tiles", ...[["decisions", "Decisions", seen.decisions], ["rewards", "Rewards", seen.rewards], ["open", "Waiting for a reward", seen.open],
    ["ended", "Expired or withdrawn", seen.expired + seen.forgotten]].map(([id, what, number]) => {
    const tile = make("div");
    tile.append(make("dt", what), make("dd", number.toLocaleString("en"), { id: `tile-${id}` }));
    return tile;
  }));
  showArms(seen, whatIf);
  showWhatIf(seen, whatIf);
  fill("values", intervals((whatIf ?? seen).arms, (whatIf ?? seen).rho, colour));
  showChosen();
  const rewards = state.events.filter((one) => one.kind === "reward" && one.sequence <= seen.sequence), every = Math.ceil(rewards.length / REWARDS_SHOWN);
  fill("stream", stream(rewards.filter((_, k) => (rewards.length - 1 - k) % every === 0), runningMeans(rewards), colour));
  legend("stream-legend", rewards);
  showTotals(seen, rewards);
}

// By arm, the mean of its last rewards after each of them: of so many that chance does not hide drift.
function runningMeans(rewards) {
  const byArm = new Map();
  for (const one of rewards) {
    if (!byArm.has(one.arm)) byArm.set(one.arm, { arm: one.arm, count: 0, last: [], sum: 0, points: [] });
    byArm.get(one.arm).count += 1;
  }
  for (const one of rewards) {
    const found = byArm.get(one.arm);
    found.last.push(one.reward);
    found.sum += one.reward;
    if (found.last.length > Math.max(MEAN_OF, found.count / MEANS)) found.sum -= found.last.shift();
    if (found.last.length >= MEAN_FROM) found.points.push({ time: one.time, mean: found.sum / found.last.length });
  }
  const thinned = (points) => points.filter((_, k) => (points.length - 1 - k) % Math.ceil(points.length / LINE_POINTS) === 0);
  return [...byArm.values()].filter((one) => one.points.length > 1 && !isOther(one.arm)).map((one) => ({ ...one, points: thinned(one.points) }));
}

function showTotals(seen, rewards) {
  const names = seen.arms.filter((arm) => !arm.retired).map((arm) => arm.name);
  if (!names.includes(state.baseline)) state.baseline = seen.baseline ?? names[0] ?? null;
  const known = [...at("baseline").options].map((one) => one.value);
  if (known.join("\n") !== names.join("\n")) fill("baseline", ...names.map((name) => make("option", name, { value: name })));
  at("baseline").value = state.baseline ?? "";
  const arm = seen.features === null ? seen.arms.find((one) => one.name === state.baseline) : asTheyCame(state.baseline, rewards);
  const mean = arm?.mean ?? null;
  const sure = mean !== null && arm.rewards >= ENOUGH && arm.variance > 0, error = sure ? 1.96 * Math.sqrt(arm.variance / arm.rewards) : null;
  let { n, total } = before(seen, rewards);
  const every = Math.max(1, Math.ceil(rewards.length / TOTALS_SHOWN)), all = n + rewards.length === seen.rewards;
  const points = rewards.map((one) => {
    total += one.reward;
    n += 1;
    const low = sure ? n * (mean - error) : null, high = sure ? n * (mean + error) : null;
    return { time: one.time, total, baseline: mean === null ? null : n * mean, low, high };
  }).filter((_, k) => k % every === 0 || k === rewards.length - 1);
  fill("totals", totals(points, colour, state.baseline));
  at("totals-words").textContent = points.length ? totalsInWords(points[points.length - 1], n, all ? "so far" : "shown", sure) : "";
}

// Number and sum of the rewards before those that are shown, where the arms' means have them all.
function before(seen, rewards) {
  const counted = seen.arms.reduce((n, arm) => n + arm.rewards, 0), n = counted - rewards.length;
  if (n === 0 || counted !== seen.rewards || seen.features !== null) return { n: 0, total: 0 };
  const sum = seen.arms.reduce((total, arm) => total + arm.rewards * (arm.mean ?? 0), 0);
  return { n, total: sum - rewards.reduce((total, one) => total + one.reward, 0) };
}

// The moments of an arm over all its decisions shown, whatever their features.
function asTheyCame(arm, rewards) {
  const mine = rewards.filter((one) => one.arm === arm).map((one) => one.reward), n = mine.length;
  const mean = n ? mine.reduce((sum, one) => sum + one, 0) / n : null;
  return { rewards: n, mean, variance: n ? mine.reduce((sum, one) => sum + (one - mean) ** 2, 0) / n : null };
}

function totalsInWords(last, n, which, sure) {
  const sum = n === 1 ? `The one reward ${which} is ${shown(last.total, 6)}.` : `The ${n.toLocaleString("en")} rewards ${which} sum to ${shown(last.total, 6)}.`;
  if (last.baseline === null) return `${sum} ${state.baseline ?? "The baseline"} has no rewards to compare with.`;
  const range = sure ? `95 %: ${shown(last.low)} to ${shown(last.high)}` : "its rewards are too few, or all the same, for an interval";
  return `${sum} Always playing ${state.baseline} would have brought about ${shown(last.baseline)} (${range})${state.seen.features === null ? "" : ", if the decisions for which it was chosen are like the others"}.`;
}

function showArms(seen, whatIf) {
  at("what-if-head").textContent = whatIf === null ? "What if" : `At rho ${shown(state.rho, 3)}`;
  const others = new Map((whatIf?.arms ?? []).map((arm) => [arm.name, arm]));
  at("arms-table").classList.toggle("no-what-if", whatIf === null);
  const listed = (seen.arms.length > COLOURS ? mostChosen(seen.arms) : seen.arms).slice(0, ARMS_SHOWN);
  at("arms-note").textContent = seen.arms.length > COLOURS ? `${seen.arms.length.toLocaleString("en")} arms, the most chosen first${seen.arms.length > ARMS_SHOWN ? `; only ${ARMS_SHOWN} are shown` : ""}.` : "";
  fill("arms", ...listed.map((arm) => {
    const line = make("tr", undefined, { class: `${arm.retired ? "retired" : ""} ${arm.name === seen.best?.arm ? "best" : ""}`.trim() });
    const name = make("th", undefined, { scope: "row" });
    name.append(make("span", "", { class: `key ${colour(arm.name)}` }), arm.name, arm.retired ? " (retired)" : "");
    const other = others.get(arm.name);
    const range = arm.low === null ? "–" : `${shown(arm.low, 3)} … ${shown(arm.high, 3)}${arm.assured ? "" : " *"}`;
    const cells = [arm.rewards.toLocaleString("en"), percent(arm.share), shown(arm.mean), shown(arm.variance), shown(arm.value),
      range, other ? shown(other.value) : "–", arm.outstanding];
    line.append(name, ...cells.map((cell) => make("td", String(cell))));
    return line;
  }));
}

function showWhatIf(seen, whatIf) {
  const rho = state.rho ?? seen.rho;
  if (state.rho === null) {
    const power = seen.rho > 0 ? Math.log10(seen.rho) : 0;
    at("rho").min = Math.min(-3, Math.floor(power) - 1);
    at("rho").max = Math.max(6, Math.ceil(power) + 1);
    at("rho").value = power;
  }
  at("rho-now").textContent = rho === null ? "–" : shown(rho, 3);
  at("rho-back").disabled = state.rho === null;
  at("rho-apply").hidden = state.role !== "admin" || seen.rho === null;
  at("rho-apply").disabled = state.rho === null || state.rho === seen.rho;
  const best = whatIf?.best;
  at("what-if").textContent = whatIf === null
    ? state.refusal || `Move the slider to see which arm would be best ${seen.rho === null ? "if the goal were rho times the mean minus the variance" : "for another rho"}.`
    : best ? `At rho ${shown(state.rho, 3)} the best arm would probably be ${best.arm}, with probability ${percent(best.probability)}.`
      : "Too little is known to name a best arm.";
  fill("cloud", cloud(seen.arms, rho, colour, isOther));
}

function showChosen() {
  const decisions = state.events.filter((one) => one.kind === "decision"), other = "other arms";
  const group = (name) => (isOther(name) ? null : name);
  const groups = [...new Set([...state.colours.keys()].map(group))], size = Math.max(1, Math.ceil(decisions.length / PIECES));
  const columns = [], times = [];
  for (let from = 0; from < decisions.length; from += size) {
    const part = decisions.slice(from, from + size);
    columns.push(groups.map((name) => part.filter((one) => group(one.arm) === name).length / part.length));
    times.push(part[part.length - 1].time);
  }
  fill("chosen", shares(groups.map((name) => name ?? other), columns, times, colour));
  legend("chosen-legend", decisions);
}

function showOpenDecisions(decisions) {
  const { open } = state.seen;
  at("open-decisions-count").textContent = open === 0 ? "No decision waits for its reward."
    : `${open} ${open === 1 ? "decision waits" : "decisions wait"} for a reward${open > OPEN_SHOWN ? `; the oldest ${OPEN_SHOWN}` : ""}`;
  fill("open-decisions", ...decisions.map((one) => {
    const seconds = Math.max(0, (Date.parse(one.expires) - Date.now()) / 1000);
    const left = seconds > 172800 ? `${shown(seconds / 86400, 2)} days` : seconds > 7200 ? `${shown(seconds / 3600, 2)} h` : seconds > 120 ? `${shown(seconds / 60, 2)} min` : `${Math.round(seconds)} s`;
    return make("li", `${one.arm} – ${one.id}, expires in ${left}`);
  }));
}

async function refresh() {
  if (state.busy || state.key === null) return;
  state.busy = true;
  try {
    if (state.round % 4 === 0 || state.name === null) await listBandits();
    state.round += 1;
    at("content").hidden = false;
    at("key-form").hidden = true;
    if (state.name !== null) await readBandit();
    at("bandit").hidden = state.seen === null;
    at("status").textContent = `As of ${new Date().toLocaleTimeString("en-GB")}`;
  } catch (error) {
    if (error instanceof NoKey) {
      sessionStorage.removeItem("riskbandits-key");
      state.key = null;
      showKeyForm("This key is not known. Enter another one.");
    } else {
      at("status").textContent = `${error.message} Trying again.`;
    }
  } finally {
    state.busy = false;
  }
}

function showKeyForm(words) {
  at("content").hidden = true;
  at("key-form").hidden = false;
  at("status").textContent = words;
  at("key").focus();
}

at("key-form").addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem("riskbandits-key", at("key").value.trim());
  at("key").value = "";
  state.key = sessionStorage.getItem("riskbandits-key");
  refresh();
});
at("rho").addEventListener("input", () => {
  state.rho = Number((10 ** Number(at("rho").value)).toPrecision(3));
  if (state.seen === null) return;
  showWhatIf(state.seen, state.whatIf);
  clearTimeout(state.later);
  state.later = setTimeout(async () => {
    try { await readWhatIf(); if (state.seen !== null) showBandit(); } catch { refresh(); }
  }, 150);
});
at("rho-back").addEventListener("click", () => { state.rho = null; state.whatIf = null; if (state.seen !== null) showBandit(); at("rho").focus(); });
at("rho-apply").addEventListener("click", async () => {
  const rho = state.rho;
  try {
    const body = JSON.stringify({ risk: `mean-variance:${rho}` });
    await ask(place(state.name), { method: "PATCH", body, headers: { "Content-Type": "application/json" } });
    Object.assign(state, { rho: null, whatIf: null });
    await refresh();
    at("what-if").textContent = `Applied: decisions now follow rho ${shown(rho, 6)}.`;
    at("rho").focus();
  } catch (error) { at("what-if").textContent = error.message; }
});
at("baseline").addEventListener("change", () => { state.baseline = at("baseline").value; if (state.seen !== null) showBandit(); });
matchMedia("(max-width: 50rem)").addEventListener("change", () => { if (state.seen !== null) showBandit(); });
window.addEventListener("hashchange", () => { readAddress(); state.round = 0; refresh(); });
setInterval(() => { if (!document.hidden) refresh(); }, EVERY);
readAddress();
if (state.key === null) showKeyForm("Enter your key.");
else refresh();
