// Behaviours of earlier individuals: a faint layer that grows with the clock.

import { rgb } from "./palette.js";

const FAINT = { light: 85, dark: 105 }; // opacity of 255
const STRONG = 210; // opacity of individuals in the focus
const OUTSIDE = 26; // opacity of the others while some individuals are in the focus

/** The colour of an individual. */
export function colourOf(run, number, mode, palette) {
  if (mode === "species") return palette.species(run.species[number]);
  if (mode === "score") return palette.value(run.rank[number]);
  return palette.value(run.relativeQuality(number));
}

/**
 * Points drawn pixel by pixel into an image, since 60,000 discs would take too long; individuals that are drawn
 * already are not drawn again.
 */
export class Layer {
  constructor(run) {
    this.run = run;
    this.canvas = document.createElement("canvas");
    this.key = "";
  }

  /**
   * Draw all individuals before `end`.
   * @param {number} end
   * @param {Plane} plane
   * @param {{width: number, height: number, ratio: number}} size
   * @param {string} mode "species", "score" or "quality".
   * @param {Palette} palette
   * @param {Focus|null} focus Individuals that stand out, null if none do.
   * @returns {HTMLCanvasElement}
   */
  upTo(end, plane, { width, height, ratio }, mode, palette, focus) {
    const place = [plane.offsetX, plane.scaleX, plane.offsetY, plane.scaleY, ...this.run.plane];
    const key = [width, height, ratio, mode, palette.theme, ...place, focus && focus.key].join();
    if (key !== this.key || end < this.drawn) this.restart(key, width * ratio, height * ratio);
    if (end === this.drawn) return this.canvas;
    const side = Math.max(1, Math.round((focus ? 2.2 : 1.7) * ratio));
    if (focus) {
      this.paint(this.drawn, end, plane, ratio, side, () => palette.unknown, OUTSIDE, (number) => !focus.has(number));
      this.paint(this.drawn, end, plane, ratio, side, (number) => colourOf(this.run, number, mode, palette), STRONG, focus.has);
    } else {
      this.paint(this.drawn, end, plane, ratio, side, (number) => colourOf(this.run, number, mode, palette), FAINT[palette.theme]);
    }
    this.drawn = end;
    this.canvas.getContext("2d").putImageData(this.image, 0, 0);
    return this.canvas;
  }

  paint(start, end, plane, ratio, side, colour, alpha, included = null) {
    const pixels = new Uint32Array(this.image.data.buffer);
    const { width: across, height: down } = this.canvas;
    const { x, y } = this.run;
    for (let number = start; number < end; number++) {
      if (included && !included(number)) continue;
      const left = Math.round(plane.x(x[number]) * ratio - side / 2);
      const top = Math.round(plane.y(y[number]) * ratio - side / 2);
      if (left < 0 || top < 0 || left + side > across || top + side > down) continue;
      const value = this.pixel(colour(number), alpha);
      for (let row = top; row < top + side; row++) pixels.fill(value, row * across + left, row * across + left + side);
    }
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
    const key = hex + alpha;
    if (!this.pixels.has(key)) {
      const [red, green, blue] = rgb(hex);
      this.pixels.set(key, ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0);
    }
    return this.pixels.get(key);
  }
}
