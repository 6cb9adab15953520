// The overview of many runs: survival curves, a map of all runs, and small multiples sorted by outcome.

import { AXES_MARGINS, drawAxes } from "./axes.js";
import { count, disc, figure, Plane, prepare } from "./canvas.js";
import { SPEEDS } from "./clock.js";
import { button, download, element, setText } from "./element.js";
import { Explorer } from "./explorer.js";
import { drawOutcomes } from "./outcomes.js";
import { rgb } from "./palette.js";
import { fromHash, writeHash } from "./permalink.js";
import { followHost } from "./theme.js";

const byId = (name) => document.getElementById(name);
const KINDS = { runs: "runs that visited a cell", visits: "visits of a cell", final: "visits in the last generation", stones: "runs with a stepping stone in a cell" };
const MARGINS = { left: 10, right: 10, top: 10, bottom: 10 };
const THEMES = ["auto", "light", "dark"];
const THEME_SIGNS = { auto: "◐", light: "☀", dark: "☾" };

export class Overview {
  /** @param {Batch} batch @param {Palette} palette */
  constructor(batch, palette) {
    Object.assign(this, { batch, palette, kind: "runs", theme: "auto", explorer: null });
    this.shown = new Set(batch.groups.map(({ name }) => name));
    this.compared = [];
    this.build();
    this.listen();
    followHost((theme) => {
      this.hostTheme = theme;
      this.setTheme(this.theme);
    });
  }

  build() {
    const { batch } = this;
    this.survival = element("canvas", { class: "survival", role: "img", "aria-label": batch.anySolved ? "Fraction of runs solved over evaluations" : `Best ${batch.measure} over evaluations` });
    this.map = element("canvas", { class: "heat", role: "img", "aria-label": "Map of all runs" });
    this.tip = element("div", { class: "tip", hidden: true });
    this.kinds = element(
      "select",
      { id: "kind", "aria-label": "Values of the cells", onchange: (event) => this.setKind(event.target.value) },
      ...Object.entries(KINDS).filter(([name]) => name !== "stones" || batch.hasStones).map(([name, text]) => element("option", { value: name }, text)),
    );
    this.bar = element("span", { class: "meaning" });
    this.chips = batch.groups.map((group) =>
      button("", () => this.toggleGroup(group.name), { class: "group", title: group.sentence ? `${group.title} ${group.sentence}` : group.title }),
    );
    this.image = batch.background ? Object.assign(new Image(), { src: batch.background, onload: () => this.draw() }) : null;
    this.multiples = element("div", { class: "multiples", id: "multiples" });
    this.hint = element("span", { class: "soft", id: "hint" }, "Click a run to open it; shift and click two runs to compare them.");
    byId("overview").replaceChildren(
      element("figure", { class: "card" }, element("figcaption", {}, element("h2", {}, batch.anySolved ? "Runs solved" : `Best ${batch.measure}, median and quartiles`), element("div", { class: "groups" }, ...this.chips)), element("div", { class: "stage" }, this.survival)),
      element("figure", { class: "card" }, element("figcaption", {}, element("h2", {}, "All runs"), this.kinds, this.bar), element("div", { class: "stage" }, this.map, this.tip)),
      element("section", { class: "card outcome" }, element("header", { class: "row" }, element("h2", {}, "Runs by outcome"), this.hint), this.multiples),
    );
    byId("about").replaceChildren(...batch.groups.filter(({ sentence }) => sentence).map(({ title, sentence }) => element("p", {}, element("strong", {}, title), ` ${sentence}`)));
  }

