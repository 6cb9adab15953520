// The page: one state, a frame that draws it, and everything that changes it.

import { count } from "./canvas.js";
import { Clock, SPEEDS } from "./clock.js";
import { loadRuns } from "./data.js";
import { Drive, sense } from "./drive.js";
import { element, say } from "./element.js";
import { Inspector } from "./inspector.js";
import { lineageOf } from "./lineage.js";
import { Palette } from "./palette.js";
import { Panel } from "./panel.js";
import { fromHash, toHash, writeHash } from "./permalink.js";

const STEPS_A_SECOND = 60; // of a drive
const ADDRESS_EVERY = 400; // milliseconds, at most

const byId = (name) => document.getElementById(name);

class Explorer {
  constructor(runs) {
    this.runs = runs;
    this.palette = new Palette();
    const limit = Math.max(...runs.map((run) => run.offspring));
    this.clock = new Clock(limit, runs[0].generationSize);
    // where the shorter run ends there is the most to compare
    this.clock.seek(Math.min(...runs.map((run) => run.offspring)));
    this.state = {
      clock: this.clock,
      colour: runs.some((run) => run.hasSpecies) ? "species" : "quality",
      heat: false,
      expected: false,
      run: 0,
      robot: null,
      lineage: null,
      drive: null,
      step: 0,
      driving: false,
      hover: null,
      theme: "auto",
    };
    const actions = {
      seek: (moment) => this.seek(moment),
      hover: (run, number) => this.hover(run, number),
      select: (run, number) => this.select(run, number),
      walk: (by) => this.walk(by),
      step: (step) => this.setStep(step),
      drive: () => this.toggleDrive(),
      close: () => this.close(),
    };
    this.panels = runs.map((run) => new Panel(run, limit, this.palette, actions));
    byId("runs").append(...this.panels.map((panel) => panel.element));
    document.body.classList.toggle("two", runs.length > 1);
    this.inspector = new Inspector(byId("inspector"), runs, this.palette, actions);
    this.buildControls();
    this.listen();
    this.apply(fromHash(window.location.hash, runs, SPEEDS));
    new ResizeObserver(() => this.resize()).observe(byId("runs"));
    this.resize();
  }

  // What changes the state

  apply(view) {
    const { state } = this;
    if (view.moment) this.clock.seek(view.moment);
    if (view.speed) this.clock.speed = view.speed;
    if (view.colour) state.colour = view.colour;
    state.heat = view.heat;
    state.expected = view.expected;
    this.setTheme(view.theme || "auto");
    if (view.robot === undefined) {
      this.close();
    } else {
      this.select(view.run, view.of);
      this.select(view.run, view.robot);
      this.setStep(view.step);
    }
    this.change();
  }

  seek(moment) {
    this.clock.seek(moment);
    this.change();
  }

  hover(run, number) {
    this.state.hover = number === null ? null : { run, number };
    this.change();
  }

  select(run, number) {
    const { state } = this;
    const whole = this.runs[run];
    const known = state.lineage && state.run === run && state.lineage.line.includes(number);
    if (!known) state.lineage = lineageOf(whole, number);
    Object.assign(state, { run, robot: number, driving: false });
    state.drive = whole.robotAt.has(number) ? new Drive(whole, number) : null;
    state.step = state.drive ? state.drive.steps : 0;
    if (this.clock.moment < number + 1) this.clock.seek(number + 1);
    this.change();
  }

  /** Along the lineage: -1 to the first parent, 1 back to the child. */
  walk(by) {
    const { robot, lineage, run } = this.state;
    if (robot === null) return;
    const next = lineage.line[lineage.line.indexOf(robot) + by];
    if (next !== undefined) this.select(run, next);
  }

  close() {
    Object.assign(this.state, { robot: null, lineage: null, drive: null, driving: false, step: 0 });
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

  setColour(colour) {
    this.state.colour = colour;
    this.change();
  }

  toggle(name) {
    this.state[name] = !this.state[name];
    const scored = this.runs.some((run) => run.hasScores);
    if (name === "expected" && this.state.expected && scored) this.state.colour = "score";
    this.change();
  }

  setTheme(theme) {
    this.state.theme = theme;
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    this.palette.read();
    this.change();
  }

  resize() {
    this.panels.forEach((panel) => panel.fit());
    this.change();
  }

  // Controls

  buildControls() {
    const story = byId("story");
    this.runs
      .filter((run) => run.sentence)
      .forEach((run) => story.append(element("p", {}, element("strong", {}, run.title), ` ${run.sentence}`)));
    byId("speed").append(
      ...SPEEDS.map((speed) => element("option", { value: speed }, `${speed} generation${speed === 1 ? "" : "s"} a second`)),
    );
    byId("moment").max = this.clock.limit;
    const named = { species: "hasSpecies", score: "hasScores" };
    for (const button of document.querySelectorAll("[data-colour]")) {
      const needed = named[button.dataset.colour];
      button.hidden = Boolean(needed) && !this.runs.some((run) => run[needed]);
      button.addEventListener("click", () => this.setColour(button.dataset.colour));
      if (button.dataset.colour === "quality") button.textContent = this.runs[0].maze ? "distance" : this.runs[0].measure;
    }
    byId("expected").hidden = !this.runs.some((run) => run.hasExpected || run.hasArchive);
    const onlyArchives = !this.runs.some((run) => run.hasExpected);
    const both = this.runs.some((run) => run.hasArchive);
    byId("expected").textContent = onlyArchives ? "The archive" : both ? "What was expected, the archive" : "What was expected";
  }

  listen() {
    byId("play").addEventListener("click", () => this.togglePlay());
    byId("moment").addEventListener("input", (event) => this.seek(Number(event.target.value)));
    byId("speed").addEventListener("change", (event) => {
      this.clock.speed = Number(event.target.value);
      this.change();
    });
    byId("heat").addEventListener("click", () => this.toggle("heat"));
    byId("expected").addEventListener("click", () => this.toggle("expected"));
    byId("theme").addEventListener("change", (event) => this.setTheme(event.target.value));
    byId("keys").addEventListener("click", () => byId("help").showModal());
    byId("link").addEventListener("click", () => this.share());
    window.addEventListener("keydown", (event) => this.press(event));
    // a button that was clicked gives the keyboard back, so that space plays
    document.addEventListener("click", (event) => event.detail && event.target.closest("button, select")?.blur());
    window.addEventListener("resize", () => this.resize());
    window.addEventListener("hashchange", () => this.apply(fromHash(window.location.hash, this.runs, SPEEDS)));
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.setTheme(this.state.theme));
  }

