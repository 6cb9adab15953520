// Grids over the plane: how often each cell was visited, and the best quality in each cell.

import { rgb } from "./palette.js";

const CELLS = 48; // along the longer side

/** A grid of cells over the behaviours, filled up to a moment. */
class Grid {
  constructor(run) {
    this.run = run;
    this.canvas = document.createElement("canvas");
    this.fit();
  }

  /** Lay the grid over the dimensions that the run shows now. */
  fit() {
    const { run } = this;
    const [left, top, right, bottom] = run.bounds;
    const side = Math.max(right - left, bottom - top) / CELLS;
    [this.cellX, this.cellY] = run.maze ? [side, side] : [(right - left) / CELLS, (bottom - top) / CELLS];
    this.across = Math.ceil((right - left) / this.cellX - 1e-9);
    this.down = Math.ceil((bottom - top) / this.cellY - 1e-9);
    [this.canvas.width, this.canvas.height] = [this.across, this.down];
    this.values = new Float64Array(this.across * this.down);
    this.plane = run.plane;
    this.restart();
  }

  /** The cell of an individual. */
  cell(number) {
    const [left, top] = this.run.bounds;
    const column = Math.min(Math.max(Math.floor((this.run.x[number] - left) / this.cellX), 0), this.across - 1);
    const row = Math.min(Math.max(Math.floor((this.run.y[number] - top) / this.cellY), 0), this.down - 1);
    return row * this.across + column;
  }

  /** Fill the grid with the individuals before `end`, of the focus if there is one. */
  fill(end, focus) {
    const key = focus ? focus.key : "";
    if (this.plane !== this.run.plane) this.fit();
    if (end < this.filled || key !== this.focusKey) this.restart();
    this.focusKey = key;
    for (; this.filled < end; this.filled++) {
      if (!focus || focus.has(this.filled)) this.add(this.filled);
    }
  }

  /** Draw the cells; returns the range of values for a colour bar. */
  draw(context, end, plane, palette, focus = null) {
    this.fill(end, focus);
    const image = new ImageData(this.across, this.down);
    const [low, high] = this.range();
    this.values.forEach((value, cell) => {
      if (!this.isFilled(value)) return;
      image.data.set([...rgb(palette.value(this.fraction(value, low, high))), 235], 4 * cell);
    });
    this.canvas.getContext("2d").putImageData(image, 0, 0);
    const [left, top] = this.run.bounds;
    context.save();
    context.transform(plane.scaleX, 0, 0, plane.scaleY, plane.offsetX, plane.offsetY);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.canvas, left, top, this.across * this.cellX, this.down * this.cellY);
    context.restore();
    return [low, high];
  }
}

/** Visits of each cell, coloured on a logarithmic scale. */
export class Density extends Grid {
  restart() {
    this.values.fill(0);
    this.filled = this.most = 0;
  }

  add(number) {
    this.most = Math.max(this.most, ++this.values[this.cell(number)]);
  }

  isFilled(value) {
    return value > 0;
  }

  range() {
    return [1, Math.max(this.most * this.run.stride, 2)];
  }

  fraction(value) {
    return this.most > 1 ? Math.log(value) / Math.log(this.most) : 0;
  }
}

/** The best quality in each cell, as in plots of MAP-Elites archives. */
export class EliteGrid extends Grid {
  restart() {
    this.values.fill(NaN);
    this.filled = 0;
  }

  add(number) {
    const cell = this.cell(number);
    const value = this.run.quality[number];
    if (Number.isNaN(this.values[cell]) || this.run.isBetter(value, this.values[cell])) this.values[cell] = value;
  }

  isFilled(value) {
    return !Number.isNaN(value);
  }

  /** The range of the whole run, so that a colour has one meaning at all times. */
  range() {
    return this.run.qualityRange;
  }

  fraction(value, low, high) {
    const fraction = high > low ? (value - low) / (high - low) : 1;
    return this.run.smaller ? 1 - fraction : fraction;
  }
}

/** After each individual the number of cells visited so far. */
export function visitedCells(run) {
  const grid = new Density(run);
  const visited = new Int32Array(run.count);
  let cells = 0;
  for (let number = 0; number < run.count; number++) {
    if (grid.values[grid.cell(number)]++ === 0) cells++;
    visited[number] = cells;
  }
  return { visited, cells: grid.values.length };
}
