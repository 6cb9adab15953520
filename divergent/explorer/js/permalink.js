// The view as an address: everything after the #, to be sent or cited.

import { TABS } from "./drawer.js";

export const COLOURS = ["species", "score", "quality"];
export const LAYERS = ["points", "density", "elites"];

/** The state of the view as the text after #. Evaluations are counted from 1. */
export function toHash(state) {
  const parts = new URLSearchParams();
  parts.set("t", Math.floor(state.clock.moment));
  parts.set("colour", state.colour);
  if (state.layer !== "points") parts.set("layer", state.layer);
  if (state.memory) parts.set("memory", 1);
  if (state.tab !== defaultTab(state.individual !== null)) parts.set("tab", state.tab);
  if (state.focus) parts.set("focus", state.focus + 1);
  if (state.individual !== null) {
    parts.set("run", state.run + 1);
    parts.set("individual", state.individual + 1);
    if (state.lineage.tip !== state.individual) parts.set("of", state.lineage.tip + 1);
    if (state.drive) parts.set("step", state.step);
  }
  if (state.pinned) parts.set("species", `${state.pinned.run + 1}.${state.pinned.id}`);
  if (state.view.zoom > 1) parts.set("view", [state.view.x, state.view.y, state.view.zoom].map(short).join("_"));
  if (state.brush) parts.set("brush", [state.brush.run + 1, ...state.brush.box].map(short).join("_"));
  if (state.plane) parts.set("plane", state.plane.map((dimension) => dimension + 1).join("_"));
  parts.set("speed", state.clock.speed);
  if (state.theme !== "auto") parts.set("theme", state.theme);
  return `#${parts}`;
}

/** The tab that an address without one opens. */
function defaultTab(hasIndividual) {
  return hasIndividual ? "individual" : "run";
}

function short(number) {
  return Number(number.toPrecision(5));
}

/** The part of a # text that is valid for these runs. */
export function fromHash(hash, runs, speeds) {
  const parts = new URLSearchParams(hash.slice(1));
  const integer = (name) => (parts.has(name) ? Math.floor(Number(parts.get(name))) : NaN);
  const view = { memory: parts.get("memory") === "1" };
  if (integer("t") >= 1) view.moment = integer("t");
  if (COLOURS.includes(parts.get("colour"))) view.colour = parts.get("colour");
  view.layer = LAYERS.includes(parts.get("layer")) ? parts.get("layer") : "points";
  if (runs[integer("focus") - 1]) view.focus = integer("focus") - 1;
  if (speeds.includes(Number(parts.get("speed")))) view.speed = Number(parts.get("speed"));
  if (["light", "dark"].includes(parts.get("theme"))) view.theme = parts.get("theme");
  const run = runs[(integer("run") || 1) - 1];
  if (run && integer("individual") >= 1 && integer("individual") <= run.count) {
    view.run = run.index;
    view.individual = integer("individual") - 1;
    view.of = integer("of") >= 1 && integer("of") <= run.count ? integer("of") - 1 : view.individual;
    view.step = integer("step") >= 0 ? integer("step") : 0;
  }
  view.tab = TABS.includes(parts.get("tab")) ? parts.get("tab") : defaultTab(view.individual !== undefined);
  readRegions(parts, runs, view);
  return view;
}

function readRegions(parts, runs, view) {
  const numbers = (name, length) => {
    const found = (parts.get(name) || "").split("_").map(Number);
    return found.length === length && found.every(Number.isFinite) ? found : null;
  };
  const [x, y, zoom] = numbers("view", 3) || [0.5, 0.5, 1];
  view.view = zoom >= 1 && zoom <= 100 ? { x, y, zoom } : { x: 0.5, y: 0.5, zoom: 1 };
  const brush = numbers("brush", 5);
  view.brush = brush && runs[brush[0] - 1] ? { run: brush[0] - 1, box: brush.slice(1) } : null;
  const plane = numbers("plane", 2);
  view.plane = plane && plane.every((dimension) => runs[0].dimensions[dimension - 1]) ? plane.map((dimension) => dimension - 1) : null;
  const [species, id] = (parts.get("species") || "").split(".").map(Number);
  view.species = runs[species - 1] && runs[species - 1].species.includes(id) ? { run: species - 1, id } : null;
}

/** Put the view into the address bar; inside the frame of a notebook there is none to change. */
export function writeHash(hash) {
  try {
    window.history.replaceState(null, "", hash);
  } catch {
    return false;
  }
  return true;
}
