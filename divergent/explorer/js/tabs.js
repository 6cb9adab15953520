// The Run, Species and Predictions tabs of the drawer.

import { count, figure } from "./canvas.js";
import { LineChart } from "./chart.js";
import { button, element, mark, setText, table } from "./element.js";
import { ancestorsOf, members } from "./focus.js";
import { describeSpecies, Phylogeny, SpeciesAreas } from "./phylogeny.js";
import { archived, behaviours, hasMoves, isOccupied, predictionError } from "./predictions.js";

const MOST_ROWS = 12; // of a table of species

/** Facts of a run, the meaning of its search, and the individuals selected with the brush. */
export class RunTab {
  constructor(root, explorer) {
    Object.assign(this, { root, explorer });
    this.key = "";
  }

  draw(state) {
    const run = this.explorer.runs[state.focus];
    const { map } = this.explorer.panels[state.focus];
    const key = [state.focus, map.focus && map.focus.key, map.focus && map.evaluated, run.count, this.explorer.palette.theme, state.live].join();
    if (key === this.key) return;
    this.key = key;
    const parts = [this.about(run)];
    if (state.brush || map.focus) parts.unshift(this.selection(run, map, state));
    if (run.alternatives) parts.push(run.alternatives());
    this.root.replaceChildren(...parts);
  }

  about(run) {
    const best = run.best[run.count - 1];
    const rows = [
      ["search", run.searchName || run.title],
      ...(run.settings || []),
      ["evaluations", count(run.evaluations)],
      ["generations", count(run.first.length)],
      [`best ${run.measure}`, figure(run.quality[best])],
    ];
    return element(
      "section",
      {},
      element("h3", {}, run.title),
      element("p", { class: "facts" }, run.facts),
      run.remark ? element("p", { class: "remark" }, run.remark) : "",
      element("dl", {}, ...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])),
      run.sentence ? element("p", { class: "soft" }, `${run.searchName || run.title} ${run.sentence}`) : "",
      button(run.solution === null ? "Select the best" : "Select the solution", () => this.explorer.select(run.index, run.solution ?? best), { class: "primary", id: "select-best" }),
    );
  }

  selection(run, map, state) {
    const numbers = map.inFocus();
    const { ancestors, founders } = ancestorsOf(run, numbers);
    this.explorer.setAncestry(run.index, state.brush ? ancestors : []);
    const best = numbers.reduce((found, number) => (found === null || run.isBetter(run.quality[number], run.quality[found]) ? number : found), null);
    const counts = new Map();
    for (const number of numbers) counts.set(run.species[number], (counts.get(run.species[number]) || 0) + 1);
    const largest = [...counts].filter(([id]) => id >= 0).sort((a, b) => b[1] - a[1]);
    const rows = [["individuals", `${count(numbers.length)} of ${count(map.evaluated)}`]];
    if (numbers.length) {
      const [first, last] = [numbers[0], numbers[numbers.length - 1]];
      rows.push(["evaluations", `${count(run.evaluation(first))} to ${count(run.evaluation(last))}`]);
      rows.push([`best ${run.measure}`, button(figure(run.quality[best]), () => this.explorer.select(run.index, best), { class: "link" })]);
      if (run.hasParents) rows.push(["ancestors", `${count(ancestors.length)}, from ${count(founders)} of the first generation`]);
      if (largest.length) rows.push(["species", `${largest.length}: ${largest.slice(0, 5).map(([id, size]) => `${id} (${count(size)})`).join(", ")}`]);
    }
    return element(
      "section",
      { class: "selection" },
      element("header", {}, element("h3", {}, "Selection"), button("Clear", () => this.explorer.clearSelection(), { class: "quiet", id: "clear" })),
      element("dl", {}, ...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])),
      button("Save as CSV", () => this.explorer.export("csv"), { id: "selection-csv" }),
    );
  }
}

