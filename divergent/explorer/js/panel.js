// The panel of one run: its map, a heading, the tools of the map and a legend.

import { count, figure } from "./canvas.js";
import { button, element, lineSample, mark, setText } from "./element.js";
import { Gestures, zoomed } from "./gestures.js";
import { describe, MapView } from "./map.js";
import { archived, hasMoves } from "./predictions.js";
import { MOST_SPECIES, speciesBySize } from "./species.js";

export class Panel {
  /** @param {Run} run @param {Palette} palette @param {object} actions See Explorer. */
  constructor(run, palette, actions) {
    Object.assign(this, { run, palette, actions });
    this.canvas = element("canvas", { class: "map", tabindex: 0, role: "img", "aria-label": `Map of ${run.title}` });
    this.tip = element("div", { class: "tip", role: "status", hidden: true });
    this.legend = element("div", { class: "legend" });
    this.status = element("span", { class: "status" });
    this.sample = lineSample(palette.dash(run.search));
    this.map = new MapView(run, this.canvas, palette);
    this.brushTool = button("▭", () => actions.toggleBrush(), { class: "tool", title: "Select a rectangle (B, or shift and drag)", "aria-label": "Select a rectangle" });
    this.reset = button("⤢", () => actions.setView({ x: 0.5, y: 0.5, zoom: 1 }), { class: "tool", title: "Reset the view (double click)", "aria-label": "Reset the view" });
    const magnify = (factor) => () => {
      const { canvas, map } = this;
      actions.setView(zoomed(actions.view(), factor, map.plane, [canvas.clientWidth / 2, canvas.clientHeight / 2]));
    };
    this.element = element(
      "article",
      { class: "run", "aria-label": run.title },
      element(
        "header",
        {},
        element("h2", {}, this.sample, run.title),
        this.status,
        element(
          "div",
          { class: "tools", role: "group", "aria-label": "Tools of the map" },
          button("+", magnify(1.6), { class: "tool magnify", title: "Zoom in (wheel, pinch)", "aria-label": "Zoom in" }),
          button("−", magnify(1 / 1.6), { class: "tool magnify", title: "Zoom out", "aria-label": "Zoom out" }),
          this.reset,
          this.brushTool,
        ),
      ),
      element("div", { class: "stage" }, this.canvas, this.tip),
      this.legend,
    );
    this.gestures = new Gestures(this.canvas, {
      plane: () => this.map.plane,
      view: actions.view,
      setView: actions.setView,
      brushing: actions.brushing,
      brush: (box) => actions.brush(run.index, box),
      hover: (x, y) => actions.hover(run.index, this.map.find(x, y)),
      leave: () => actions.hover(run.index, null),
      click: (x, y) => this.click(x, y),
    });
  }

  /** Show a run that has grown. */
  setRun(run) {
    this.run = run;
    this.map.setRun(run);
  }

  click(x, y) {
    const found = this.map.find(x, y);
    if (found !== null) this.actions.select(this.run.index, found);
    else this.actions.clear(this.run.index);
  }

  draw(state) {
    this.map.draw(state);
    this.sample.style.color = this.palette.search(this.run.search);
    this.showTip(state.hover);
    this.showStatus(state);
    this.brushTool.setAttribute("aria-pressed", state.brushing);
    this.reset.disabled = state.view.zoom === 1;
    this.canvas.classList.toggle("brushing", state.brushing);
    this.showLegend(state);
  }

  /** Write the longest form of the status that fits; the clock has the evaluations, too. */
  showStatus(state) {
    const forms = this.statusOf(state);
    const key = [this.element.clientWidth, forms[0]].join();
    if (this.status.dataset.key === key) return;
    this.status.dataset.key = key;
    for (const form of forms) {
      setText(this.status, form);
      if (this.status.scrollWidth <= this.status.clientWidth) return;
    }
  }

  /** The status of the run at the moment, from the longest form to the shortest. */
  statusOf({ clock }) {
    const { run, map } = this;
    const generation = count(run.generation[run.generationOf(Math.max(map.evaluated - 1, 0))]);
    const evaluations = Math.min(Math.floor(clock.moment), run.evaluations);
    const unfinished = evaluations < run.evaluations || run.live || (run.solution === null && !run.maze);
    const outcome = unfinished ? "" : run.solution === null ? ", not solved" : ", solved";
    const forms = [`generation ${generation}, ${count(evaluations)} evaluations`, `generation ${generation}`, `gen ${generation}`];
    return [...forms.map((form) => form + outcome), `gen ${generation}`];
  }

