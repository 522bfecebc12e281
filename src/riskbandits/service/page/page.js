// The page: polls the service and shows its state. Names come from anybody: they are only ever text.
import { cloud, intervals, shares, shown, stream, totals } from "./charts.js";

const EVERY = 1500, EVENTS_KEPT = 6000, REWARDS_SHOWN = 500, PIECES = 40, OPEN_SHOWN = 20, COLOURS = 8, MEAN_OF = 30, MEAN_FROM = 5, TOTALS_SHOWN = 200;
const at = (id) => document.getElementById(id);
const state = { key: null, name: null, seen: null, events: [], colours: new Map(), rho: null, whatIf: null, baseline: null, role: null, round: 0, busy: false };

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

function colour(arm) {
  if (!state.colours.has(arm)) state.colours.set(arm, `c${Math.min(state.colours.size, COLOURS - 1)}`);
  return state.colours.get(arm);
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
  Object.assign(state, { name, seen: null, events: [], rho: null, whatIf: null, baseline: null });
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
      line.append(make("a", one.name, { href: `#bandit=${encodeURIComponent(one.name)}` }));
      return line;
    }));
  }
  for (const link of document.querySelectorAll("#bandits a")) {
    if (link.textContent === state.name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  at("nothing").hidden = bandits.length > 0;
  at("bandit").hidden = state.name === null;
}

async function readBandit() {
  const name = state.name;
  const seen = await (await ask(place(name))).json();
  const after = state.events.length ? state.events[state.events.length - 1].sequence : Math.max(0, seen.sequence - EVENTS_KEPT);
  const text = after < seen.sequence ? await (await ask(`${place(name)}/log?after=${after}`)).text() : "";
  const { decisions } = await (await ask(`${place(name)}/decisions?limit=${OPEN_SHOWN}`)).json();
  if (name !== state.name) return;
  state.seen = seen;
  state.events = state.events.concat(text.split("\n").filter(Boolean).map((line) => JSON.parse(line)).map((one) => ({ ...one, time: Date.parse(one.at) }))).slice(-EVENTS_KEPT);
  for (const arm of seen.arms) colour(arm.name);
  await readWhatIf();
  if (name !== state.name) return;
  showBandit();
  showOpenDecisions(decisions);
}

async function readWhatIf() {
  const rho = state.rho, name = state.name;
  if (rho === null) { state.whatIf = null; return; }
  const found = await (await ask(`${place(name)}?risk=mean-variance:${rho}`)).json();
  if (rho === state.rho && name === state.name) state.whatIf = found;
}

function percent(share) {
  return share === null ? "–" : `${shown(100 * share, 3)} %`;
}

function goal(seen) {
  return seen.rho === null ? seen.risk : `mean times ${shown(seen.rho, 6)} minus variance`;
}

function showBandit() {
  const { seen, whatIf } = state;
  const since = new Date(seen.created).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  at("name").textContent = seen.name;
  at("about").textContent = `Goal: ${goal(seen)} (the more, the better). Policy: ${seen.policy}. Since ${since}.`;
  at("paused").hidden = !seen.paused && !seen.archived;
  at("paused").textContent = seen.archived ? "Archived: no more decisions are made."
    : seen.baseline === null ? "Paused: no decisions are made; rewards still count." : `Paused: only ${seen.baseline} is played.`;
  at("best").textContent = seen.best === null
    ? "Too little is known to name a best arm."
    : `Probably best: ${seen.best.arm}, with probability ${percent(seen.best.probability)}${seen.best.assured ? "" : " (not assured: few or very skewed rewards)"}.`;
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
  fill("values", intervals((whatIf ?? seen).arms, colour));
  showChosen();
  const rewards = state.events.filter((one) => one.kind === "reward");
  fill("stream", stream(rewards.slice(-REWARDS_SHOWN), runningMeans(rewards), colour));
  showTotals(seen, rewards);
}

// By arm, the mean of its last rewards after each of them.
function runningMeans(rewards) {
  const byArm = new Map();
  for (const one of rewards) {
    if (!byArm.has(one.arm)) byArm.set(one.arm, { arm: one.arm, last: [], sum: 0, points: [] });
    const found = byArm.get(one.arm);
    found.last.push(one.reward);
    found.sum += one.reward;
    if (found.last.length > MEAN_OF) found.sum -= found.last.shift();
    if (found.last.length >= MEAN_FROM) found.points.push({ time: one.time, mean: found.sum / found.last.length });
  }
  return [...byArm.values()].filter((one) => one.points.length > 1);
}

function showTotals(seen, rewards) {
  const names = seen.arms.filter((arm) => !arm.retired).map((arm) => arm.name);
  if (!names.includes(state.baseline)) state.baseline = seen.baseline ?? names[0] ?? null;
  const known = [...at("baseline").options].map((one) => one.value);
  if (known.join("\n") !== names.join("\n")) fill("baseline", ...names.map((name) => make("option", name, { value: name })));
  at("baseline").value = state.baseline ?? "";
  const arm = seen.arms.find((one) => one.name === state.baseline), mean = arm?.mean ?? null;
  const error = mean === null ? null : 1.96 * Math.sqrt(arm.variance / arm.rewards);
  let total = 0;
  const every = Math.max(1, Math.ceil(rewards.length / TOTALS_SHOWN));
  const points = rewards.map((one, k) => {
    total += one.reward;
    const n = k + 1;
    return mean === null ? { time: one.time, total, baseline: null }
      : { time: one.time, total, baseline: n * mean, low: n * (mean - error), high: n * (mean + error) };
  }).filter((_, k) => k % every === 0 || k === rewards.length - 1);
  fill("totals", totals(points, colour, state.baseline));
  const last = points[points.length - 1], n = rewards.length;
  at("totals-words").textContent = !last ? "" : last.baseline === null ? `The ${n} rewards shown sum to ${shown(total)}. ${state.baseline ?? "The baseline"} has no rewards to compare with.`
    : `The ${n} rewards shown sum to ${shown(total)}. Always playing ${state.baseline} would have brought about ${shown(last.baseline)} (95 %: ${shown(last.low)} to ${shown(last.high)}).`;
}

function showArms(seen, whatIf) {
  at("what-if-head").textContent = whatIf === null ? "What if" : `At rho ${shown(state.rho, 3)}`;
  const others = new Map((whatIf?.arms ?? []).map((arm) => [arm.name, arm]));
  fill("arms", ...seen.arms.map((arm) => {
    const line = make("tr", undefined, { class: `${arm.retired ? "retired" : ""} ${arm.name === seen.best?.arm ? "best" : ""}`.trim() });
    const name = make("th", undefined, { scope: "row" });
    name.append(make("span", "", { class: `key ${colour(arm.name)}` }), arm.name, arm.retired ? " (retired)" : "");
    const other = others.get(arm.name);
    const cells = [arm.rewards, percent(arm.share), shown(arm.mean), shown(arm.variance), shown(arm.value),
      arm.low === null ? "–" : `${shown(arm.low, 3)} … ${shown(arm.high, 3)}${arm.assured ? "" : " *"}`, other ? shown(other.value) : "–", arm.outstanding];
    line.append(name, ...cells.map((cell) => make("td", String(cell))));
    return line;
  }));
}

function showWhatIf(seen, whatIf) {
  const rho = state.rho ?? seen.rho;
  if (state.rho === null) at("rho").value = seen.rho === null ? 0 : Math.log10(Math.max(0.001, seen.rho));
  at("rho-now").textContent = rho === null ? "–" : shown(rho, 3);
  at("rho-back").disabled = state.rho === null;
  at("rho-apply").hidden = state.role !== "admin";
  at("rho-apply").disabled = state.rho === null || state.rho === seen.rho;
  const best = whatIf?.best;
  at("what-if").textContent = whatIf === null
    ? "Move the slider to see which arm would be best for another rho."
    : best ? `At rho ${shown(state.rho, 3)} the best arm would probably be ${best.arm}, with probability ${percent(best.probability)}.`
      : "Too little is known.";
  fill("cloud", cloud(seen.arms, rho, colour));
}

function showChosen() {
  const decisions = state.events.filter((one) => one.kind === "decision");
  const names = [...state.colours.keys()], size = Math.max(1, Math.ceil(decisions.length / PIECES));
  const columns = [], times = [];
  for (let from = 0; from < decisions.length; from += size) {
    const part = decisions.slice(from, from + size);
    columns.push(names.map((name) => part.filter((one) => one.arm === name).length / part.length));
    times.push(part[part.length - 1].time);
  }
  fill("chosen", shares(names, columns, times, colour));
}

function showOpenDecisions(decisions) {
  const { open } = state.seen;
  at("open-decisions-count").textContent = open === 0 ? "No decision waits for its reward."
    : `${open} ${open === 1 ? "decision waits" : "decisions wait"} for a reward${open > OPEN_SHOWN ? `; the oldest ${OPEN_SHOWN}` : ""}`;
  fill("open-decisions", ...decisions.map((one) => {
    const seconds = Math.max(0, (Date.parse(one.expires) - Date.now()) / 1000);
    const left = seconds > 7200 ? `${shown(seconds / 3600, 2)} h` : seconds > 120 ? `${shown(seconds / 60, 2)} min` : `${Math.round(seconds)} s`;
    return make("li", `${one.arm} – ${one.id}, expires in ${left}`);
  }));
}

async function refresh() {
  if (state.busy || state.key === null) return;
  state.busy = true;
  try {
    if (state.round % 4 === 0 || state.name === null) await listBandits();
    state.round += 1;
    if (state.name !== null) await readBandit();
    at("content").hidden = false;
    at("key-form").hidden = true;
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
    try { await readWhatIf(); if (state.seen !== null) showBandit(); } catch (error) { at("what-if").textContent = error.message; }
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
