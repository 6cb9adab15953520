// The view as an address: everything after the #, so that it can be sent or cited.

/** The view's state as the text after #. Numbers of evaluations and robots begin with 1, as on the page. */
export function toHash(state) {
  const parts = new URLSearchParams();
  parts.set("t", Math.floor(state.clock.moment));
  parts.set("colour", state.colour);
  if (state.heat) parts.set("heat", 1);
  if (state.expected) parts.set("expected", 1);
  if (state.robot !== null) {
    parts.set("run", state.run + 1);
    parts.set("robot", state.robot + 1);
    if (state.lineage.tip !== state.robot) parts.set("of", state.lineage.tip + 1);
    if (state.drive) parts.set("step", state.step);
  }
  parts.set("speed", state.clock.speed);
  if (state.theme !== "auto") parts.set("theme", state.theme);
  return `#${parts}`;
}

/** What a # text says, as far as it can be true of these runs. */
export function fromHash(hash, runs, speeds) {
  const parts = new URLSearchParams(hash.slice(1));
  const whole = (name) => (parts.has(name) ? Math.floor(Number(parts.get(name))) : NaN);
  const view = {};
  if (whole("t") >= 1) view.moment = whole("t");
  if (["species", "score", "quality"].includes(parts.get("colour"))) view.colour = parts.get("colour");
  view.heat = parts.get("heat") === "1";
  view.expected = parts.get("expected") === "1";
  if (speeds.includes(Number(parts.get("speed")))) view.speed = Number(parts.get("speed"));
  if (["light", "dark"].includes(parts.get("theme"))) view.theme = parts.get("theme");
  const run = runs[(whole("run") || 1) - 1];
  if (run && whole("robot") >= 1 && whole("robot") <= run.offspring) {
    view.run = run.index;
    view.robot = whole("robot") - 1;
    view.of = whole("of") >= 1 && whole("of") <= run.offspring ? whole("of") - 1 : view.robot;
    view.step = whole("step") >= 0 ? whole("step") : 0;
  }
  return view;
}

/** Put the view into the address bar; inside a notebook's frame there is none to change. */
export function writeHash(hash) {
  try {
    window.history.replaceState(null, "", hash);
  } catch {
    return false;
  }
  return true;
}
