// Canvases that are sharp on every screen, and the projection of a plane of behaviours to pixels.

/**
 * Make a canvas as large as it is shown.
 * @param {HTMLCanvasElement} canvas
 * @returns {{context: CanvasRenderingContext2D, width: number, height: number, ratio: number}} The context, scaled to
 *   CSS pixels, and the size in CSS pixels.
 */
export function prepare(canvas) {
  const ratio = window.devicePixelRatio || 1;
  // a frame without layout has no size, and an empty canvas cannot be drawn
  const [width, height] = [Math.max(canvas.clientWidth, 1), Math.max(canvas.clientHeight, 1)];
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== across || canvas.height !== down) [canvas.width, canvas.height] = [across, down];
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height, ratio };
}

/**
 * The map from behaviours to pixels: bounds fitted into a canvas, then zoomed and panned.
 * Dimensions of equal range have one scale, others fill the canvas; y points downwards in a maze, upwards elsewhere.
 */
export class Plane {
  /**
   * @param {number[]} bounds xmin, ymin, xmax, ymax.
   * @param {number} width Of the canvas, CSS pixels.
   * @param {number} height Of the canvas, CSS pixels.
   * @param {boolean} maze Whether the plane is a maze.
   * @param {{left: number, right: number, top: number, bottom: number}} margins Pixels outside the plane.
   * @param {{x: number, y: number, zoom: number}} view Centre as fractions of the bounds, and magnification.
   */
  constructor([left, top, right, bottom], width, height, maze, margins, view = { x: 0.5, y: 0.5, zoom: 1 }) {
    const roomX = width - margins.left - margins.right;
    const roomY = height - margins.top - margins.bottom;
    const across = roomX / (right - left);
    const down = roomY / (bottom - top);
    const equal = maze || Math.abs(right - left - (bottom - top)) < 1e-9 * (right - left);
    this.scaleX = (equal ? Math.min(across, down) : across) * view.zoom;
    this.scaleY = (equal ? this.scaleX : down * view.zoom) * (maze ? 1 : -1);
    this.offsetX = margins.left + roomX / 2 - this.scaleX * (left + view.x * (right - left));
    this.offsetY = margins.top + roomY / 2 - this.scaleY * (top + view.y * (bottom - top));
    this.box = [margins.left, margins.top, width - margins.right, height - margins.bottom];
    this.bounds = [left, top, right, bottom];
  }

  /** @param {number} x A behaviour's first coordinate. @returns {number} Pixels. */
  x(x) {
    return this.offsetX + this.scaleX * x;
  }

  /** @param {number} y A behaviour's second coordinate. @returns {number} Pixels. */
  y(y) {
    return this.offsetY + this.scaleY * y;
  }

  /** The behaviour at a pixel. */
  behaviour(x, y) {
    return [(x - this.offsetX) / this.scaleX, (y - this.offsetY) / this.scaleY];
  }
}

/** Begin a circular path. */
export function disc(context, x, y, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

/** Stroke a polyline through [x, y] pairs. */
export function line(context, points) {
  context.beginPath();
  points.forEach(([x, y], place) => (place ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.stroke();
}

/** Begin the path of a diamond. */
export function diamond(context, x, y, radius) {
  polygon(context, [[x, y - radius], [x + radius, y], [x, y + radius], [x - radius, y]]);
}

/** Begin the path of a triangle that points up. */
export function triangle(context, x, y, radius) {
  polygon(context, [[x, y - radius], [x + 0.95 * radius, y + 0.75 * radius], [x - 0.95 * radius, y + 0.75 * radius]]);
}

/** Begin the path of a square. */
export function square(context, x, y, half) {
  context.beginPath();
  context.rect(x - half, y - half, 2 * half, 2 * half);
}

/** Begin the path of a five-pointed star. */
export function star(context, x, y, radius) {
  const corners = Array.from({ length: 10 }, (_, corner) => {
    const angle = (corner / 5 - 0.5) * Math.PI;
    const reach = corner % 2 ? radius * 0.45 : radius;
    return [x + reach * Math.cos(angle), y + reach * Math.sin(angle)];
  });
  polygon(context, corners);
}

function polygon(context, corners) {
  context.beginPath();
  corners.forEach(([x, y], place) => (place ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
}

/**
 * Write a label on the map with a halo, inside the box of the canvas: a label at the right edge goes to the left of
 * its anchor. Nothing is written if the anchor is outside.
 * @param {number[]} box left, top, right, bottom in pixels.
 * @param {boolean} plate Whether a plate covers the walls below the label.
 */
export function label(context, text, x, y, gap, colour, halo, box, plate = false) {
  if (x < box[0] - gap || x > box[2] + gap || y < box[1] - gap || y > box[3] + gap) return;
  context.font = "600 11px system-ui, sans-serif";
  const width = context.measureText(text).width;
  const left = x + gap + width > box[2] ? Math.max(x - gap - width, box[0]) : x + gap;
  const base = Math.min(Math.max(y + 4, box[1] + 10), box[3] - 3);
  if (plate) {
    context.fillStyle = halo;
    context.globalAlpha = 0.85;
    context.fillRect(left - 3, base - 11, width + 6, 15);
    context.globalAlpha = 1;
  }
  context.lineWidth = 3;
  context.lineJoin = "round";
  context.strokeStyle = halo;
  context.strokeText(text, left, base);
  context.fillStyle = colour;
  context.fillText(text, left, base);
}

/**
 * Round ticks within a range.
 * @param {number} low
 * @param {number} high
 * @param {number} most The largest number of ticks.
 * @returns {number[]}
 */
export function ticks(low, high, most) {
  const span = high - low;
  if (!(span > 0) || most < 1) return [];
  const rough = span / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough * 0.999);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) found.push(k * step || 0);
  return found;
}

/** A count with separators of thousands. */
export function count(number) {
  return Math.round(number).toLocaleString("en-GB");
}

/** A measurement in about three significant digits. */
export function figure(number) {
  if (number === null || number === undefined || Number.isNaN(number)) return "none";
  return Math.abs(number) >= 1000 ? count(number) : String(Number(Number(number).toPrecision(3)));
}
