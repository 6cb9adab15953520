// The data of many runs, and each of them in the form of a single run.

import { readBundle, Run } from "./data.js";

const EMPTY = ["score", "firstParent", "secondParent", "size", "species"];
const NOTHING = ["riverCount", "riverSpecies", "riverSize", "centroidsCount", "predictionsCount", "occupiedCount", "occupied", "archiveFrom", "archiveTo", "threshold"];

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

  /** Cells with an ancestor of the solution of a run. */
  stoneCells(index) {
    const [x, y] = [this.part("stone", "X", index), this.part("stone", "Y", index)];
    return new Set(Array.from(x, (_, k) => this.cellOf(x[k], y[k])));
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
      const at = (fraction) => values[Math.round(fraction * (values.length - 1))];
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
  run(index, place) {
    const summary = this.runs[index];
    const group = this.groupOf(summary);
    const count = this.pointCount[index];
    const arrays = Object.fromEntries(NOTHING.map((name) => [name, new Int32Array(0)]));
    for (const name of EMPTY) arrays[name] = new Int32Array(count);
    arrays.score = new Float32Array(count).fill(NaN);
    arrays.species.fill(-1);
    arrays.behaviour0 = this.part("point", "X", index);
    arrays.behaviour1 = this.part("point", "Y", index);
    for (const name of ["centroids0", "centroids1", "predictions0", "predictions1", "archive0", "archive1", "robots", "robotSteps", "robotLinks"]) arrays[name] = new Float32Array(0);
    arrays.quality = this.part("point", "Quality", index);
    const generations = Math.ceil(summary.evaluations / summary.population);
    arrays.first = Int32Array.from({ length: generations }, (_, k) => Math.ceil((k * summary.population) / summary.stride));
    arrays.generation = Int32Array.from({ length: generations }, (_, k) => k);
    for (const name of ["riverCount", "centroidsCount", "predictionsCount", "occupiedCount", "threshold"]) arrays[name] = new Int32Array(generations);
    const run = new Run(this.describe(summary, group, count), arrays, place);
    const trail = Array.from(this.part("trail", "X", index), (x, k) => [x, this.part("trail", "Y", index)[k]]);
    const stones = Array.from(this.part("stone", "X", index), (x, k) => [x, this.part("stone", "Y", index)[k]]);
    return Object.assign(run, { reference: this.quartiles(summary.group), bestTrail: trail.length ? trail : null, stones });
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
