// Behaviours of earlier individuals: a faint layer that grows with the clock.

import { rgb } from "./palette.js";

const FAINT = { light: 85, dark: 105 }; // opacity of 255
const STRONG = 210; // opacity of individuals in the focus
const OUTSIDE = 26; // opacity of the others while some individuals are in the focus

/** The colour of an individual. */
export function colourOf(run, number, mode, palette) {
  if (mode === "species") return palette.species(run, run.species[number]);
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
    const colours = this.coloursOf(mode, palette);
    if (focus) {
      const grey = new Uint32Array(1).fill(packed(palette.unknown));
      this.paint(end, plane, ratio, side, grey, OUTSIDE, (number) => !focus.has(number));
      this.paint(end, plane, ratio, side, colours, STRONG, focus.has);
    } else {
      this.paint(end, plane, ratio, side, colours, FAINT[palette.theme], null);
    }
    this.drawn = end;
    this.canvas.getContext("2d").putImageData(this.image, 0, 0);
    return this.canvas;
  }

  /** Paint the individuals from the last one drawn to `end` as squares; one colour for all, or one for each. */
  paint(end, plane, ratio, side, colours, alpha, included) {
    const pixels = new Uint32Array(this.image.data.buffer);
    const { width: across, height: down } = this.canvas;
    const { x, y } = this.run;
    const [scaleX, offsetX] = [plane.scaleX * ratio, plane.offsetX * ratio - side / 2];
    const [scaleY, offsetY] = [plane.scaleY * ratio, plane.offsetY * ratio - side / 2];
    const single = colours.length === 1;
    const opacity = alpha << 24;
    for (let number = this.drawn; number < end; number++) {
      if (included && !included(number)) continue;
      const left = Math.round(offsetX + scaleX * x[number]);
      const top = Math.round(offsetY + scaleY * y[number]);
      if (left < 0 || top < 0 || left + side > across || top + side > down) continue;
      const value = (opacity | colours[single ? 0 : number]) >>> 0;
      for (let row = top * across; row < (top + side) * across; row += across) {
        for (let column = left; column < left + side; column++) pixels[row + column] = value;
      }
    }
  }

  /** The colour of each individual as image data holds it, without opacity; kept until it changes. */
  coloursOf(mode, palette) {
    const key = [mode, palette.theme, this.run.count, this.run.qualityRange].join();
    if (key !== this.coloursKey) {
      const known = new Map();
      this.colours = Uint32Array.from({ length: this.run.count }, (_, number) => {
        const hex = colourOf(this.run, number, mode, palette);
        if (!known.has(hex)) known.set(hex, packed(hex));
        return known.get(hex);
      });
      this.coloursKey = key;
    }
    return this.colours;
  }

  restart(key, width, height) {
    [this.canvas.width, this.canvas.height] = [Math.round(width), Math.round(height)];
    this.image = new ImageData(this.canvas.width, this.canvas.height);
    this.key = key;
    this.drawn = 0;
  }
}

/** A colour as the number that image data holds, red in the lowest byte, without opacity. */
function packed(hex) {
  const [red, green, blue] = rgb(hex);
  return (blue << 16) | (green << 8) | red;
}
