"use strict";
// The page: what is set, what was played, and who is told when something changes.
const MANIFEST = JSON.parse(document.getElementById("manifest").textContent);
const MOST_ARMS = 15, FEWEST_ARMS = 2;
const PATIENCE = 180; // milliseconds without a change before runs begin
const element = (name) => document.getElementById(name);
const seed = () => Math.trunc(Number(element("seed").value)) || 0;

// Inside another page: playground.html?embed shows the plane, rho and the curves, and nothing else.
if (new URLSearchParams(location.search).has("embed")) document.documentElement.classList.add("embed");

const paper = MANIFEST.paper.means.map((mean, k) => ({ mean, variance: MANIFEST.paper.variances[k] }));
const setting = { family: "gaussian", rho: 1, arms: paper };
const ticked = new Set(MANIFEST.policies.filter((policy) => policy.ticked).map((policy) => policy.label));
let results = new Map();
let extent = null;
let number = 0; // of the order that workers are at
let code, engine, steps, waiting;
const workers = [];
const plane = new Plane(element("plane"), moved);

// The compiled module travels in the page as compressed text.
async function unpacked() {
  const bytes = Uint8Array.from(atob(element("module").textContent.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

function problem() {
  const means = setting.arms.map((arm) => arm.mean);
  const variances = setting.arms.map(({ mean, variance }) => (setting.family === "bernoulli" ? mean * (1 - mean) : variance));
  return { means, variances, rho: setting.rho, family: setting.family };
}

function offered() {
  return MANIFEST.policies.filter((policy) => policy.families.includes(setting.family));
}

function moved(k, mean, variance) {
  if (mean === null) {
    if (setting.arms.length <= FEWEST_ARMS) return;
    setting.arms = setting.arms.filter((_, i) => i !== k);
  } else {
    setting.arms = setting.arms.map((arm, i) => (i === k ? { mean, variance } : arm));
  }
  changed();
}

// Something is set otherwise: draw it now, and play when it stays so.
function changed() {
  drawSetting();
  number++;
  element("status").textContent = "…";
  clearTimeout(waiting);
  waiting = setTimeout(play, PATIENCE);
}

function drawSetting() {
  const now = problem();
  const facts = armFacts(engine, now);
  const arms = now.means.map((mean, k) => ({ mean, variance: now.variances[k] }));
  plane.draw({ arms, family: setting.family, rho: setting.rho, facts });
  element("rho").value = Math.log10(setting.rho);
  element("rho-shown").textContent = short(setting.rho);
  element("rho").setAttribute("aria-valuetext", `rho ${short(setting.rho)}`);
  element("best-shown").textContent =
    `The best is arm ${facts.best}: mean ${short(now.means[facts.best])}, variance ${short(now.variances[facts.best])}.`;
  element(setting.family).checked = true;
  element("sales").hidden = setting.family !== "hurdle";
  if (setting.family === "hurdle") {
    const { amounts, probabilities } = salesOf(now.means, now.variances);
    element("sales").textContent =
      amounts.map((amount, k) => `${k ? "arm" : "Arm"} ${k} pays ${short(amount)} with probability ${short(probabilities[k])}`).join("; ") + "; otherwise 0.";
  }
  element("add").disabled = setting.arms.length >= MOST_ARMS;
  element("remove").disabled = setting.arms.length <= FEWEST_ARMS;
}

function drawPolicies() {
  const rows = offered().map((policy) => {
    const label = document.createElement("label");
    label.title = policy.about;
    const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: ticked.has(policy.label) });
    box.value = policy.label;
    box.addEventListener("change", () => {
      if (box.checked) ticked.add(policy.label);
      else ticked.delete(policy.label);
      changed();
    });
    label.append(box, swatch(policy), ` ${policy.label}`);
    return label;
  });
  element("policies").replaceChildren(...rows);
  element("abouts").replaceChildren(...offered().map(about));
  const choice = element("step-policy");
  const before = choice.value;
  choice.replaceChildren(...offered().map((policy) => new Option(policy.label)));
  if (offered().some((policy) => policy.label === before)) choice.value = before;
}

function about(policy) {
  const part = document.createElement("div");
  const [name, words] = ["dt", "dd"].map((kind) => document.createElement(kind));
  name.textContent = policy.label;
  words.textContent = policy.about;
  part.append(name, words);
  return part;
}

function swatch(policy) {
  const svg = document.createElementNS(SVG, "svg");
  for (const [name, value] of Object.entries({ width: 26, height: 8, class: "sample", "aria-hidden": "true" })) svg.setAttribute(name, value);
  drawn(svg, "line", { x1: 1, x2: 25, y1: 4, y2: 4, stroke: colour(policy), "stroke-dasharray": policy.dash.join(" "), class: "line" });
  return svg;
}

// Every ticked policy is an order; workers take them one after the other.
function play() {
  const horizon = Number(element("horizon").value), runs = Number(element("runs").value);
  extent = { horizon, runs, checkpoints: checkpointsUntil(horizon, 100) };
  results = new Map();
  const queue = offered().filter((policy) => ticked.has(policy.label));
  const begun = performance.now();
  const mine = number;
  let open = queue.length;
  const give = (worker) => {
    const policy = queue.shift();
    if (!policy) return;
    worker.onmessage = ({ data }) => {
      if (data.number !== number) return;
      results.set(policy.label, { ...data, policy });
      requestDrawing();
      if (!data.done && !data.failed) return;
      open--;
      if (open === 0) finished(mine, performance.now() - begun);
      give(worker);
    };
    worker.postMessage({ number: mine, module: code, manifest: MANIFEST, policy, problem: problem(), extent, seed: seed() });
  };
  element("status").textContent = queue.length ? "Playing …" : "Tick a policy.";
  requestDrawing();
  for (const worker of workers) give(worker);
  startSteps();
}

function finished(mine, milliseconds) {
  if (mine !== number) return;
  element("status").textContent =
    `${extent.runs} runs of ${extent.horizon} steps for each policy, in ${(milliseconds / 1000).toFixed(1)} s.`;
  document.body.dataset.finished = String(mine);
}

let drawing = false;
function requestDrawing() {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => {
    drawing = false;
    drawResults();
  });
}

