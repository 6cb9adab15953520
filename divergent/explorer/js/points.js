// Where everybody ended: older points as a faint layer that grows with the clock, the latest drawn one by one.

import { rgb } from "./palette.js";

const FAINT = { light: 70, dark: 90 }; // of 255
const CELLS = 48; // of the heatmap, along the longer side

/** How a birth is coloured. */
export function colourOf(run, number, mode, palette) {
  if (mode === "species") return palette.species(run.species[number]);
  if (mode === "score") return palette.share(run.rank[number]);
  const { low, high } = run.arrays.quality;
  const share = (run.quality[number] - low) / (high - low);
  return palette.share(run.smaller ? 1 - share : share);
}

export class Layer {
  constructor(run) {
    this.run = run;
    this.canvas = document.createElement("canvas");
    this.key = "";
  }

  /** The layer with everybody born before `end`, as a canvas; what is drawn already is not drawn again. */
  upTo(end, plane, width, height, ratio, mode, palette) {
    const key = [width, height, ratio, mode, palette.theme, plane.offsetX, plane.scaleX].join();
    if (key !== this.key || end < this.drawn) this.restart(key, width * ratio, height * ratio);
    if (end === this.drawn) return this.canvas;
    const pixels = new Uint32Array(this.image.data.buffer);
    const across = this.canvas.width;
    const side = Math.max(1, Math.round(1.7 * ratio));
    for (let number = this.drawn; number < end; number++) {
      const left = Math.round(plane.x(this.run.x[number]) * ratio - side / 2);
      const top = Math.round(plane.y(this.run.y[number]) * ratio - side / 2);
      if (left < 0 || top < 0 || left + side > across || top + side > this.canvas.height) continue;
      const colour = this.pixel(colourOf(this.run, number, mode, palette), FAINT[palette.theme]);
      for (let row = top; row < top + side; row++) pixels.fill(colour, row * across + left, row * across + left + side);
    }
    this.drawn = end;
    this.canvas.getContext("2d").putImageData(this.image, 0, 0);
    return this.canvas;
  }

  restart(key, width, height) {
    [this.canvas.width, this.canvas.height] = [Math.round(width), Math.round(height)];
    this.image = new ImageData(this.canvas.width, this.canvas.height);
    this.key = key;
    this.drawn = 0;
    this.pixels = new Map();
  }

  /** A colour as the number that image data holds, red in the lowest byte. */
  pixel(hex, alpha) {
    if (!this.pixels.has(hex)) {
      const [red, green, blue] = rgb(hex);
      this.pixels.set(hex, ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0);
    }
    return this.pixels.get(hex);
  }
}

export class Heatmap {
  constructor(run) {
    this.run = run;
    const [left, top, right, bottom] = run.bounds;
    const side = Math.max(right - left, bottom - top) / CELLS;
    [this.cellX, this.cellY] = run.maze ? [side, side] : [(right - left) / CELLS, (bottom - top) / CELLS];
    this.across = Math.ceil((right - left) / this.cellX - 1e-9);
    this.down = Math.ceil((bottom - top) / this.cellY - 1e-9);
    this.canvas = document.createElement("canvas");
    [this.canvas.width, this.canvas.height] = [this.across, this.down];
    this.counts = new Int32Array(this.across * this.down);
    this.counted = 0;
    this.most = 0;
  }

  /** Draw how often each cell was visited before `end`, on a logarithmic scale. */
  draw(context, end, plane, palette) {
    this.countTo(end);
    const image = new ImageData(this.across, this.down);
    const [red, green, blue] = rgb(palette.heat);
    const scale = 215 / Math.log(1 + this.most);
    this.counts.forEach((visits, place) => {
      if (visits) image.data.set([red, green, blue, 20 + scale * Math.log(1 + visits)], 4 * place);
    });
    this.canvas.getContext("2d").putImageData(image, 0, 0);
    const [left, top] = this.run.bounds;
    context.save();
    context.transform(plane.scaleX, 0, 0, plane.scaleY, plane.offsetX, plane.offsetY);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.canvas, left, top, this.across * this.cellX, this.down * this.cellY);
    context.restore();
  }

  countTo(end) {
    if (end < this.counted) {
      this.counts.fill(0);
      this.counted = this.most = 0;
    }
    const [left, top] = this.run.bounds;
    for (; this.counted < end; this.counted++) {
      const column = Math.min(Math.floor((this.run.x[this.counted] - left) / this.cellX), this.across - 1);
      const row = Math.min(Math.floor((this.run.y[this.counted] - top) / this.cellY), this.down - 1);
      this.most = Math.max(this.most, ++this.counts[row * this.across + column]);
    }
  }
}