  listen() {
    this.map.addEventListener("pointermove", (event) => this.point(event.offsetX, event.offsetY));
    this.map.addEventListener("pointerleave", () => (this.tip.hidden = true));
    byId("back").addEventListener("click", () => this.open([]));
    byId("theme").addEventListener("click", () => this.explorer || this.setTheme(THEMES[(THEMES.indexOf(this.theme) + 1) % THEMES.length]));
    byId("help-button").addEventListener("click", () => this.explorer || byId("help").showModal());
    byId("save-png").addEventListener("click", () => this.explorer || this.savePng());
    byId("save-csv").addEventListener("click", () => this.explorer || this.saveCsv());
    window.addEventListener("hashchange", () => this.readAddress());
    new ResizeObserver(() => this.draw()).observe(byId("overview"));
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.setTheme(this.theme));
    window.addEventListener("keydown", (event) => event.key === "Escape" && this.explorer && this.explorer.state.individual === null && !this.explorer.state.brush && this.open([]));
  }

  readAddress() {
    const { hash } = window.location;
    const parts = new URLSearchParams(hash.slice(1));
    const wanted = (parts.get("open") || "").split("_").filter(Boolean).map((text) => Number(text) - 1);
    const indices = wanted.filter((index) => this.batch.runs[index]).slice(0, 2);
    if (Array.from(this.kinds.options, ({ value }) => value).includes(parts.get("kind"))) this.kind = this.kinds.value = parts.get("kind");
    const shown = (parts.get("groups") || "").split("_").map((text) => this.batch.groups[Number(text) - 1]).filter(Boolean);
    if (shown.length) this.shown = new Set(shown.map(({ name }) => name));
    if (this.explorer && indices.join() === this.opened.join()) this.explorer.apply(fromHash(hash, this.explorer.runs, SPEEDS));
    else return this.open(indices, hash);
  }

  // Actions

  /** Open one run or two, in the view of an address; none shows the overview. */
  async open(indices, hash = "") {
    if (this.explorer) this.explorer.dispose();
    this.explorer = null;
    document.body.classList.toggle("overview", !indices.length);
    byId("overview").hidden = Boolean(indices.length);
    byId("back").hidden = !indices.length;
    this.compared = [];
    this.opened = indices;
    const prefix = `open=${indices.map((index) => index + 1).join("_")}&`;
    if (!indices.length) this.writeAddress();
    else if (!hash) writeHash(`#${prefix}${this.theme === "auto" ? "" : `theme=${this.theme}`}`);
    if (indices.length) {
      const runs = await Promise.all(indices.map((index, place) => this.batch.run(index, place)));
      if (this.opened !== indices) return; // another run was chosen meanwhile
      this.explorer = window.explorer = new Explorer(runs, this.palette, prefix);
      setText(document.querySelector("h1"), runs.map(({ title }) => title).join(" and "));
    } else {
      setText(document.querySelector("h1"), document.title);
      this.drawn = "";
      this.draw();
    }
  }

  /** Put the values of the cells and the groups into the address. */
  writeAddress() {
    const places = this.batch.groups.flatMap(({ name }, place) => (this.shown.has(name) ? [place + 1] : []));
    const parts = new URLSearchParams();
    if (this.kind !== "runs") parts.set("kind", this.kind);
    if (places.length < this.batch.groups.length) parts.set("groups", places.join("_"));
    writeHash(`#${parts}`);
  }

  choose(index, event) {
    if (!event.shiftKey) {
      this.open([index]);
      return;
    }
    this.compared = this.compared.includes(index) ? this.compared.filter((other) => other !== index) : [...this.compared, index];
    if (this.compared.length === 2) this.open(this.compared);
    else this.drawMultiples();
  }

  toggleGroup(name) {
    if (this.shown.has(name) && this.shown.size === 1) this.shown = new Set(this.batch.groups.map((group) => group.name));
    else if (this.shown.size === this.batch.groups.length) this.shown = new Set([name]);
    else if (!this.shown.delete(name)) this.shown.add(name);
    this.writeAddress();
    this.draw();
  }

  setKind(kind) {
    this.kind = this.kinds.value = kind;
    this.writeAddress();
    this.draw();
  }

  setTheme(theme) {
    this.theme = theme;
    const shown = theme === "auto" ? this.hostTheme : theme;
    if (shown) document.documentElement.dataset.theme = shown;
    else delete document.documentElement.dataset.theme;
    setText(byId("theme"), THEME_SIGNS[theme]);
    this.palette.read();
    this.draw();
  }

  // Drawing

  draw() {
    if (byId("overview").hidden || !this.survival.clientWidth) return;
    this.batch.groups.forEach((group, place) => this.drawChip(this.chips[place], group));
    const survival = prepare(this.survival);
    drawOutcomes(survival.context, survival, this.batch, this.shown, this.palette);
    const map = prepare(this.map);
    this.drawMap(map.context, map);
    this.drawMultiples();
  }

  drawChip(chip, { name, title, search }) {
    const runs = this.batch.runs.filter((run) => run.group === name);
    chip.setAttribute("aria-pressed", this.shown.has(name));
    const sample = element("span", { class: "sample", style: `background:${this.palette.search(search)}` });
    const solved = runs.filter((run) => run.solved).length;
    chip.replaceChildren(sample, this.batch.anySolved ? `${title}: ${solved} of ${runs.length}` : `${title}: ${runs.length} runs`);
  }

  drawMap(context, { width, height }) {
    const { batch } = this;
    this.plane = new Plane(batch.bounds, width, height, Boolean(batch.maze), batch.maze ? MARGINS : AXES_MARGINS);
    const { values, runs } = batch.cellValues(this.kind, this.shown);
    Object.assign(this, { values, valuesOf: runs });
    const most = values.reduce((high, value) => Math.max(high, value), 1);
    const linear = this.kind === "runs" || this.kind === "stones";
    const fraction = (value) => (linear ? value / most : most > 1 ? Math.log(value) / Math.log(most) : 0);
    if (this.image && this.image.complete) this.drawBackground(context);
    this.drawCells(context, values, this.plane, fraction);
    if (batch.maze) this.drawMaze(context, this.plane, 2, 5);
    else drawAxes(context, this.plane, batch.dimensions.map(({ name }) => name), height, this.palette);
    const ramp = element("span", { class: "ramp", style: `background:linear-gradient(90deg,${this.palette.ramp.join()})` });
    this.bar.replaceChildren(linear ? "0" : "1", ramp, linear ? `${count(most)} of ${count(runs)} runs` : `${count(most)} visits`);
  }

  drawBackground(context) {
    const { plane, image } = this;
    const [left, low, right, high] = this.batch.bounds;
    context.drawImage(image, plane.x(left), plane.y(high), plane.x(right) - plane.x(left), plane.y(low) - plane.y(high));
  }

  drawCells(context, values, plane, fraction) {
    const { batch, palette } = this;
    const [across, down] = batch.shape;
    const image = new ImageData(across, down);
    for (let cell = 0; cell < batch.cells; cell++) {
      if (values[cell]) image.data.set([...rgb(palette.value(fraction(values[cell]))), 235], 4 * cell);
    }
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [across, down];
    canvas.getContext("2d").putImageData(image, 0, 0);
    context.save();
    context.transform(plane.scaleX, 0, 0, plane.scaleY, plane.offsetX, plane.offsetY);
    context.imageSmoothingEnabled = false;
    context.drawImage(canvas, batch.bounds[0], batch.bounds[1], across * batch.cellSize[0], down * batch.cellSize[1]);
    context.restore();
  }

  drawMaze(context, plane, width, radius) {
    const { maze } = this.batch;
    const { ink, goal, line, panel } = this.palette;
    if (!maze) {
      const [left, top, right, bottom] = plane.box;
      context.strokeStyle = line;
      context.strokeRect(left, top, right - left, bottom - top);
      return;
    }
    context.strokeStyle = context.fillStyle = ink;
    context.lineWidth = width;
    context.lineCap = "round";
    context.beginPath();
    for (const [x1, y1, x2, y2] of maze.walls) {
      context.moveTo(plane.x(x1), plane.y(y1));
      context.lineTo(plane.x(x2), plane.y(y2));
    }
    context.stroke();
    disc(context, plane.x(maze.start[0]), plane.y(maze.start[1]), radius);
    context.fill();
    disc(context, plane.x(maze.goal[0]), plane.y(maze.goal[1]), radius);
    context.strokeStyle = panel;
    context.lineWidth = 2.5 * width;
    context.stroke();
    context.strokeStyle = goal;
    context.lineWidth = width;
    context.stroke();
  }

  drawMultiples() {
    const key = [[...this.shown].join(), this.palette.theme, this.compared.join()].join("|");
    if (key === this.drawn) return;
    this.drawn = key;
    const order = this.batch.byOutcome(this.shown);
    this.multiples.replaceChildren(...order.map((run) => this.multiple(run)));
    const [left, top, right, bottom] = this.batch.bounds;
    const shape = this.batch.maze ? (bottom - top) / (right - left) : 0.8;
    const ratio = window.devicePixelRatio || 1;
    order.forEach((run, place) => {
      const canvas = this.multiples.children[place].firstChild;
      const [width, height] = [104, Math.round(104 * shape)];
      canvas.style.height = `${height}px`;
      [canvas.width, canvas.height] = [width * ratio, height * ratio];
      const context = canvas.getContext("2d");
      context.scale(ratio, ratio);
      const plane = new Plane(this.batch.bounds, width, height, Boolean(this.batch.maze), { left: 3, right: 3, top: 3, bottom: 3 });
      const values = this.batch.visits.subarray(run.index * this.batch.cells, (run.index + 1) * this.batch.cells);
      const most = values.reduce((high, value) => Math.max(high, value), 2);
      this.drawCells(context, values, plane, (value) => Math.log(value) / Math.log(most));
      this.drawMaze(context, plane, 1, 2);
    });
  }

  multiple(run) {
    const { palette, batch } = this;
    const outcome = run.solved ? count(run.evaluations) : `${figure(run.best)} away`;
    const text = batch.maze || run.solved ? outcome : `best ${figure(run.best)}`;
    const group = batch.groupOf(run);
    return element(
      "button",
      {
        type: "button",
        class: `multiple${this.compared.includes(run.index) ? " on" : ""}`,
        title: `${group.title}, seed ${run.seed}: ${run.solved ? `solved after ${count(run.evaluations)} evaluations` : `not solved, best ${batch.measure} ${figure(run.best)}`}`,
        style: `border-top-color:${palette.search(run.search)}`,
        onclick: (event) => this.choose(run.index, event),
      },
      element("canvas", {}),
      element("span", {}, element("span", { class: run.solved ? "solved" : "soft" }, run.solved ? "● " : "○ "), text),
    );
  }

  /** Describe the cell under the pointer. */
  point(x, y) {
    const cell = this.batch.cellOf(...this.plane.behaviour(x, y));
    const value = this.values[cell];
    this.tip.hidden = !value;
    const text = { runs: `visited by ${count(value)} of ${count(this.valuesOf)} runs`, stones: `stepping stone of ${count(value)} of ${count(this.valuesOf)} solutions`, visits: `${count(value)} visits`, final: `${count(value)} visits at the end` };
    setText(this.tip, text[this.kind]);
    this.tip.style.left = `${Math.min(x + 12, this.map.clientWidth - this.tip.offsetWidth)}px`;
    this.tip.style.top = `${y + 14}px`;
  }

  savePng() {
    this.map.toBlob((content) => download("overview.png", content));
  }

  saveCsv() {
    const rows = this.batch.byOutcome(this.shown).map(({ group, seed, solved, evaluations, best }) => [group, seed, solved, evaluations, best].join(","));
    download("overview.csv", new Blob([`group,seed,solved,evaluations,best\n${rows.join("\n")}\n`], { type: "text/csv" }));
  }
}
