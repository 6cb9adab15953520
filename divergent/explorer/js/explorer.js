// The application of one run or two: one state, a frame that draws it, and the actions that change it.

import { count } from "./canvas.js";
import { Clock, SPEEDS } from "./clock.js";
import { Controls } from "./controls.js";
import { Curves } from "./curves.js";
import { shareQualityRange } from "./data.js";
import { Drawer } from "./drawer.js";
import { Drive } from "./drive.js";
import { save } from "./exporting.js";
import { IndividualTab } from "./individual.js";
import { lineageOf } from "./lineage.js";
import { Panel } from "./panel.js";
import { COLOURS, fromHash, LAYERS, toHash, writeHash } from "./permalink.js";
import { PredictionsTab, RunTab, SpeciesTab } from "./tabs.js";

const STEPS_A_SECOND = 60; // of a drive
const ADDRESS_EVERY = 400; // milliseconds, at least
const WHOLE = { x: 0.5, y: 0.5, zoom: 1 };

const byId = (name) => document.getElementById(name);

export class Explorer {
  /** @param {Run[]} runs One run or two. @param {Palette} palette @param {string} prefix Of the address, after #. */
  constructor(runs, palette, prefix = "") {
    Object.assign(this, { runs, palette, prefix });
    shareQualityRange(runs);
    const limit = Math.max(...runs.map((run) => run.evaluations));
    this.clock = new Clock(limit, runs[0].generationSize);
    // where the shorter run ends both can be compared
    this.clock.seek(Math.min(...runs.map((run) => run.evaluations)));
    this.state = {
      clock: this.clock,
      colour: runs.some((run) => run.hasSpecies) ? "species" : "quality",
      layer: "points",
      memory: false,
      tab: "run",
      focus: 0,
      run: 0,
      individual: null,
      lineage: null,
      ancestry: null,
      drive: null,
      step: 0,
      driving: false,
      hover: null,
      species: null,
      pinned: null,
      view: WHOLE,
      brush: null,
      brushing: false,
      plane: null,
      theme: "auto",
    };
    this.actions = this.makeActions();
    this.panels = runs.map((run) => new Panel(run, palette, this.actions));
    byId("maps").replaceChildren(...this.panels.map((panel) => panel.element));
    document.body.classList.toggle("two", runs.length > 1);
    this.curves = new Curves(byId("curves"), runs, palette, this.actions);
    this.drawer = new Drawer(byId("drawer"), runs, this.actions);
    const { panes } = this.drawer;
    this.tabs = {
      run: new RunTab(panes.run, this),
      individual: new IndividualTab(panes.individual, runs, palette, this.actions),
      species: new SpeciesTab(panes.species, this),
      predictions: new PredictionsTab(panes.predictions, this),
    };
    this.controls = new Controls(this);
    this.apply(fromHash(window.location.hash, runs, SPEEDS));
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(byId("maps"));
    this.resize();
  }

  makeActions() {
    const names = ["seek", "hover", "select", "walk", "close", "focusOn", "openTab", "highlight", "pin", "setView", "toggleBrush", "resize"];
    const actions = Object.fromEntries(names.map((name) => [name, (...parts) => this[name](...parts)]));
    return Object.assign(actions, {
      view: () => this.state.view,
      brushing: () => this.state.brushing,
      brush: (run, box) => this.setBrush(run, box),
      clear: (run) => this.clear(run),
      step: (step) => this.setStep(step),
      drive: () => this.toggleDrive(),
    });
  }

  /** Stop listening, so that another application can take the page. */
  dispose() {
    this.disposed = true;
    this.observer.disconnect();
    this.controls.dispose();
    clearTimeout(this.addressed);
    this.addressed = null;
  }

  // Actions

