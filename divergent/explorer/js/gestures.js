// Gestures on a map: zoom with the wheel or two fingers, pan by dragging, select a rectangle, click a point.

const CLICK = 5; // pixels that a pointer may move during a click
const MOST_ZOOM = 60;

/** The view after a change of magnification that keeps one point of the plane under the pointer. */
export function zoomed(view, factor, plane, [x, y]) {
  const zoom = Math.min(Math.max(view.zoom * factor, 1), MOST_ZOOM);
  const [left, top, right, bottom] = plane.bounds;
  const [atX, atY] = plane.behaviour(x, y);
  const fixed = [(atX - left) / (right - left), (atY - top) / (bottom - top)];
  const shrink = view.zoom / zoom;
  return clamped({ x: fixed[0] + (view.x - fixed[0]) * shrink, y: fixed[1] + (view.y - fixed[1]) * shrink, zoom });
}

/** The view moved by some pixels. */
export function panned(view, plane, across, down) {
  const [left, top, right, bottom] = plane.bounds;
  return clamped({
    x: view.x - across / plane.scaleX / (right - left),
    y: view.y - down / plane.scaleY / (bottom - top),
    zoom: view.zoom,
  });
}

function clamped({ x, y, zoom }) {
  const reach = 0.5 / zoom;
  const inside = (place) => Math.min(Math.max(place, reach), 1 - reach);
  return { x: inside(x), y: inside(y), zoom };
}

/** Listens to the pointers on a map and calls actions. */
export class Gestures {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {object} actions plane(), view(), setView(view), brush(box|null), brushing(), click(x, y), hover(x, y), leave().
   */
  constructor(canvas, actions) {
    Object.assign(this, { canvas, actions });
    this.pointers = new Map();
    this.start = null;
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("dblclick", () => actions.setView({ x: 0.5, y: 0.5, zoom: 1 }));
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => this.up(event));
    canvas.addEventListener("pointerleave", () => actions.leave());
  }

  wheel(event) {
    event.preventDefault();
    const factor = Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015));
    this.actions.setView(zoomed(this.actions.view(), factor, this.actions.plane(), [event.offsetX, event.offsetY]));
  }

  down(event) {
    if (event.button > 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    const place = [event.offsetX, event.offsetY];
    this.pointers.set(event.pointerId, place);
    this.start = { place, moved: false, brush: this.actions.brushing() || event.shiftKey };
    this.apart = this.distance();
  }

  move(event) {
    const place = [event.offsetX, event.offsetY];
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      this.actions.hover(...place);
      return;
    }
    this.pointers.set(event.pointerId, place);
    if (this.pointers.size > 1) {
      this.pinch();
      return;
    }
    const { start } = this;
    if (!start.moved && Math.hypot(place[0] - start.place[0], place[1] - start.place[1]) < CLICK) return;
    start.moved = true;
    if (start.brush) this.actions.brush(this.box(start.place, place));
    else this.actions.setView(panned(this.actions.view(), this.actions.plane(), place[0] - before[0], place[1] - before[1]));
  }

  pinch() {
    const apart = this.distance();
    const places = [...this.pointers.values()];
    const middle = [(places[0][0] + places[1][0]) / 2, (places[0][1] + places[1][1]) / 2];
    if (this.apart > 0) this.actions.setView(zoomed(this.actions.view(), apart / this.apart, this.actions.plane(), middle));
    this.apart = apart;
    this.start.moved = true;
  }

  up(event) {
    if (!this.pointers.delete(event.pointerId) || this.pointers.size || !this.start) return;
    if (!this.start.moved && event.type === "pointerup") this.actions.click(...this.start.place);
    this.start = null;
  }

  /** A rectangle of the plane from two corners in pixels: xmin, ymin, xmax, ymax. */
  box(from, to) {
    const plane = this.actions.plane();
    const [[x1, y1], [x2, y2]] = [plane.behaviour(...from), plane.behaviour(...to)];
    return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
  }

  distance() {
    const [first, second] = [...this.pointers.values()];
    return second ? Math.hypot(first[0] - second[0], first[1] - second[1]) : 0;
  }
}