/** Stacked areas, phylogeny and table of the species. */
export class SpeciesTab {
  constructor(root, explorer) {
    Object.assign(this, { root, explorer });
    const { palette } = explorer;
    const options = (name, height) => ({ name, height, limit: explorer.clock.limit, palette, seek: (moment) => explorer.seek(moment) });
    this.areas = new SpeciesAreas(options("", "areas"));
    this.tree = new Phylogeny(options("", "tree"));
    this.caption = element("p", { class: "soft caption" });
    this.list = element("div", {});
    for (const chart of [this.areas, this.tree]) {
      chart.canvas.addEventListener("pointermove", (event) => this.highlight(chart.find(event.offsetX, event.offsetY)));
      chart.canvas.addEventListener("pointerleave", () => this.highlight(null));
      chart.canvas.addEventListener("dblclick", (event) => explorer.pin(this.run.index, chart.find(event.offsetX, event.offsetY)));
    }
    this.content = element(
      "section",
      {},
      element("h3", {}, "Members of each species"),
      this.areas.canvas,
      element("h3", {}, "Phylogeny"),
      this.tree.canvas,
      this.caption,
      this.list,
    );
    this.nothing = element("p", { class: "soft" });
    this.key = "";
  }

  highlight(id) {
    this.explorer.highlight(this.run.index, id);
  }

  draw(state) {
    this.run = this.explorer.runs[state.focus];
    const { run } = this;
    if (!run.hasSpecies) {
      setText(this.nothing, run.withoutRepeat || "This run has no species.");
      this.root.replaceChildren(this.nothing);
      return;
    }
    if (this.content.parentNode !== this.root) this.root.replaceChildren(this.content);
    const highlighted = state.species && state.species.run === run.index ? state.species.id : null;
    const version = [run.index, run.count, highlighted].join();
    for (const chart of [this.areas, this.tree]) {
      chart.limit = run.evaluations;
      chart.setRun(run, highlighted);
      chart.draw(Math.min(state.clock.moment, run.evaluations), version);
    }
    const chosen = highlighted === null ? null : this.tree.species.find(({ id }) => id === highlighted);
    setText(this.caption, chosen ? describeSpecies(run, chosen) : `${count(this.tree.species.length)} species. Point at one to isolate it, click in the table to keep it.`);
    this.showList(state, highlighted);
  }

  showList(state, highlighted) {
    const { run } = this;
    const generation = run.generationOf(run.individualAt(state.clock.moment));
    const { focus, evaluated } = this.explorer.panels[run.index].map;
    const brushed = state.brush ? focus : null;
    const key = [run.index, generation, highlighted, run.count, this.explorer.palette.theme, brushed && brushed.key + evaluated].join();
    if (key === this.key) return;
    this.key = key;
    const sizes = new Map();
    for (let pair = run.riverStart[generation]; pair < run.riverStart[generation + 1]; pair++) sizes.set(run.riverSpecies[pair], run.riverSize[pair]);
    const now = this.tree.species.filter(({ id }) => sizes.has(id)).sort((a, b) => sizes.get(b.id) - sizes.get(a.id));
    const selected = new Map();
    if (brushed) for (const number of members(brushed, evaluated)) selected.set(run.species[number], (selected.get(run.species[number]) || 0) + 1);
    const rows = now.slice(0, MOST_ROWS).map((species) => {
      const { id, from, parent, best } = species;
      const row = element(
        "tr",
        { class: id === highlighted ? "on" : "" },
        element("td", {}, mark("point", String(id), this.explorer.palette.species(run, id))),
        element("td", {}, count(sizes.get(id))),
        ...(brushed ? [element("td", {}, count(selected.get(id) || 0))] : []),
        element("td", {}, count(from)),
        element("td", {}, parent < 0 ? "–" : String(parent)),
        element("td", {}, figure(best)),
      );
      row.addEventListener("click", () => this.explorer.pin(run.index, id));
      row.addEventListener("pointerenter", () => this.highlight(id));
      return row;
    });
    const rest = now.length - rows.length;
    const list = table(["species", "members", ...(brushed ? ["selected"] : []), "founded", "from", "best"], rows, { class: "species" });
    list.addEventListener("pointerleave", () => this.highlight(null));
    this.list.replaceChildren(list, rest > 0 ? element("p", { class: "soft" }, `and ${count(rest)} smaller`) : "");
  }
}

/** Numbers of the strategy's memory: clusters and errors of predictions, or size and threshold of the archive. */
export class PredictionsTab {
  constructor(root, explorer) {
    Object.assign(this, { root, explorer });
    this.key = "";
  }

