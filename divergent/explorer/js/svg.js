// A drawing context that writes SVG: the operations of a canvas that the maps use.

/** Escape text for XML. */
function escaped(text) {
  return String(text).replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);
}

const round = (number) => Number(number.toFixed(2));

export class SvgContext {
  constructor() {
    this.parts = [];
    this.path = [];
    this.stack = [];
    this.clips = 0;
    this.state = { fillStyle: "#000", strokeStyle: "#000", lineWidth: 1, globalAlpha: 1, dash: [], font: "11px sans-serif", textAlign: "start", lineCap: "butt", lineJoin: "miter", groups: 0 };
    this.measure = document.createElement("canvas").getContext("2d");
    for (const name of ["fillStyle", "strokeStyle", "lineWidth", "globalAlpha", "font", "textAlign", "lineCap", "lineJoin", "imageSmoothingEnabled"]) {
      Object.defineProperty(this, name, { get: () => this.state[name], set: (value) => (this.state[name] = value) });
    }
  }

  save() {
    this.stack.push(this.state);
    this.state = { ...this.state, groups: 0 };
  }

  restore() {
    this.parts.push("</g>".repeat(this.state.groups));
    this.state = this.stack.pop();
  }

  /** Open a group that the matching restore closes. */
  group(attributes) {
    this.parts.push(`<g ${attributes}>`);
    this.state.groups++;
  }

  translate(x, y) {
    this.group(`transform="translate(${round(x)} ${round(y)})"`);
  }

  rotate(angle) {
    this.group(`transform="rotate(${round((angle * 180) / Math.PI)})"`);
  }

  transform(a, b, c, d, e, f) {
    this.group(`transform="matrix(${[a, b, c, d, e, f].join(" ")})"`);
  }

  clip() {
    const name = `clip${this.clips++}`;
    this.parts.push(`<clipPath id="${name}"><path d="${this.path.join("")}"/></clipPath>`);
    this.group(`clip-path="url(#${name})"`);
  }

  beginPath() {
    this.path = [];
  }

  moveTo(x, y) {
    this.path.push(`M${round(x)} ${round(y)}`);
  }

  lineTo(x, y) {
    this.path.push(`${this.path.length ? "L" : "M"}${round(x)} ${round(y)}`);
  }

  closePath() {
    this.path.push("Z");
  }

  rect(x, y, width, height) {
    this.path.push(`M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}Z`);
  }

  arc(x, y, radius, from, to) {
    if (to - from >= 2 * Math.PI - 1e-6) {
      this.ellipse(x, y, radius, radius);
      return;
    }
    const at = (angle) => `${round(x + radius * Math.cos(angle))} ${round(y + radius * Math.sin(angle))}`;
    this.path.push(`M${at(from)}A${round(radius)} ${round(radius)} 0 ${to - from > Math.PI ? 1 : 0} 1 ${at(to)}`);
  }

  ellipse(x, y, across, down) {
    const [rx, ry] = [round(across), round(down)];
    this.path.push(`M${round(x - across)} ${round(y)}a${rx} ${ry} 0 1 0 ${round(2 * across)} 0a${rx} ${ry} 0 1 0 ${round(-2 * across)} 0Z`);
  }

  setLineDash(dash) {
    this.state.dash = dash;
  }

  fill() {
    this.parts.push(`<path d="${this.path.join("")}" fill="${this.state.fillStyle}"${this.opacity()}/>`);
  }

  stroke() {
    this.parts.push(`<path d="${this.path.join("")}" fill="none"${this.strokeOf()}${this.opacity()}/>`);
  }

  fillRect(x, y, width, height) {
    this.beginPath();
    this.rect(x, y, width, height);
    this.fill();
  }

  strokeRect(x, y, width, height) {
    this.beginPath();
    this.rect(x, y, width, height);
    this.stroke();
  }

  fillText(text, x, y) {
    this.write(text, x, y, ` fill="${this.state.fillStyle}"`);
  }

  strokeText(text, x, y) {
    this.write(text, x, y, ` fill="none"${this.strokeOf()}`);
  }

  measureText(text) {
    this.measure.font = this.state.font;
    return this.measure.measureText(text);
  }

  drawImage(image, x, y, width, height) {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.naturalWidth || image.width, image.naturalHeight || image.height];
    canvas.getContext("2d").drawImage(image, 0, 0);
    const rendering = this.state.imageSmoothingEnabled === false ? ' style="image-rendering:pixelated"' : "";
    this.parts.push(`<image href="${canvas.toDataURL()}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" preserveAspectRatio="none"${rendering}${this.opacity()}/>`);
  }

  write(text, x, y, paint) {
    const anchor = { start: "start", center: "middle", right: "end" }[this.state.textAlign];
    this.parts.push(`<text x="${round(x)}" y="${round(y)}" style="font:${escaped(this.state.font)}" text-anchor="${anchor}"${paint}${this.opacity()}>${escaped(text)}</text>`);
  }

  strokeOf() {
    const { strokeStyle, lineWidth, dash, lineCap, lineJoin } = this.state;
    const dashes = dash.length ? ` stroke-dasharray="${dash.join(" ")}"` : "";
    return ` stroke="${strokeStyle}" stroke-width="${round(lineWidth)}" stroke-linecap="${lineCap}" stroke-linejoin="${lineJoin}"${dashes}`;
  }

  opacity() {
    return this.state.globalAlpha < 1 ? ` opacity="${round(this.state.globalAlpha)}"` : "";
  }

  /** The drawing as a group. */
  content() {
    return this.parts.join("\n");
  }
}
