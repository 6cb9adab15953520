// The map of a run: the behaviours of all individuals evaluated so far, and the layers above and below them.

import { AXES_MARGINS, drawAxes } from "./axes.js";
import { count, disc, figure, label, line, Plane, prepare, star } from "./canvas.js";
import { RAYS, REACH } from "./drive.js";
import { drawArchive, drawPredictions } from "./predictions.js";
import { focusOf, members } from "./focus.js";
import { Density, EliteGrid } from "./grids.js";
import { colourOf, Layer } from "./points.js";

const FRESH = 3; // generations that are drawn as discs
const NEAR = 12; // pixels from a pointer to a point that it means
const ROBOT_RADIUS = 8;
const GOAL_RADIUS = 5;
const MAZE_MARGINS = { left: 12, right: 12, top: 12, bottom: 12 };

export class MapView {
  constructor(run, canvas, palette) {
    this.canvas = canvas;
    this.palette = palette;
    this.setRun(run);
  }

  /** Show a run; a run that has grown keeps its layers. */
  setRun(run) {
    this.run = run;
    this.layer = new Layer(run);
    this.density = new Density(run);
    this.elites = new EliteGrid(run);
    this.image = run.background ? Object.assign(new Image(), { src: run.background }) : null;
  }

  draw(state) {
    const size = prepare(this.canvas);
    this.paint(size.context, size, state);
  }

  /** Draw the state on any context with the operations of a canvas, such as that of an SVG file. */
  paint(context, size, state) {
    const { run, palette } = this;
    const { width, height } = size;
    const evaluated = run.evaluatedBy(state.clock.moment);
    const generation = run.generationOf(Math.max(evaluated - 1, 0));
    this.plane = new Plane(run.bounds, width, height, Boolean(run.maze), run.maze ? MAZE_MARGINS : AXES_MARGINS, state.view);
    this.evaluated = evaluated;
    this.focus = focusOf(run, state);
    const memory = run.memoryOf(generation);
    // the memory of a strategy belongs to one generation
    this.oldest = state.memory && (run.hasPredictions || run.hasArchive) ? run.first[run.memoryAt[memory]] : 0;
    const selected = state.run === run.index ? state.individual : null;
    this.dimmed = selected === null ? 1 : 0.35;
    this.values = null;
    context.save();
    context.beginPath();
    const [left, top, right, bottom] = this.plane.box;
    if (!run.maze) {
      context.rect(left, top, right - left, bottom - top);
      context.clip();
    }
    this.drawBackground(context);
    this.drawPoints(context, size, state, evaluated);
    if (run.maze) this.drawMaze(context);
    if (state.memory && run.hasArchive) drawArchive(context, run, memory, this.plane, palette);
    if (state.layer === "points") this.drawFresh(context, evaluated, state);
    if (state.memory && run.hasPredictions) drawPredictions(context, run, memory, this.plane, palette);
    if (state.ancestry && state.ancestry.run === run.index) this.drawAncestry(context, state.ancestry);
    if (selected !== null) this.drawLineage(context, state);
    if (selected !== null) this.drawSelected(context, state);
    if (run.maze) this.nameStartAndGoal(context);
    if (run.solution !== null && evaluated > run.solution) this.drawSolution(context);
    if (state.hover && state.hover.run === run.index) this.drawHover(context, state.hover.number);
    if (state.brush) this.drawBrush(context, state.brush);
    context.restore();
    if (!run.maze) drawAxes(context, this.plane, run.axes, height, palette);
  }

  /** The individual nearest to a place on the canvas, null if none is near; of equally near ones the latest. */
  find(x, y) {
    let nearest = NEAR * NEAR;
    let found = null;
    const { run, plane, focus } = this;
    for (let number = this.oldest; number < this.evaluated; number++) {
      const distance = (plane.x(run.x[number]) - x) ** 2 + (plane.y(run.y[number]) - y) ** 2;
      if (distance <= nearest && (!focus || focus.has(number))) [nearest, found] = [distance, number];
    }
    return found;
  }

  /** The place of an individual on the canvas. */
  at(number) {
    return [this.plane.x(this.run.x[number]), this.plane.y(this.run.y[number])];
  }

  screen([x, y]) {
    return [this.plane.x(x), this.plane.y(y)];
  }

  drawBackground(context) {
    const { image, run, plane } = this;
    if (!image || !image.complete || run.plane.join() !== run.backgroundPlane.join()) return;
    const [left, top, right, bottom] = run.bounds;
    const [x, y] = [plane.x(left), plane.y(bottom)];
    context.drawImage(image, x, y, plane.x(right) - x, plane.y(top) - y);
  }