  apply(view) {
    const { state } = this;
    if (view.plane) this.setPlane(...view.plane);
    if (view.moment) this.clock.seek(view.moment);
    if (view.speed) this.clock.speed = view.speed;
    if (view.colour) state.colour = view.colour;
    Object.assign(state, { layer: view.layer, memory: view.memory, view: view.view, focus: view.focus ?? state.focus });
    if (view.brush) this.setBrush(view.brush.run, view.brush.box);
    state.pinned = state.species = view.species;
    this.controls.setTheme(view.theme || "auto");
    if (view.individual === undefined) {
      this.close();
    } else {
      this.select(view.run, view.of);
      this.select(view.run, view.individual);
      this.setStep(view.step);
    }
    state.tab = view.tab;
    this.change();
  }

  /** Show a run that has grown. */
  grow(index, run) {
    const atEnd = this.clock.moment >= this.clock.limit;
    this.runs[index] = run;
    shareQualityRange(this.runs);
    if (this.state.plane) run.choose(...this.state.plane);
    this.panels[index].setRun(run);
    this.clock.limit = Math.max(...this.runs.map(({ evaluations }) => evaluations));
    this.clock.generationSize = this.runs[0].generationSize;
    if (atEnd) this.clock.seek(this.clock.limit);
    this.curves.setRuns(this.runs);
    this.controls.limit();
    this.change();
  }

  seek(moment) {
    this.clock.seek(moment);
    this.change();
  }

  hover(run, number) {
    const { hover } = this.state;
    if ((hover === null && number === null) || (hover && hover.run === run && hover.number === number)) return;
    this.state.hover = number === null ? null : { run, number };
    this.change();
  }

  select(index, number) {
    const { state } = this;
    const run = this.runs[index];
    const known = state.lineage && state.run === index && state.lineage.line.includes(number);
    if (!known) state.lineage = lineageOf(run, number);
    Object.assign(state, { run: index, focus: index, individual: number, driving: false, tab: "individual" });
    state.drive = run.robotAt.has(number) ? new Drive(run, number) : null;
    state.step = state.drive ? state.drive.steps : 0;
    if (this.clock.moment < run.evaluation(number)) this.clock.seek(run.evaluation(number));
    this.drawer.reveal();
    this.change();
  }

  /** Along the lineage: -1 to the first parent, 1 to the child. */
  walk(by) {
    const { individual, lineage, run } = this.state;
    if (individual === null) return;
    const next = lineage.line[lineage.line.indexOf(individual) + by];
    if (next !== undefined) this.select(run, next);
  }

  close() {
    Object.assign(this.state, { individual: null, lineage: null, drive: null, driving: false, step: 0 });
    this.change();
  }

  /** A click beside all points: the run comes into the focus, a selection ends. */
  clear(run) {
    this.state.focus = run;
    this.clearSelection();
  }

  clearSelection() {
    Object.assign(this.state, { brush: null, ancestry: null, pinned: null, species: null });
    this.change();
  }

  setBrush(run, box) {
    Object.assign(this.state, { brush: { run, box, bounds: this.runs[run].bounds }, tab: "run", focus: run });
    this.change();
  }

  setAncestry(run, ancestors) {
    this.state.ancestry = ancestors.length ? { run, ancestors } : null;
    this.change();
  }

  toggleBrush() {
    this.state.brushing = !this.state.brushing;
    this.change();
  }

  setView(view) {
    this.state.view = view;
    this.change();
  }

  /** Show two other dimensions of the behaviours. */
  setPlane(across, up) {
    for (const run of this.runs) run.choose(across, up);
    Object.assign(this.state, { plane: [across, up], brush: null, ancestry: null, view: WHOLE });
    this.change();
  }

  focusOn(index) {
    this.state.focus = index;
    this.change();
  }

  openTab(name) {
    this.state.tab = name;
    this.change();
  }

  /** Isolate a species for as long as a pointer rests on it. */
  highlight(run, id) {
    const next = id === null ? this.state.pinned : { run, id };
    const { species } = this.state;
    if (species === next || (species && next && species.run === next.run && species.id === next.id)) return;
    this.state.species = next;
    this.change();
  }

