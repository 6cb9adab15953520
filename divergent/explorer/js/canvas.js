// Canvases that are sharp on every screen, and the way from a run's plane to pixels.

/** Make a canvas as large as it is shown; returns its context, scaled to CSS pixels, with its width and height. */
export function prepare(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== across || canvas.height !== down) [canvas.width, canvas.height] = [across, down];
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height, ratio };
}

/** Fits bounds into a canvas, centred: a maze with one scale and y downwards, anything else filling it, y upwards. */
export class Plane {
  constructor([left, top, right, bottom], width, height, maze, margin) {
    const across = (width - 2 * margin) / (right - left);
    const down = (height - 2 * margin) / (bottom - top);
    this.scaleX = maze ? Math.min(across, down) : across;
    this.scaleY = maze ? this.scaleX : -down;
    this.offsetX = (width - this.scaleX * (left + right)) / 2;
    this.offsetY = (height - this.scaleY * (top + bottom)) / 2;
  }

  x(x) {
    return this.offsetX + this.scaleX * x;
  }

  y(y) {
    return this.offsetY + this.scaleY * y;
  }
}

export function disc(context, x, y, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

export function line(context, points) {
  context.beginPath();
  points.forEach(([x, y], place) => (place ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.stroke();
}

/** A word on the map, with the ground behind it so that it can be read on anything. */
export function word(context, text, x, y, colour, ground) {
  context.font = "600 11px system-ui, sans-serif";
  context.lineWidth = 3;
  context.lineJoin = "round";
  context.strokeStyle = ground;
  context.strokeText(text, x, y);
  context.fillStyle = colour;
  context.fillText(text, x, y);
}

export function count(number) {
  return Math.round(number).toLocaleString("en-GB");
}

/** A measurement in about three figures. */
export function figure(number) {
  if (Number.isNaN(number)) return "none";
  return Math.abs(number) >= 100 ? count(number) : String(Number(number.toPrecision(3)));
}
