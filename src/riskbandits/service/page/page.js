// The page: polls the service and shows its state. Names come from anybody: they are only ever text.
import { cloud, intervals, shares, shown, stream } from "./charts.js";

const EVERY = 1500, EVENTS_KEPT = 3000, REWARDS_SHOWN = 500, PIECES = 40, OPEN_SHOWN = 20, COLOURS = 8;
const at = (id) => document.getElementById(id);
const state = { key: null, name: null, seen: null, events: [], colours: new Map(), rho: null, whatIf: null, round: 0, busy: false };

class NoKey extends Error {}

async function ask(path, options = {}) {
  const answer = await fetch(path, { ...options, headers: { Authorization: `Bearer ${state.key}` }, cache: "no-store" });
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
  Object.assign(state, { name, seen: null, events: [], rho: null, whatIf: null });
  state.colours.clear();
}

async function listBandits() {
  const { bandits } = await (await ask("v1/bandits")).json();
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
  state.events = state.events.concat(text.split("\n").filter(Boolean).map((line) => JSON.parse(line))).slice(-EVENTS_KEPT);
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

function showBandit() {
  const { seen, whatIf } = state;
  at("name").textContent = seen.name;
  at("about").textContent = `Policy ${seen.policy}, goal ${seen.risk}, since ${seen.created.slice(0, 16).replace("T", " ")} UTC`;
  at("best").textContent = seen.best === null
    ? "Too little is known to name a best arm."
    : `Probably best: ${seen.best.arm}, with probability ${percent(seen.best.probability)}.`;
  at("notice").hidden = seen.notice === null;
  at("notice").textContent = seen.notice ?? "";
  fill("tiles", ...[["Decisions", seen.decisions], ["Rewards", seen.rewards], ["Open", seen.open], ["Given up", seen.expired + seen.forgotten]]
    .map(([what, number]) => {
      const tile = make("div");
      tile.append(make("dt", what), make("dd", number.toLocaleString("en"), { id: `tile-${what.toLowerCase().replace(" ", "-")}` }));
      return tile;
    }));
  showArms(seen, whatIf);
  showWhatIf(seen, whatIf);
  fill("values", intervals((whatIf ?? seen).arms, colour));
  showChosen();
  fill("stream", stream(state.events.filter((one) => one.kind === "reward").slice(-REWARDS_SHOWN), colour));
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
      arm.low === null ? "–" : `${shown(arm.low, 3)} … ${shown(arm.high, 3)}`, other ? shown(other.value) : "–", arm.outstanding];
    line.append(name, ...cells.map((cell) => make("td", String(cell))));
    return line;
  }));
}

function showWhatIf(seen, whatIf) {
  const rho = state.rho ?? seen.rho;
  if (state.rho === null) at("rho").value = seen.rho === null ? 0 : Math.log10(Math.max(0.01, seen.rho));
  at("rho-now").textContent = rho === null ? "–" : shown(rho, 3);
  at("rho-back").disabled = state.rho === null;
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
  const columns = [], ends = [];
  for (let from = 0; from < decisions.length; from += size) {
    const part = decisions.slice(from, from + size);
    columns.push(names.map((name) => part.filter((one) => one.arm === name).length / part.length));
    ends.push(part[part.length - 1].sequence);
  }
  fill("chosen", shares("Shares of the arms among recent decisions", names, columns, ends, colour));
}

function showOpenDecisions(decisions) {
  const { open } = state.seen;
  at("open-decisions-count").textContent = open === 0 ? "Nothing."
    : open > OPEN_SHOWN ? `${open} decisions; the oldest ${OPEN_SHOWN}:` : `${open} decisions:`;
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
window.addEventListener("hashchange", () => { readAddress(); state.round = 0; refresh(); });
setInterval(() => { if (!document.hidden) refresh(); }, EVERY);
readAddress();
if (state.key === null) showKeyForm("Enter your key.");
else refresh();