  /** Keep a species isolated, or no longer. */
  pin(run, id) {
    const { pinned } = this.state;
    const same = pinned && pinned.run === run && pinned.id === id;
    this.state.pinned = this.state.species = same || id === null ? null : { run, id };
    this.change();
  }

  setStep(step) {
    const { state } = this;
    if (state.drive) state.step = Math.min(Math.max(step, 0), state.drive.steps);
    state.driving = false;
    this.change();
  }

  toggleDrive() {
    const { state } = this;
    if (!state.drive) return;
    state.driving = !state.driving;
    if (state.driving && state.step >= state.drive.steps) state.step = 0;
    this.driven = state.step;
    this.change();
  }

  set(name, value) {
    this.state[name] = value;
    this.change();
  }

  /** Switch the memory of the strategy on or off; with it individuals are coloured by score, afterwards as before. */
  toggle(name) {
    const { state } = this;
    state[name] = !state[name];
    if (name === "memory" && this.runs.some((run) => run.hasScores)) {
      if (state.memory) [this.colourBefore, state.colour] = [state.colour, "score"];
      else if (state.colour === "score" && this.colourBefore) state.colour = this.colourBefore;
    }
    this.change();
  }

  togglePlay() {
    this.clock.toggle();
    this.change();
  }

  changeSpeed(places) {
    this.clock.faster(places);
    this.change();
  }

  /** The colours that these runs have. */
  colours() {
    const needed = { species: "hasSpecies", score: "hasScores" };
    return COLOURS.filter((name) => !needed[name] || this.runs.some((run) => run[needed[name]]));
  }

  nextColour() {
    const names = this.colours();
    this.set("colour", names[(names.indexOf(this.state.colour) + 1) % names.length]);
  }

  nextLayer() {
    this.set("layer", LAYERS[(LAYERS.indexOf(this.state.layer) + 1) % LAYERS.length]);
  }

  /** Save the view as a file. */
  export(kind) {
    return save(kind, this.panels, this.state, this.palette);
  }

  resize() {
    if (this.disposed) return;
    const maps = byId("maps");
    const [left, top, right, bottom] = this.runs[0].bounds;
    const shape = this.runs[0].maze ? (right - left) / (bottom - top) : 1.25;
    const beside = Math.min(maps.clientWidth / 2, maps.clientHeight * shape);
    const below = Math.min(maps.clientWidth, (maps.clientHeight / 2) * shape);
    maps.classList.toggle("stacked", this.runs.length > 1 && below > beside);
    this.change();
  }

  // Drawing

  /** The state has changed: draw it in the next frame, and put it into the address soon. */
  change() {
    if (this.disposed) return;
    if (!this.frame) this.frame = requestAnimationFrame((now) => this.draw(now));
    if (!this.addressed) {
      this.addressed = setTimeout(() => {
        this.addressed = null;
        writeHash(this.hash());
      }, ADDRESS_EVERY);
    }
  }

  /** The view as the text of an address from # on. */
  hash() {
    return `#${this.prefix}${toHash(this.state).slice(1)}`;
  }

  draw(now) {
    this.frame = null;
    if (this.disposed) return;
    const { state, clock } = this;
    const seconds = Math.min((now - (this.before ?? now)) / 1000, 0.1);
    clock.pass(seconds);
    if (state.driving) {
      this.driven += seconds * STEPS_A_SECOND;
      state.step = Math.min(Math.floor(this.driven), state.drive.steps);
      state.driving = state.step < state.drive.steps;
    }
    this.panels.forEach((panel) => panel.draw(state));
    this.curves.draw(state);
    this.drawer.draw(state);
    this.tabs[state.tab].draw(state);
    this.controls.draw(state);
    const moving = clock.playing || state.driving;
    this.before = moving ? now : undefined;
    if (moving) this.change();
  }

  /** What the clock shows. */
  reading() {
    return `${count(Math.floor(this.clock.moment))} of ${count(this.clock.limit)}`;
  }
}
