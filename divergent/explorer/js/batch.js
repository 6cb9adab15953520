// The data of many runs, and each of them in the form of a single run.

import { readBundle, Run } from "./data.js";

const EMPTY = ["riverSpecies", "riverSize", "occupied", "archiveFrom", "archiveTo", "centroids0", "centroids1", "predictions0", "predictions1", "archive0", "archive1", "robots", "robotSteps", "robotLinks"];
const PER_INDIVIDUAL = ["firstParent", "secondParent", "size"];
const PER_GENERATION = ["riverCount", "centroidsCount", "predictionsCount", "occupiedCount", "threshold"];
const WITHOUT_REPEAT =
  "This overview was made from records, which contain neither species nor predictions. To include them, make the overview with --repeat (repeat=True in Python), or make a page of this run alone.";

/** The runs of an overview with arrays over all of them. */
export class Batch {
  /** @param {object} description See _batch.py. @param {object} arrays */
  constructor(description, arrays) {
    Object.assign(this, description, arrays);
    this.bounds = [this.dimensions[0].low, this.dimensions[1].low, this.dimensions[0].high, this.dimensions[1].high];
    const starts = (counts) => counts.reduce((sums, length) => [...sums, sums[sums.length - 1] + length], [0]);
    for (const name of ["point", "curve", "trail", "stone"]) this[`${name}Start`] = starts(Array.from(this[`${name}Count`]));
    this.cells = this.shape[0] * this.shape[1];
    this.limit = Math.max(...this.groups.map(({ budget }) => budget));
    this.runs.forEach((run, index) => Object.assign(run, { index }));
    this.hasStones = this.stoneX.length > 0;
    this.anySolved = this.runs.some(({ solved }) => solved);
  }

  static async read(description) {
    return new Batch(description, await readBundle(0, description.arrays));
  }

  /** Part of an array that belongs to a run. */
  part(name, suffix, index) {
    return this[`${name}${suffix}`].subarray(this[`${name}Start`][index], this[`${name}Start`][index + 1]);
  }

  /** Runs by outcome: solved ones by evaluations, then the others by their best quality. */
  byOutcome(shown) {
    const better = (a, b) => (this.smaller ? a.best - b.best : b.best - a.best);
    return this.runs
      .filter(({ group }) => shown.has(group))
      .sort((a, b) => b.solved - a.solved || (a.solved ? a.evaluations - b.evaluations : better(a, b)) || a.seed - b.seed);
  }

  /** The group of a run. */
  groupOf({ group }) {
    return this.groups.find(({ name }) => name === group);
  }

  /**
   * Values of the cells over the runs of some groups.
   * @param {"runs"|"visits"|"final"|"stones"} kind
   * @returns {{values: Float64Array, runs: number}} Runs that visited a cell, all visits, visits at the end of the
   *   runs, or runs whose solution has an ancestor in the cell; and the number of runs.
   */
  cellValues(kind, shown) {
    const values = new Float64Array(this.cells);
    const runs = this.runs.filter((run) => shown.has(run.group) && (kind !== "stones" || this.stoneCount[run.index]));
    for (const { index } of runs) {
      if (kind === "stones") {
        for (const cell of this.stoneCells(index)) values[cell]++;
        continue;
      }
      const source = kind === "final" ? this.finalVisits : this.visits;
      for (let cell = 0; cell < this.cells; cell++) {
        const visits = source[index * this.cells + cell];
        values[cell] += kind === "runs" ? visits > 0 : visits;
      }
    }
    return { values, runs: runs.length };
  }

  /** Cells in blocks of two by two with an ancestor of the solution of a run; the solution itself is none. */
  stoneCells(index) {
    const [x, y] = [this.part("stone", "X", index), this.part("stone", "Y", index)];
    const [columns, rows] = this.shape;
    const found = new Set();
    for (let k = 0; k < x.length - 1; k++) {
      const cell = this.cellOf(x[k], y[k]);
      const [column, row] = [2 * Math.floor((cell % columns) / 2), 2 * Math.floor(cell / columns / 2)];
      for (const [across, down] of [[0, 0], [1, 0], [0, 1], [1, 1]]) {
        if (column + across < columns && row + down < rows) found.add((row + down) * columns + column + across);
      }
    }
    return found;
  }

  /** The cell of a behaviour. */
  cellOf(x, y) {
    const column = Math.min(Math.max(Math.floor((x - this.bounds[0]) / this.cellSize[0]), 0), this.shape[0] - 1);
    const row = Math.min(Math.max(Math.floor((y - this.bounds[1]) / this.cellSize[1]), 0), this.shape[1] - 1);
    return row * this.shape[0] + column;
  }