  showTip(hover) {
    const { tip, run } = this;
    tip.hidden = !hover || hover.run !== run.index;
    if (tip.hidden) return;
    const key = `${hover.number}`;
    if (tip.dataset.key !== key) {
      tip.dataset.key = key;
      tip.replaceChildren(...describe(run, hover.number).map((part) => element("span", {}, part)));
    }
    const [x, y] = this.map.at(hover.number);
    const room = this.canvas.clientWidth - tip.offsetWidth;
    tip.style.left = `${Math.max(0, Math.min(x + 12, room))}px`;
    tip.style.top = `${y > this.canvas.clientHeight / 2 ? y - tip.offsetHeight - 12 : y + 12}px`;
  }

  showLegend(state) {
    const { run, map } = this;
    const generation = run.generationOf(Math.max(map.evaluated - 1, 0));
    const chosen = state.individual !== null && state.run === run.index;
    const highlighted = state.species && state.species.run === run.index ? state.species.id : null;
    const key = [generation, state.colour, state.memory, state.layer, chosen, map.values, highlighted, this.palette.theme, run.count].join();
    if (this.legend.dataset.key === key) return;
    this.legend.dataset.key = key;
    const marks = [...this.colourLegend(state, generation, highlighted)];
    if (state.memory) marks.push(...this.memoryLegend(generation));
    if (chosen && (run.hasParents || (run.stones && run.stones.length))) marks.push(mark("ancestor", "ancestors"));
    if (chosen && run.maze) marks.push(mark("trajectory", "trajectory"));
    this.legend.replaceChildren(...marks);
  }

  colourLegend(state, generation, highlighted) {
    const { run, palette, map } = this;
    if (state.layer === "density") return [this.bar(count(map.values[0]), `${count(map.values[1])} visits`)];
    if (state.layer === "elites") {
      const [low, high] = run.smaller ? [map.values[1], map.values[0]] : map.values;
      return [this.bar(figure(low), figure(high), `best ${run.measure} in each cell`)];
    }
    if (state.colour === "species" && run.hasSpecies) return this.speciesLegend(generation, highlighted);
    if (state.colour === "species") return [mark("point", run.noun, palette.unknown)];
    if (state.colour === "score") return [this.bar("0%", "100%", "of its generation have a lower score")];
    const [low, high] = run.qualityRange;
    return [this.bar(figure(run.smaller ? high : low), figure(run.smaller ? low : high), run.measure)];
  }

  /** The value ramp with numbers at its ends. */
  bar(low, high, meaning = "") {
    const ramp = element("span", { class: "ramp", style: `background:linear-gradient(90deg,${this.palette.ramp.join()})` });
    return element("span", { class: "meaning" }, low, ramp, high, meaning ? element("span", { class: "soft" }, meaning) : "");
  }

  speciesLegend(generation, highlighted) {
    const { run, palette } = this;
    const pairs = speciesBySize(run, generation);
    const chips = pairs.slice(0, MOST_SPECIES).map(([id, size]) => {
      const chip = mark("point", `${id}: ${size}`, palette.species(run, id));
      chip.classList.add("chip");
      chip.classList.toggle("on", id === highlighted);
      chip.addEventListener("pointerenter", () => this.actions.highlight(run.index, id));
      chip.addEventListener("pointerleave", () => this.actions.highlight(run.index, null));
      chip.addEventListener("click", () => this.actions.pin(run.index, id));
      return chip;
    });
    const rest = pairs.length - chips.length;
    const more = rest > 0 ? [element("span", { class: "meaning soft" }, `and ${rest} smaller`)] : [];
    return [element("span", { class: "soft" }, "species: members"), ...chips, ...more];
  }

  memoryLegend(generation) {
    const { run } = this;
    const memory = run.memoryOf(generation);
    const marks = [];
    if (run.centroids0.length) marks.push(mark("centroid", "cluster centroid"));
    if (run.centroids0.length && hasMoves(run, memory)) marks.push(mark("arrow", "its last move"));
    if (run.predictions0.length) marks.push(mark("prediction", "prediction"), mark("empty", "of an empty cluster"));
    if (run.hasArchive) {
      marks.push(mark("archive", `archive: ${count(archived(run, memory).length)}`));
      if (run.dimensions.length === 2 && run.threshold[memory] > 0) marks.push(mark("threshold", `within the threshold ${figure(run.threshold[memory])}`));
    }
    if (!marks.length) marks.push(element("span", { class: "meaning soft" }, "no predictions, no archive"));
    return marks;
  }
}