  togglePlay() {
    this.clock.toggle();
    this.change();
  }

  press(event) {
    const { target } = event;
    const own = target.matches("select, #step") || (target.matches("button") && event.key === " ") || byId("help").open;
    if (own || event.ctrlKey || event.metaKey || event.altKey) return;
    const generation = event.shiftKey ? 1 : this.clock.generationSize;
    const keys = {
      " ": () => this.togglePlay(),
      ArrowRight: () => this.seek(Math.floor(this.clock.moment) + generation),
      ArrowLeft: () => this.seek(Math.floor(this.clock.moment) - generation),
      ArrowUp: () => this.changeSpeed(1),
      ArrowDown: () => this.changeSpeed(-1),
      Home: () => this.seek(1),
      End: () => this.seek(this.clock.limit),
      h: () => this.toggle("heat"),
      e: () => byId("expected").hidden || this.toggle("expected"),
      c: () => this.nextColour(),
      m: () => this.walk(-1),
      n: () => this.walk(1),
      d: () => this.toggleDrive(),
      Escape: () => this.close(),
      "?": () => byId("help").showModal(),
    };
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  changeSpeed(places) {
    this.clock.faster(places);
    this.change();
  }

  nextColour() {
    const offered = [...document.querySelectorAll("[data-colour]")].filter((button) => !button.hidden);
    const names = offered.map((button) => button.dataset.colour);
    this.setColour(names[(names.indexOf(this.state.colour) + 1) % names.length]);
  }

  async share() {
    writeHash(toHash(this.state));
    try {
      await navigator.clipboard.writeText(window.location.href);
      say(byId("link"), "Link copied");
    } catch {
      say(byId("link"), "Copy it from the address bar");
    }
    setTimeout(() => say(byId("link"), "Copy link"), 2000);
  }

  // Drawing

  /** Something is another than it was: draw it in the next frame, and put it into the address soon. */
  change() {
    if (!this.frame) this.frame = requestAnimationFrame((now) => this.draw(now));
    if (!this.addressed) {
      this.addressed = setTimeout(() => {
        this.addressed = null;
        writeHash(toHash(this.state));
      }, ADDRESS_EVERY);
    }
  }

  draw(now) {
    this.frame = null;
    const { state, clock } = this;
    const seconds = Math.min((now - (this.before ?? now)) / 1000, 0.1);
    clock.pass(seconds);
    if (state.driving) {
      this.driven += seconds * STEPS_A_SECOND;
      state.step = Math.min(Math.floor(this.driven), state.drive.steps);
      state.driving = state.step < state.drive.steps;
    }
    this.panels.forEach((panel) => panel.draw(state));
    this.inspector.draw(state);
    this.showControls();
    const moving = clock.playing || state.driving;
    this.before = moving ? now : undefined;
    if (moving) this.change();
  }

  showControls() {
    const { state, clock } = this;
    const moment = Math.floor(clock.moment);
    byId("moment").value = moment;
    byId("moment").setAttribute("aria-valuetext", `evaluation ${moment}`);
    say(byId("now"), `${count(moment)} of ${count(clock.limit)}`);
    say(byId("play"), clock.playing ? "Pause" : "Play");
    byId("speed").value = clock.speed;
    byId("theme").value = state.theme;
    byId("heat").setAttribute("aria-pressed", state.heat);
    byId("expected").setAttribute("aria-pressed", state.expected);
    for (const button of document.querySelectorAll("[data-colour]")) {
      button.setAttribute("aria-pressed", button.dataset.colour === state.colour);
    }
  }
}

loadRuns().then((runs) => {
  // for the console: look into the data, or ask what a robot senses anywhere
  window.explorer = new Explorer(runs);
  window.explorer.sense = sense;
  document.body.classList.add("ready");
});