  /** Quartiles of the best quality so far over the runs of a group. */
  quartiles(group, points = 60) {
    const members = this.runs.filter((run) => run.group === group);
    const x = Array.from({ length: points + 1 }, (_, k) => (k * this.limit) / points);
    const [low, high, median] = [[], [], []];
    for (const moment of x) {
      const values = members.map(({ index }) => this.bestAt(index, moment)).sort((a, b) => a - b);
      const at = (fraction) => quantile(values, fraction);
      low.push(at(0.25));
      median.push(at(0.5));
      high.push(at(0.75));
    }
    return { x, low, high, median };
  }

  /** The best quality of a run by a number of evaluations. */
  bestAt(index, moment) {
    const [x, y] = [this.part("curve", "X", index), this.part("curve", "Y", index)];
    let value = y[0];
    for (let k = 0; k < x.length && x[k] <= moment; k++) value = y[k];
    return value;
  }

  /** A run as the application of single runs shows it; its behaviours are thinned. */
  async run(index, place) {
    const summary = this.runs[index];
    const arrays = this.arraysOf(index);
    if (summary.detail) Object.assign(arrays, await readBundle(1 + index, summary.detail));
    const run = new Run(this.describe(summary, this.groupOf(summary), this.pointCount[index]), arrays, place);
    const pairs = (name) => Array.from(this.part(name, "X", index), (x, k) => [x, this.part(name, "Y", index)[k]]);
    const [trail, stones] = [pairs("trail"), pairs("stone")];
    if (!summary.detail) run.withoutRepeat = WITHOUT_REPEAT;
    run.remark = thinning(run);
    return Object.assign(run, { reference: this.quartiles(summary.group), bestTrail: trail.length ? trail : null, stones, generationSize: summary.population });
  }

  /** The arrays of a run that was not repeated: behaviours and qualities, but no species and no memory. */
  arraysOf(index) {
    const { evaluations, population, stride } = this.runs[index];
    const count = this.pointCount[index];
    const generations = Math.ceil(evaluations / population);
    const zeros = (names, length) => Object.fromEntries(names.map((name) => [name, new Int32Array(length)]));
    return {
      ...zeros(EMPTY, 0),
      ...zeros(PER_INDIVIDUAL, count),
      ...zeros(PER_GENERATION, generations),
      score: new Float32Array(count).fill(NaN),
      species: new Int32Array(count).fill(-1),
      behaviour0: this.part("point", "X", index),
      behaviour1: this.part("point", "Y", index),
      quality: this.part("point", "Quality", index),
      first: Int32Array.from({ length: generations }, (_, k) => Math.ceil((k * population) / stride)),
      generation: Int32Array.from({ length: generations }, (_, k) => k),
    };
  }

  describe(summary, group, count) {
    const members = this.byOutcome(new Set([summary.group]));
    const place = members.indexOf(summary) + 1;
    const solved = members.filter((run) => run.solved).length;
    const outcome = summary.solved ? `solved after ${summary.evaluations.toLocaleString("en-GB")} evaluations` : "not solved";
    return {
      title: `${group.title}, seed ${summary.seed}`,
      searchName: group.title,
      facts: `${outcome}; place ${place} of ${members.length} by outcome, ${solved} of which solved`,
      search: summary.search,
      sentence: group.sentence,
      settings: [["seed", String(summary.seed)], ["place", `${place} of ${members.length}`]],
      evaluations: summary.evaluations,
      dimensions: this.dimensions,
      plane: [0, 1],
      measure: this.measure,
      smaller: this.smaller,
      solution: summary.solved ? count - 1 : null,
      remark: "",
      maze: this.maze,
      background: this.background,
      backgroundPlane: [0, 1],
      images: {},
      roles: [],
      stride: summary.stride,
    };
  }
}

/** A quantile of sorted values, interpolated. */
function quantile(values, fraction) {
  const place = fraction * (values.length - 1);
  const low = Math.floor(place);
  const high = Math.min(low + 1, values.length - 1);
  return values[low] + (values[high] - values[low]) * (place - low);
}

/** What an overview leaves out of a run, in words; empty if nothing. */
function thinning(run) {
  const parts = [];
  if (run.stride > 1) parts.push(`every ${ordinal(run.stride)} evaluation`);
  const memories = run.memoryAt.length;
  if ((run.hasPredictions || run.hasArchive) && memories < run.first.length) parts.push(`the memory of the search in ${memories} of ${run.first.length} generations`);
  return parts.length ? `The overview has ${parts.join(", and ")}. A page of this run alone has all of it.` : "";
}

function ordinal(number) {
  const ending = { 1: "st", 2: "nd", 3: "rd" }[number % 10];
  return `${number}${Math.floor(number / 10) % 10 === 1 || !ending ? "th" : ending}`;
}