function drawResults() {
  const all = offered().map((policy) => results.get(policy.label)).filter((result) => result);
  const shown = all.filter((result) => !result.failed);
  drawRegret(element("regret"), shown, extent, element("band").value);
  element("results").replaceChildren(...all.map((result) => (result.failed ? failedRow(result) : resultRow(result))));
  element("legend").replaceChildren(...shown.map(({ policy }) => {
    const part = document.createElement("span");
    part.append(swatch(policy), ` ${policy.label}`);
    return part;
  }));
}

// Until all steps are played its numbers are those of a shorter run: marked so, and by the step that they belong to.
function resultRow({ policy, rows, pulls, best, wrong, done }) {
  const row = Object.assign(document.createElement("tr"), { className: done ? "" : "preliminary" });
  const [mean, error] = rows[rows.length - 1];
  const steps = extent.checkpoints[rows.length - 1];
  const name = Object.assign(document.createElement("th"), { scope: "row" });
  name.append(swatch(policy), ` ${policy.label}${done ? "" : ` (so far, at step ${steps})`}`);
  const cell = (text) => Object.assign(document.createElement("td"), { className: "number", textContent: text });
  const picture = document.createElement("td");
  const svg = drawn(picture, "svg", { class: "pulls", role: "img" });
  svg.setAttribute("aria-label", pulls.map((one, k) => `arm ${k}: ${short(one)}`).join(", "));
  drawPulls(svg, pulls, best, steps);
  row.append(name, cell(`${short(mean)} ± ${short(error)}`), cell(`${Math.round((100 * pulls[best]) / steps)} %`));
  row.append(cell(wrong === null ? "…" : `${Math.round(100 * wrong)} %`), picture);
  return row;
}

