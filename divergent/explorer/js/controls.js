// The top bar, the clock's controls and the keys.

import { SPEEDS } from "./clock.js";
import { element, setText } from "./element.js";
import { fromHash, LAYERS, writeHash } from "./permalink.js";
import { followHost } from "./theme.js";

const byId = (name) => document.getElementById(name);
const THEMES = ["auto", "light", "dark"];
const THEME_SIGNS = { auto: "◐", light: "☀", dark: "☾" };

export class Controls {
  constructor(explorer) {
    this.explorer = explorer;
    this.stops = new AbortController();
    this.build();
    this.listen();
    this.limit();
    followHost((theme) => {
      this.hostTheme = theme;
      this.setTheme(this.explorer.state.theme);
    });
  }

  dispose() {
    this.stops.abort();
  }

  build() {
    const { runs } = this.explorer;
    const names = { species: "species", score: "score", quality: runs[0].maze ? "distance to the goal" : runs[0].measure };
    byId("colour").replaceChildren(...this.explorer.colours().map((name) => element("option", { value: name }, names[name])));
    const layers = { points: "individuals", density: "visits per cell", elites: "best per cell" };
    byId("layer").replaceChildren(...LAYERS.map((name) => element("option", { value: name }, layers[name])));
    byId("speed").replaceChildren(...SPEEDS.map((speed) => element("option", { value: speed }, `${speed} gen/s`)));
    const [predictions, archive] = [runs.some((run) => run.hasPredictions), runs.some((run) => run.hasArchive)];
    byId("memory").hidden = !predictions && !archive;
    byId("memory").textContent = predictions && archive ? "Predictions, archive" : archive ? "Archive" : "Predictions";
    this.buildPlane(runs);
    byId("about").replaceChildren(
      ...runs.filter((run) => run.sentence).map((run) => element("p", {}, element("strong", {}, run.searchName || run.title), ` ${run.sentence}`)),
    );
    const has = (name) => runs.some((run) => run[name]);
    byId("tab-species").hidden = !has("hasSpecies") && !has("withoutRepeat");
    byId("tab-predictions").hidden = !has("hasPredictions") && !has("hasArchive") && !has("withoutRepeat");
  }

  /** A picker of two behaviour dimensions where there are more. */
  buildPlane(runs) {
    const [run] = runs;
    byId("plane").hidden = run.dimensions.length <= 2 || runs.some((other) => other.dimensions.length !== run.dimensions.length);
    for (const name of ["across", "up"]) {
      byId(name).replaceChildren(...run.dimensions.map((dimension, place) => element("option", { value: place }, dimension.name)));
    }
  }

  /** The range of the clock. */
  limit() {
    byId("moment").max = this.explorer.clock.limit;
  }

  on(target, name, action) {
    target.addEventListener(name, action, { signal: this.stops.signal });
  }

  listen() {
    const { explorer } = this;
    const chosen = (id, action) => this.on(byId(id), "change", (event) => action(event.target.value));
    const clicked = (id, action) => this.on(byId(id), "click", action);
    clicked("play", () => explorer.togglePlay());
    this.on(byId("moment"), "input", (event) => explorer.seek(Number(event.target.value)));
    chosen("speed", (value) => {
      explorer.clock.speed = Number(value);
      explorer.change();
    });
    chosen("colour", (value) => explorer.set("colour", value));
    chosen("layer", (value) => explorer.set("layer", value));
    chosen("across", (value) => explorer.setPlane(Number(value), explorer.runs[0].plane[1]));
    chosen("up", (value) => explorer.setPlane(explorer.runs[0].plane[0], Number(value)));
    clicked("memory", () => explorer.toggle("memory"));
    clicked("theme", () => this.setTheme(THEMES[(THEMES.indexOf(explorer.state.theme) + 1) % THEMES.length]));
    clicked("help-button", () => byId("help").showModal());
    clicked("link", () => this.share());
    clicked("view-button", () => document.body.classList.toggle("view-open"));
    for (const kind of ["png", "svg", "csv"]) {
      clicked(`save-${kind}`, () => {
        explorer.export(kind);
        byId("export").open = false;
      });
    }
    this.on(window, "keydown", (event) => this.press(event));
    // a button that was clicked gives the keyboard back, so that space plays
    this.on(document, "click", (event) => {
      if (event.detail) event.target.closest("button, select, summary")?.blur();
      if (!event.target.closest("#export")) byId("export").open = false;
      if (!event.target.closest("#view, #view-button")) document.body.classList.remove("view-open");
    });
    this.on(window, "resize", () => explorer.resize());
    // an overview reads addresses itself
    if (!explorer.prefix) this.on(window, "hashchange", () => explorer.apply(fromHash(window.location.hash, explorer.runs, SPEEDS)));
    this.on(window.matchMedia("(prefers-color-scheme: dark)"), "change", () => this.setTheme(explorer.state.theme));
  }