  drawPoints(context, size, state, evaluated) {
    const { run, palette, plane, focus } = this;
    if (state.layer === "density") this.values = this.density.draw(context, evaluated, plane, palette, focus);
    else if (state.layer === "elites") this.values = this.elites.draw(context, evaluated, plane, palette, focus);
    else if (!this.oldest) {
      context.globalAlpha = this.dimmed;
      const settled = Math.max(evaluated - this.freshSpan(), 0);
      context.drawImage(this.layer.upTo(settled, plane, size, state.colour, palette, focus), 0, 0, size.width, size.height);
      context.globalAlpha = 1;
    }
  }

  freshSpan() {
    return Math.ceil((FRESH * this.run.generationSize) / this.run.stride);
  }

  drawMaze(context) {
    const { maze } = this.run;
    const { ink, goal } = this.palette;
    context.strokeStyle = ink;
    context.lineWidth = 2;
    context.lineCap = "round";
    context.beginPath();
    for (const [x1, y1, x2, y2] of maze.walls) {
      context.moveTo(...this.screen([x1, y1]));
      context.lineTo(...this.screen([x2, y2]));
    }
    context.stroke();
    context.fillStyle = ink;
    disc(context, ...this.screen(maze.start), 5);
    context.fill();
    context.strokeStyle = goal;
    context.lineWidth = 2.5;
    disc(context, ...this.screen(maze.goal), this.goalRadius());
    context.stroke();
  }

  goalRadius() {
    return Math.max(GOAL_RADIUS * this.plane.scaleX, 6);
  }

  nameStartAndGoal(context) {
    const { maze } = this.run;
    const { ink, goal, panel } = this.palette;
    const { box } = this.plane;
    label(context, "start", ...this.screen(maze.start), 9, ink, panel, box);
    label(context, "goal", ...this.screen(maze.goal), this.goalRadius() + 4, goal, panel, box);
  }

  drawFresh(context, evaluated, state) {
    const span = this.freshSpan();
    const { run, palette, focus } = this;
    for (let number = Math.max(evaluated - span, this.oldest, 0); number < evaluated; number++) {
      const age = this.oldest ? 0 : (evaluated - number) / span;
      const outside = focus && !focus.has(number);
      context.globalAlpha = outside ? 0.12 : this.dimmed * (1 - 0.7 * age);
      context.fillStyle = outside ? palette.unknown : colourOf(run, number, state.colour, palette);
      disc(context, ...this.at(number), this.oldest ? 2.6 : 3 - 1.2 * age);
      context.fill();
    }
    context.globalAlpha = 1;
  }

  drawSolution(context) {
    const [x, y] = this.at(this.run.solution);
    const { goal, panel } = this.palette;
    star(context, x, y, 8);
    context.fillStyle = goal;
    context.strokeStyle = panel;
    context.lineWidth = 1.5;
    context.fill();
    context.stroke();
    const below = this.run.maze ? Math.max(y, this.plane.y(this.run.maze.goal[1])) : y; // below the word "goal"
    const text = `first solution, ${count(this.run.evaluation(this.run.solution))}`;
    label(context, text, x, Math.abs(below - y) < 40 ? below + 15 : y, 11, goal, panel, this.plane.box, true);
  }

  /** Ancestors of the individuals in a brushed rectangle. */
  drawAncestry(context, { ancestors }) {
    context.fillStyle = this.palette.ink;
    context.globalAlpha = 0.55;
    this.squares(context, ancestors);
    context.globalAlpha = 1;
  }

  squares(context, numbers) {
    context.beginPath();
    for (const number of numbers) {
      const [x, y] = this.at(number);
      context.rect(x - 1.2, y - 1.2, 2.4, 2.4); // there may be thousands, and squares are drawn fastest
    }
    context.fill();
  }

  /** Behaviours of the ancestors of an individual: first parents joined in order, the others faint. */
  drawLineage(context, { lineage }) {
    const { ink, panel } = this.palette;
    context.strokeStyle = context.fillStyle = ink;
    context.globalAlpha = 0.5;
    context.lineWidth = 1;
    this.squares(context, lineage.all);
    const stored = this.run.stones && this.run.stones.length && lineage.tip === this.run.solution;
    const stones = stored ? this.run.stones.map((stone) => this.screen(stone)) : lineage.line.map((number) => this.at(number));
    context.setLineDash([5, 4]);
    line(context, stones);
    context.setLineDash([]);
    context.globalAlpha = 1;
    context.lineWidth = 1.4;
    stones.forEach((stone) => {
      disc(context, ...stone, 4);
      context.fillStyle = panel;
      context.fill();
      context.stroke();
    });
  }

