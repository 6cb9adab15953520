// A chart over evaluations with the play-head of the clock; a click or drag moves the clock.

import { count, prepare } from "./canvas.js";
import { element } from "./element.js";

export const LEFT = 46;
export const RIGHT = 10;
const STRIP = 15; // pixels of the name above the content

/** A canvas over evaluations. Subclasses paint what does not depend on the moment; that is painted once and kept. */
export class Chart {
  /**
   * @param {{name: string, height: string, limit: number, palette: Palette, seek: (moment: number) => void}} options
   */
  constructor({ name, height, limit, palette, seek }) {
    Object.assign(this, { name, limit, palette });
    this.top = name ? STRIP : 0;
    this.canvas = element("canvas", { class: `chart ${height}`, role: "img", "aria-label": name });
    this.whole = document.createElement("canvas");
    this.key = "";
    const move = (event) => event.buttons & 1 && seek(this.momentAt(event.offsetX));
    this.canvas.addEventListener("pointerdown", move);
    this.canvas.addEventListener("pointermove", move);
  }

  /** @param {number} moment @param {string} version Changes whenever the painted content does. */
  draw(moment, version = "") {
    const { context, width, height, ratio } = prepare(this.canvas);
    if (!width) return;
    this.width = width;
    this.paintWhole(width, height, ratio, version);
    const now = this.x(moment);
    context.globalAlpha = 0.3;
    context.drawImage(this.whole, 0, 0, width, height);
    context.globalAlpha = 1;
    context.save();
    context.beginPath();
    context.rect(0, 0, now, height);
    context.clip();
    context.clearRect(0, 0, now, height);
    context.drawImage(this.whole, 0, 0, width, height);
    context.restore();
    context.strokeStyle = this.palette.ink;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(Math.round(now) + 0.5, this.top);
    context.lineTo(Math.round(now) + 0.5, height);
    context.stroke();
    this.label(context, width, height);
  }

  x(evaluations) {
    return LEFT + (evaluations / this.limit) * (this.width - LEFT - RIGHT);
  }

  /** The moment at a place on the canvas. */
  momentAt(x) {
    return ((x - LEFT) / (this.width - LEFT - RIGHT)) * this.limit;
  }

  paintWhole(width, height, ratio, version) {
    const key = [width, height, ratio, this.palette.theme, this.limit, version].join();
    if (key === this.key) return;
    this.key = key;
    [this.whole.width, this.whole.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    const context = this.whole.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.strokeStyle = this.palette.line;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(LEFT, height - 0.5);
    context.lineTo(width - RIGHT, height - 0.5);
    context.stroke();
    this.paint(context, height);
  }

  /** Write the scale, and the name above the content. */
  label(context, width, height) {
    const { soft, ink } = this.palette;
    context.font = "10px system-ui, sans-serif";
    context.fillStyle = soft;
    context.textAlign = "right";
    this.scale().forEach(([text, fraction]) => context.fillText(text, LEFT - 6, this.top + 9 + fraction * (height - this.top - 12)));
    context.textAlign = "start";
    if (!this.name) return;
    context.font = "600 10.5px system-ui, sans-serif";
    context.fillStyle = ink;
    context.fillText(this.name, LEFT, 11);
  }

  scale() {
    return [];
  }
}

/** Lines of several runs over one scale. */
export class LineChart extends Chart {
  /** @param {object} options Those of Chart. @param {(run: Run) => {x: number[], y: number[]}[]} lines */
  constructor(options, lines) {
    super(options);
    this.lines = lines;
  }

  paint(context, height) {
    const lines = this.lines();
    const values = lines.flatMap(({ y, band }) => [...y, ...(band ? [...band.low, ...band.high] : [])]).filter(Number.isFinite);
    this.low = Math.min(...(this.zero ? [0] : []), ...extent(values)[0]);
    this.high = extent(values)[1];
    if (!(this.high > this.low)) this.high = this.low + 1;
    const place = (value) => this.top + 3 + (1 - (value - this.low) / (this.high - this.low)) * (height - this.top - 7);
    for (const { band, colour } of lines) if (band) this.area(context, band, colour, place);
    for (const { x, y, colour, dash, step, width, alpha } of lines) {
      context.strokeStyle = colour;
      context.globalAlpha = alpha ?? 1;
      context.lineWidth = width || 1.7;
      context.lineJoin = "round";
      context.setLineDash(dash || []);
      context.beginPath();
      let before = null;
      x.forEach((evaluations, k) => {
        if (!Number.isFinite(y[k])) return;
        if (before === null) context.moveTo(this.x(evaluations), place(y[k]));
        else if (step) context.lineTo(this.x(evaluations), place(before));
        context.lineTo(this.x(evaluations), place(y[k]));
        before = y[k];
      });
      context.stroke();
      context.setLineDash([]);
      context.globalAlpha = 1;
    }
    for (const { marks, colour } of lines) {
      context.fillStyle = colour;
      (marks || []).forEach(([evaluations, value]) => {
        context.beginPath();
        context.arc(this.x(evaluations), place(value), 3.5, 0, 2 * Math.PI);
        context.fill();
      });
    }
  }

  area(context, { x, low, high }, colour, place) {
    context.beginPath();
    x.forEach((evaluations, k) => context.lineTo(this.x(evaluations), place(high[k])));
    for (let k = x.length - 1; k >= 0; k--) context.lineTo(this.x(x[k]), place(low[k]));
    context.globalAlpha = 0.16;
    context.fillStyle = colour;
    context.fill();
    context.globalAlpha = 1;
  }

  scale() {
    const shown = (value) => (Math.abs(value) >= 1000 ? count(value) : String(Number(value.toPrecision(3))));
    return this.low === undefined ? [] : [[shown(this.high), 0], [shown(this.low), 1]];
  }
}

function extent(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [[low], high] : [[0], 1];
}