  draw(state) {
    const run = this.explorer.runs[state.focus];
    const memory = run.memoryOf(run.generationOf(run.individualAt(state.clock.moment)));
    const key = [run.index, run.count, this.explorer.palette.theme, run.plane].join();
    if (key !== this.key) {
      this.key = key;
      this.build(run);
    }
    for (const chart of this.charts) {
      chart.limit = run.evaluations;
      chart.draw(Math.min(state.clock.moment, run.evaluations), key);
    }
    if (!this.facts) return;
    this.showFacts(run, memory);
    setText(this.toggle, state.memory ? "Hide on the map" : "Show on the map");
  }

  build(run) {
    this.charts = [];
    this.facts = null;
    if (!run.hasPredictions && !run.hasArchive) {
      this.root.replaceChildren(element("p", { class: "soft" }, run.withoutRepeat || "This search keeps neither predictions nor an archive."));
      return;
    }
    this.facts = element("dl", {});
    const parts = [element("h3", {}, run.hasPredictions ? "Predictions of this generation" : "Archive in this generation"), this.facts];
    const x = Array.from(run.memoryAt, (generation) => run.evaluation(run.first[generation]) - 1);
    if (run.predictions0.length) {
      const errors = x.map((_, memory) => predictionError(run, memory));
      parts.push(this.chart("Mean distance from a prediction to the nearest individual", run, { x, y: errors }));
      parts.push(this.chart("Clusters without members", run, { x, y: x.map((_, memory) => emptyClusters(run, memory)), step: true }));
    }
    if (run.hasArchive) {
      parts.push(this.chart("Entries of the archive", run, { x, y: x.map((_, memory) => archived(run, memory).length), step: true }));
      if (run.threshold.some((value) => value > 0)) parts.push(this.chart("Threshold of the archive", run, { x, y: Array.from(run.threshold), step: true }));
    }
    this.toggle = button("Show on the map", () => this.explorer.toggle("memory"), { id: "show-memory" });
    parts.push(
      element("h3", {}, "Marks"),
      element(
        "div",
        { class: "marks" },
        ...(run.centroids0.length ? [mark("centroid", "centroid of a cluster in the last generation")] : []),
        ...(run.centroids0.length && x.some((_, memory) => hasMoves(run, memory)) ? [mark("before", "centroid one generation earlier"), mark("arrow", "move of the centroid")] : []),
        ...(run.predictions0.length ? [mark("prediction", "predicted behaviour of this generation"), mark("empty", "prediction of a cluster without members")] : []),
        ...(run.hasArchive ? [mark("archive", "entry of the archive"), mark("threshold", "region too close to an entry to be added")] : []),
      ),
      this.toggle,
    );
    this.root.replaceChildren(element("section", {}, ...parts));
  }

  chart(name, run, line) {
    const options = { name, height: "medium", limit: run.evaluations, palette: this.explorer.palette, seek: (moment) => this.explorer.seek(moment) };
    const chart = new LineChart(options, () => [{ ...line, colour: this.explorer.palette.prediction }]);
    chart.zero = true;
    this.charts.push(chart);
    return element("figure", {}, chart.canvas);
  }

  showFacts(run, memory) {
    const rows = [["generation", count(run.generation[run.memoryAt[memory]])]];
    const predictions = behaviours(run, "predictions", memory);
    if (run.predictions0.length) {
      rows.push(["predictions", predictions.length ? `${predictions.length}, ${emptyClusters(run, memory)} of empty clusters` : "none yet"]);
      if (predictions.length) rows.push(["nearest individual", `${figure(predictionError(run, memory))} away on average`]);
    }
    if (run.hasArchive) {
      rows.push(["archive", count(archived(run, memory).length)]);
      if (run.threshold[memory] > 0) rows.push(["threshold", figure(run.threshold[memory])]);
    }
    const key = rows.flat().join("|");
    if (this.facts.dataset.key === key) return;
    this.facts.dataset.key = key;
    this.facts.replaceChildren(...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
  }
}

function emptyClusters(run, memory) {
  let empty = 0;
  for (let cluster = 0; cluster < run.predictionsCount[memory]; cluster++) empty += !isOccupied(run, memory, cluster);
  return empty;
}