  drawSelected(context, state) {
    const { ink, panel, trajectory } = this.palette;
    const trail = state.drive ? state.drive.poses : this.run.trajectory(state.individual);
    if (trail) {
      context.lineJoin = "round";
      this.trail(context, trail, panel, 4);
      this.trail(context, trail, trajectory, 1.3);
    }
    if (state.drive) {
      this.trail(context, trail.slice(0, state.step + 1), trajectory, 3);
      this.drawRobot(context, state.drive, state.step);
    }
    const [x, y] = this.at(state.individual);
    context.strokeStyle = panel;
    context.lineWidth = 5;
    disc(context, x, y, 7);
    context.stroke();
    context.strokeStyle = ink;
    context.lineWidth = 2;
    context.stroke();
  }

  /** The robot in one step of its drive, with its rangefinders and the radar that detects the goal. */
  drawRobot(context, drive, step) {
    const { ink, panel, sensor, goal } = this.palette;
    const [x, y, heading] = drive.poses[step];
    const inputs = drive.senses[step];
    const [centreX, centreY] = this.screen([x, y]);
    const radius = ROBOT_RADIUS * this.plane.scaleX;
    context.strokeStyle = context.fillStyle = sensor;
    context.lineWidth = 1.2;
    RAYS.forEach((angle, ray) => {
      const towards = ((heading + angle) * Math.PI) / 180;
      const reach = inputs[1 + ray] * REACH;
      const end = this.screen([x + reach * Math.cos(towards), y + reach * Math.sin(towards)]);
      line(context, [[centreX, centreY], end]);
      if (inputs[1 + ray] < 1) {
        disc(context, ...end, 2.4);
        context.fill();
      }
    });
    const active = inputs.indexOf(1, 7) - 7;
    const middle = ((heading + 90 * active) * Math.PI) / 180;
    context.strokeStyle = goal;
    context.lineWidth = 3.5;
    context.beginPath();
    context.arc(centreX, centreY, radius + 5, middle - Math.PI / 4, middle + Math.PI / 4);
    context.stroke();
    disc(context, centreX, centreY, radius);
    context.fillStyle = panel;
    context.fill();
    context.strokeStyle = ink;
    context.lineWidth = 1.8;
    context.stroke();
    const ahead = (heading * Math.PI) / 180;
    line(context, [
      [centreX, centreY],
      [centreX + radius * Math.cos(ahead), centreY + radius * Math.sin(ahead)],
    ]);
  }

  drawHover(context, number) {
    const { ink, panel } = this.palette;
    const trail = this.run.trajectory(number);
    if (trail) {
      this.trail(context, trail, panel, 3.5);
      this.trail(context, trail, ink, 1.2);
    }
    context.strokeStyle = ink;
    context.lineWidth = 2;
    disc(context, ...this.at(number), 6);
    context.stroke();
  }

  drawBrush(context, { box }) {
    const [[left, top], [right, bottom]] = [this.screen([box[0], box[1]]), this.screen([box[2], box[3]])];
    const { ink } = this.palette;
    context.strokeStyle = context.fillStyle = ink;
    context.lineWidth = 1.2;
    context.globalAlpha = 0.06;
    context.fillRect(left, top, right - left, bottom - top);
    context.globalAlpha = 1;
    context.setLineDash([4, 3]);
    context.strokeRect(left, top, right - left, bottom - top);
    context.setLineDash([]);
  }

  trail(context, points, colour, width) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    line(context, points.map((point) => this.screen(point)));
  }

  /** Individuals in the focus so far, all if there is no focus. */
  inFocus() {
    return members(this.focus || { has: () => true }, this.evaluated);
  }
}

/** Lines on an individual, for a pointer that rests on it. */
export function describe(run, number) {
  const parts = [
    `${run.noun} ${count(run.evaluation(number))}`,
    `generation ${run.generation[run.generationOf(number)]}`,
    `${run.measure} ${figure(run.quality[number])}`,
  ];
  if (run.hasScores) parts.push(`score ${figure(run.score[number])}`);
  if (run.species[number] >= 0) parts.push(`species ${run.species[number]}`);
  return parts;
}
