// The panel of one run: its map with a legend, and its strips.

import { count } from "./canvas.js";
import { element, say, sign } from "./element.js";
import { archived } from "./expected.js";
import { describe, MapView } from "./map.js";
import { BestStrip, RiverStrip, SpeciesStrip } from "./strips.js";

const MOST_SPECIES = 7; // in the legend
const LEAST_HEIGHT = 320; // pixels of a map
const ABOVE_AND_BELOW = 410; // pixels for what should be seen together with it

export class Panel {
  constructor(run, limit, palette, actions) {
    this.run = run;
    this.palette = palette;
    this.actions = actions;
    this.canvas = element("canvas", { class: "map", tabindex: 0, role: "img", "aria-label": `Map of ${run.title}` });
    this.tip = element("div", { class: "tip", role: "status", hidden: true });
    this.legend = element("div", { class: "legend" });
    this.status = element("p", { class: "status" });
    this.map = new MapView(run, this.canvas, palette);
    this.strips = [];
    const strips = element("div", { class: "strips" });
    const measure = run.maze ? "Closest to the goal so far" : `Best ${run.measure} so far`;
    this.addStrip(strips, BestStrip, measure, "short", limit);
    if (run.hasSpecies) {
      this.addStrip(strips, SpeciesStrip, "Number of species", "short", limit);
      this.addStrip(strips, RiverStrip, "The species river", "tall", limit);
    }
    this.element = element(
      "article",
      { class: "run", "aria-label": run.title },
      element(
        "header",
        {},
        element("h2", {}, run.title),
        element("p", { class: "facts" }, run.facts),
        run.remark ? element("p", { class: "remark" }, run.remark) : "",
      ),
      element("div", { class: "stage" }, this.canvas, this.tip),
      this.status,
      this.legend,
      strips,
    );
    this.listen();
  }

  addStrip(parent, Kind, name, height, limit) {
    const canvas = element("canvas", { class: `strip ${height}`, role: "img", "aria-label": name });
    const value = element("span", { class: "now" });
    parent.append(element("figure", {}, element("figcaption", {}, element("span", {}, name), value), canvas));
    const strip = new Kind(this.run, canvas, this.palette, limit);
    this.strips.push({ strip, value });
    const seek = (event) => event.buttons & 1 && this.actions.seek(strip.momentAt(event.offsetX));
    canvas.addEventListener("pointerdown", seek);
    canvas.addEventListener("pointermove", seek);
    if (Kind !== RiverStrip) return;
    canvas.addEventListener("pointermove", (event) => {
      const id = strip.find(event.offsetX, event.offsetY);
      canvas.title = id === null ? "" : `species ${id + 1} (${this.palette.speciesWord(id)})`;
    });
  }

  listen() {
    const { canvas, run, actions } = this;
    canvas.addEventListener("pointermove", (event) => actions.hover(run.index, this.map.find(event.offsetX, event.offsetY)));
    canvas.addEventListener("pointerleave", () => actions.hover(run.index, null));
    canvas.addEventListener("click", (event) => {
      const found = this.map.find(event.offsetX, event.offsetY);
      if (found !== null) actions.select(run.index, found);
    });
  }

  /** The map takes the plane's shape, as far as the window has room for it. */
  fit() {
    const [left, top, right, bottom] = this.run.bounds;
    const shape = this.run.maze ? (bottom - top) / (right - left) : 0.8;
    const room = Math.max(window.innerHeight - ABOVE_AND_BELOW, LEAST_HEIGHT);
    this.canvas.style.height = `${Math.round(Math.min(this.canvas.clientWidth * shape, room))}px`;
  }

  draw(state) {
    const { moment } = state.clock;
    const born = this.run.bornBy(moment);
    this.map.draw(state);
    for (const { strip, value } of this.strips) {
      strip.draw(Math.min(moment, strip.limit));
      say(value, strip.now(born));
    }
    this.showTip(state.hover);
    say(this.status, this.statusOf(born, moment));
    this.showLegend(state, born);
  }

