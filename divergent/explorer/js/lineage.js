// The lineage of an individual by first parents, back to the first generation: its stepping stones.

import { disc, figure, prepare } from "./canvas.js";

const LEFT = 46;
const RIGHT = 12;
const GAP = 22;

/** The lineage by first parents, oldest first and the individual last, and all ancestors. */
export function lineageOf(run, number) {
  return { tip: number, line: [...run.firstParents(number).reverse(), number], all: run.ancestors(number) };
}

/** Quality and genome size along a lineage. */
export class LineageChart {
  constructor(canvas, palette) {
    this.canvas = canvas;
    this.palette = palette;
    this.stones = [];
  }

  draw(run, lineage, selected) {
    const { context, width, height } = prepare(this.canvas);
    const half = (height - GAP) / 2;
    this.stones = lineage.line.map((number) => ({ number, x: this.x(number, lineage.tip, width) }));
    this.curve(context, width, 0, half, run.measure, (number) => run.quality[number], selected);
    const genome = run.maze ? "connections" : "genome size";
    this.curve(context, width, half + GAP, half, genome, (number) => run.size[number], selected);
  }

  /** The individual of the lineage that is nearest to a place on the canvas. */
  find(x) {
    return this.stones.reduce((near, stone) => (Math.abs(stone.x - x) < Math.abs(near.x - x) ? stone : near)).number;
  }

  x(number, tip, width) {
    return LEFT + (number / Math.max(tip, 1)) * (width - LEFT - RIGHT);
  }

  curve(context, width, top, height, name, value, selected) {
    const { accent, soft, ink, line, panel } = this.palette;
    const values = this.stones.map(({ number }) => value(number));
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const fraction = (value) => (high > low ? (value - low) / (high - low) : 0.5);
    const y = (value) => top + 18 + (1 - fraction(value)) * (height - 26);
    context.fillStyle = soft;
    context.font = "10px system-ui, sans-serif";
    context.fillText(name, LEFT, top + 8);
    context.textAlign = "right";
    context.fillText(figure(high), LEFT - 8, y(high) + 4);
    if (high > low) context.fillText(figure(low), LEFT - 8, y(low) + 2);
    context.textAlign = "start";
    context.strokeStyle = line;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(LEFT, top + height - 1.5);
    context.lineTo(width - RIGHT, top + height - 1.5);
    context.stroke();
    context.strokeStyle = accent;
    context.lineWidth = 1.4;
    context.beginPath();
    this.stones.forEach(({ x }, place) => context.lineTo(x, y(values[place])));
    context.stroke();
    this.stones.forEach(({ number, x }, place) => {
      disc(context, x, y(values[place]), number === selected ? 5 : 2.6);
      context.fillStyle = number === selected ? ink : panel;
      context.fill();
      context.strokeStyle = number === selected ? ink : accent;
      context.stroke();
    });
  }
}