  setTheme(theme) {
    this.explorer.state.theme = theme;
    const shown = theme === "auto" ? this.hostTheme : theme;
    if (shown) document.documentElement.dataset.theme = shown;
    else delete document.documentElement.dataset.theme;
    this.explorer.palette.read();
    this.explorer.change();
  }

  press(event) {
    const { target } = event;
    const own = target.matches("select, #step, .handle") || (target.matches("button, summary") && event.key === " ") || byId("help").open;
    if (own || event.ctrlKey || event.metaKey || event.altKey) return;
    const { explorer } = this;
    const { clock } = explorer;
    const step = event.shiftKey ? 1 : clock.generationSize;
    const keys = {
      " ": () => explorer.togglePlay(),
      ArrowRight: () => explorer.seek(Math.floor(clock.moment) + step),
      ArrowLeft: () => explorer.seek(Math.floor(clock.moment) - step),
      ArrowUp: () => explorer.changeSpeed(1),
      ArrowDown: () => explorer.changeSpeed(-1),
      Home: () => explorer.seek(1),
      End: () => explorer.seek(clock.limit),
      c: () => explorer.nextColour(),
      l: () => explorer.nextLayer(),
      e: () => byId("memory").hidden || explorer.toggle("memory"),
      b: () => explorer.toggleBrush(),
      p: () => explorer.walk(-1),
      n: () => explorer.walk(1),
      d: () => explorer.toggleDrive(),
      0: () => explorer.setView({ x: 0.5, y: 0.5, zoom: 1 }),
      Escape: () => this.escape(),
      "?": () => byId("help").showModal(),
    };
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  escape() {
    const { explorer } = this;
    if (explorer.state.brushing) explorer.toggleBrush();
    explorer.clearSelection();
    explorer.close();
  }

  async share() {
    writeHash(this.explorer.hash());
    try {
      await navigator.clipboard.writeText(window.location.href);
      setText(byId("link"), "Copied");
    } catch {
      setText(byId("link"), "See address bar");
    }
    setTimeout(() => setText(byId("link"), "Link"), 2000);
  }

  draw(state) {
    const { clock, runs } = this.explorer;
    const moment = Math.floor(clock.moment);
    byId("moment").value = moment;
    byId("moment").setAttribute("aria-valuetext", `evaluation ${moment}`);
    setText(byId("now"), this.explorer.reading());
    setText(byId("play"), clock.playing ? "Pause" : "Play");
    byId("speed").value = clock.speed;
    byId("colour").value = state.colour;
    byId("layer").value = state.layer;
    byId("colour").disabled = state.layer !== "points";
    [byId("across").value, byId("up").value] = runs[0].plane;
    byId("memory").setAttribute("aria-pressed", state.memory);
    setText(byId("theme"), THEME_SIGNS[state.theme]);
    byId("theme").title = `Theme: ${state.theme === "auto" ? "as the page around it or the system" : state.theme}`;
  }
}