  statusOf(born, moment) {
    const { run } = this;
    const generation = run.generation[run.generationOf(Math.max(born - 1, 0))];
    const now = `Generation ${count(generation)}: ${count(born)} ${run.noun}s born so far`;
    if (born < run.offspring || moment <= run.offspring) return `${now}.`;
    return `${now}; the run ended here${run.solution === null ? "" : " with its first solution"}.`;
  }

  showTip(hover) {
    const { tip, run } = this;
    tip.hidden = !hover || hover.run !== run.index;
    if (tip.hidden) return;
    const key = `${hover.number} ${this.palette.theme}`;
    if (tip.dataset.key !== key) {
      tip.dataset.key = key;
      tip.replaceChildren(...describe(run, hover.number, this.palette).map((part) => element("span", {}, part)));
    }
    const [x, y] = this.map.at(hover.number);
    const room = this.canvas.clientWidth - tip.offsetWidth;
    tip.style.left = `${Math.max(0, Math.min(x + 12, room))}px`;
    tip.style.top = `${y > this.canvas.clientHeight / 2 ? y - tip.offsetHeight - 12 : y + 12}px`;
  }

  showLegend(state, born) {
    const generation = this.run.generationOf(Math.max(born - 1, 0));
    const chosen = state.robot !== null && state.run === this.run.index;
    const key = [generation, state.colour, state.expected, state.heat, chosen, this.palette.theme].join();
    if (this.legend.dataset.key === key) return;
    this.legend.dataset.key = key;
    const signs = [...this.colourLegend(state, generation), ...this.layerLegend(state, generation)];
    if (chosen && this.run.hasParents) signs.push(sign("stone", "ancestors, joined by first parent"));
    this.legend.replaceChildren(...signs);
  }

  colourLegend(state, generation) {
    const { run, palette } = this;
    if (state.colour === "species" && run.hasSpecies) return this.speciesLegend(generation);
    if (state.colour === "species") return [sign("point", `one ${run.noun} each`, palette.unknown)];
    const [low, high] =
      state.colour === "score"
        ? ["lowest score of its generation", "highest"]
        : [run.maze ? "far from the goal" : "worst fitness", run.maze ? "near" : "best"];
    const bar = element("span", { class: "ramp", style: `background:linear-gradient(90deg,${palette.ramp.join()})` });
    return [element("span", { class: "meaning" }, low, bar, high)];
  }

  speciesLegend(generation) {
    const { run, palette } = this;
    const pairs = [];
    for (let pair = run.riverStart[generation]; pair < run.riverStart[generation + 1]; pair++) {
      pairs.push([run.riverSpecies[pair], run.riverSize[pair]]);
    }
    pairs.sort((a, b) => b[1] - a[1]);
    const shown = pairs
      .slice(0, MOST_SPECIES)
      .map(([id, size]) => sign("point", `species ${id + 1}: ${size}`, palette.species(id)));
    const rest = pairs.length - shown.length;
    if (rest > 0) shown.push(element("span", { class: "meaning" }, `and ${rest} smaller`));
    return [element("span", { class: "soft" }, "Members now:"), ...shown];
  }

  layerLegend(state, generation) {
    const { run } = this;
    const signs = [];
    if (state.heat) signs.push(sign("heat", "the stronger, the more ended here"));
    if (!state.expected) return signs;
    if (run.centroidsX.length) {
      signs.push(sign("centroid", "where a group ended last"), sign("arrow", "how it moved there"));
    }
    if (run.predictionsX.length) {
      signs.push(sign("prediction", "where it is expected next"), sign("empty", "hollow: nobody belongs to it any more"));
    }
    if (run.hasArchive) {
      signs.push(sign("archive", `in the archive: ${archived(run, generation).length}`));
      signs.push(sign("reach", "too close to the archive to join it"));
    }
    if (!run.hasExpected && !run.hasArchive) signs.push(element("span", { class: "meaning" }, "This search remembers nothing."));
    return signs;
  }
}
