// Stepping stones: the lineage of an individual by first parents, back to the first generation.

import { disc, figure, prepare } from "./canvas.js";

const LEFT = 38;
const RIGHT = 12;
const GAP = 22;

/** The lineage by first parents, oldest first and the individual last, and all other ancestors. */
export function lineageOf(run, number) {
  return { tip: number, line: [...run.firstParents(number).reverse(), number], everybody: run.ancestors(number) };
}

/** Two small curves along the line: the measure, and the size of the genome. Remembers where the stones are. */
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
    const sizes = (number) => run.size[number];
    this.curve(context, width, 0, half, run.measure, (number) => run.quality[number], selected);
    this.curve(context, width, half + GAP, half, run.maze ? "connections in the genome" : "size of the genome", sizes, selected);
  }

  /** The stone nearest to a place on the canvas. */
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
    const share = (one) => (high > low ? (one - low) / (high - low) : 0.5);
    const y = (one) => top + 18 + (1 - share(one)) * (height - 26);
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