function failedRow({ policy, failed }) {
  const row = document.createElement("tr");
  const name = Object.assign(document.createElement("th"), { scope: "row" });
  name.append(swatch(policy), ` ${policy.label}`);
  row.append(name, Object.assign(document.createElement("td"), { colSpan: 4, textContent: failed }));
  return row;
}

function startSteps() {
  const policy = MANIFEST.policies.find(({ label }) => label === element("step-policy").value);
  return steps.start(policy, problem(), Number(element("horizon").value), seed());
}

// Settings that the text speaks of.
const SCENES = {
  calm: { rho: 0.01, arms: paper, policies: ["MVTS", "NGTS", "SwitchingAware", "RiskBlind(UCB1)"] },
  daring: { rho: 100, arms: paper, policies: ["MVTS", "VTS", "NGTS"] },
  tie: {
    rho: 1, arms: [{ mean: 0.1, variance: 0.05 }, { mean: 0.9, variance: 0.84 }, { mean: 0.5, variance: 0.7 }],
    policies: ["MVTS", "NGTS", "SwitchingAware"],
  },
  sales: {
    rho: 5, family: "hurdle",
    arms: [{ mean: 0.1, variance: 0.04 }, { mean: 0.25, variance: 1.1875 }, { mean: 0.5, variance: 0.5 }],
    policies: ["NGTS", "HurdleTS", "KLUCBMV"],
  },
};

function show(scene) {
  Object.assign(setting, { family: scene.family || "gaussian", rho: scene.rho, arms: scene.arms });
  element("horizon").value = "3000";
  for (const policy of MANIFEST.policies) if (!policy.own) ticked.delete(policy.label);
  for (const label of scene.policies) ticked.add(label);
  drawPolicies();
  changed();
  element("setting").scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
}

function listen() {
  element("rho").addEventListener("input", () => {
    setting.rho = Number((10 ** Number(element("rho").value)).toPrecision(3));
    changed();
  });
  for (const name of ["horizon", "runs", "seed"]) element(name).addEventListener("change", changed);
  element("band").addEventListener("change", requestDrawing);
  for (const name of MANIFEST.families)
    element(name).addEventListener("change", () => {
      setting.family = name;
      const [low, high] = reachOf(name).x;
      setting.arms = setting.arms.map(({ mean, variance }) => ({ mean: Math.min(high, Math.max(low, mean)), variance }));
      drawPolicies();
      changed();
    });
  element("add").addEventListener("click", () => {
    setting.arms = [...setting.arms, { mean: 0.5, variance: 0.5 }];
    changed();
  });
  element("remove").addEventListener("click", () => moved(setting.arms.length - 1, null, null));
  element("papers").addEventListener("click", () => {
    setting.arms = paper;
    changed();
  });
  element("again").addEventListener("click", () => {
    element("seed").value = seed() + 1;
    changed();
  });
  for (const button of document.querySelectorAll("[data-scene]")) button.addEventListener("click", () => show(SCENES[button.dataset.scene]));
  element("step-policy").addEventListener("change", startSteps);
  element("restart").addEventListener("click", startSteps);
  element("step-one").addEventListener("click", () => steps.forward(1));
  element("step-many").addEventListener("click", () => steps.forward(50));
  element("step-play").addEventListener("click", () => steps.toggle());
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) return; // on phones the height changes as one scrolls
    width = innerWidth;
    drawSetting();
    requestDrawing();
    steps.show();
  });
}

async function begin() {
  code = await unpacked();
  engine = new Engine(await WebAssembly.instantiate(code, {}), MANIFEST);
  const source = element("engine").textContent + element("worker").textContent;
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  for (let i = 0; i < Math.max(1, Math.min(4, navigator.hardwareConcurrency || 1)); i++) workers.push(new Worker(address));
  const shown = { plane: element("step-plane"), rows: element("step-rows"), said: element("step-said"), play: element("step-play") };
  steps = new Steps(shown, code, MANIFEST);
  drawPolicies();
  listen();
  changed();
}

begin().catch((error) => {
  element("status").textContent = `This browser cannot run the page: ${error.message}`;
});
