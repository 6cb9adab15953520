// The curves of all runs, docked below the maps: quality, visited cells and species over evaluations.

import { count, figure } from "./canvas.js";
import { LineChart } from "./chart.js";
import { element, setText } from "./element.js";
import { focusOf } from "./focus.js";
import { visitedCells } from "./grids.js";

export class Curves {
  /** @param {HTMLElement} root @param {Run[]} runs @param {Palette} palette @param {object} actions */
  constructor(root, runs, palette, actions) {
    Object.assign(this, { root, palette, actions });
    this.setRuns(runs);
  }

  setRuns(runs) {
    this.runs = runs;
    this.focuses = runs.map(() => null);
    this.cells = runs.map(() => null);
    const limit = Math.max(...runs.map((run) => run.evaluations));
    const chart = (name, lines) =>
      new LineChart({ name, height: "short", limit, palette: this.palette, seek: this.actions.seek }, lines);
    const measure = runs[0].maze ? "Smallest distance to the goal" : `Best ${runs[0].measure}`;
    this.charts = [
      { chart: chart(measure, () => runs.flatMap((run) => this.bestLines(run))), now: (run, k) => figure(run.quality[run.best[k]]) },
      { chart: chart("Visited cells", () => runs.flatMap((run) => this.visitedLines(run))), now: (run, k) => this.visitedNow(run, k) },
    ];
    if (runs.some((run) => run.hasSpecies)) {
      this.charts.push({ chart: chart("Species", () => runs.flatMap((run) => this.speciesLines(run))), now: (run, k) => this.speciesNow(run, k) });
    }
    this.charts.forEach((entry) => {
      entry.chart.zero = entry !== this.charts[0] || runs[0].smaller;
      entry.values = runs.map(() => element("span", { class: "value" }));
    });
    this.root.replaceChildren(
      ...this.charts.map(({ chart: { canvas }, values }) =>
        element("figure", { class: "curve" }, canvas, element("figcaption", { class: "values" }, ...values)),
      ),
    );
  }

  draw(state) {
    const { moment } = state.clock;
    this.focuses = this.runs.map((run) => focusOf(run, state));
    const version = [this.runs.map((run) => run.count), this.focuses.map((focus) => focus && focus.key), this.runs[0].plane].join();
    for (const { chart, now, values } of this.charts) {
      chart.limit = state.clock.limit;
      chart.draw(moment, version);
      values.forEach((value, place) => {
        const run = this.runs[place];
        setText(value, now(run, run.individualAt(moment)));
        value.style.color = this.colour(run);
      });
    }
  }

  colour(run) {
    return this.runs.length > 1 ? this.palette.search(run.search) : this.palette.accent;
  }

  bestLines(run) {
    const colour = this.colour(run);
    const focus = this.focuses[run.index];
    const line = stepsOf(run);
    const lines = [{ ...line, colour, step: true, dash: this.runs.length > 1 ? this.palette.dash(run.search) : [], alpha: focus ? 0.35 : 1 }];
    if (run.reference) lines.unshift({ x: [], y: [], colour: this.palette.soft, band: run.reference });
    if (run.solution !== null) lines[lines.length - 1].marks = [[run.evaluation(run.solution), run.quality[run.best[run.solution]]]];
    if (focus) lines.push({ ...stepsOf(run, focus), colour, step: true, width: 2.4 });
    return lines;
  }

  visitedLines(run) {
    const focus = this.focuses[run.index];
    if (focus) return [{ ...this.perGeneration(run, focus), colour: this.colour(run), step: true }];
    const { visited } = this.visitedCells(run);
    const every = Math.max(1, Math.floor(run.count / 400));
    const [x, y] = [[0], [0]];
    for (let number = 0; number < run.count; number += every) {
      x.push(run.evaluation(number));
      y.push(visited[number]);
    }
    x.push(run.evaluations);
    y.push(visited[run.count - 1]);
    return [{ x, y, colour: this.colour(run), dash: this.runs.length > 1 ? this.palette.dash(run.search) : [] }];
  }

  /** The number of individuals of each generation in the focus. */
  perGeneration(run, focus) {
    const [x, y] = [[], []];
    for (let generation = 0; generation < run.first.length; generation++) {
      let found = 0;
      for (let number = run.first[generation]; number < run.generationEnd(generation); number++) found += focus.has(number);
      x.push(run.evaluation(run.first[generation]));
      y.push(found);
    }
    x.push(run.evaluations);
    y.push(y[y.length - 1]);
    this.charts[1].chart.name = "Selected per generation";
    return { x, y };
  }

  visitedCells(run) {
    const cached = this.cells[run.index];
    if (!cached || cached.plane !== run.plane || cached.count !== run.count) {
      this.cells[run.index] = { plane: run.plane, count: run.count, ...visitedCells(run) };
    }
    this.charts[1].chart.name = run.stride > 1 ? `Visited cells, of ${run.count.toLocaleString("en-GB")} evaluations` : "Visited cells";
    return this.cells[run.index];
  }

  visitedNow(run, number) {
    if (this.focuses[run.index]) return "";
    const { visited, cells } = this.visitedCells(run);
    return `${count(visited[number])} (${Math.round((100 * visited[number]) / cells)}%)`;
  }

  speciesLines(run) {
    const focus = this.focuses[run.index];
    const x = [...Array.from(run.first, (first) => run.evaluation(first) - 1), run.evaluations];
    const counts = focus ? Array.from(run.first, (_, generation) => this.speciesInFocus(run, generation, focus)) : [...run.riverCount];
    const y = [...counts, counts[counts.length - 1]];
    return [{ x, y, colour: this.colour(run), step: true, dash: this.runs.length > 1 ? this.palette.dash(run.search) : [] }];
  }

  /** The number of species with offspring in the focus in a generation. */
  speciesInFocus(run, generation, focus) {
    const found = new Set();
    for (let number = run.first[generation]; number < run.generationEnd(generation); number++) {
      if (focus.has(number)) found.add(run.species[number]);
    }
    this.charts[2].chart.name = "Species in the selection";
    return found.size;
  }

  speciesNow(run, number) {
    if (!this.focuses[run.index]) this.charts[2].chart.name = "Species";
    return run.hasSpecies && !this.focuses[run.index] ? count(run.riverCount[run.generationOf(number)]) : "";
  }
}

/** Best quality so far, of all individuals or of those in the focus, as steps. */
function stepsOf(run, focus = null) {
  const [x, y] = [[], []];
  let best = NaN;
  for (let number = 0; number < run.count; number++) {
    if (focus && !focus.has(number)) continue;
    const value = run.quality[number];
    if (!Number.isNaN(best) && !run.isBetter(value, best)) continue;
    best = value;
    x.push(x.length || focus ? run.evaluation(number) : 0);
    y.push(value);
  }
  x.push(run.evaluations);
  y.push(best);
  return { x, y };
}
