// The map of a run: its plane with everybody who was born so far, and whatever is asked for on top.

import { count, disc, figure, line, Plane, prepare, word } from "./canvas.js";
import { RAYS, REACH } from "./drive.js";
import { drawArchive, drawExpected } from "./expected.js";
import { colourOf, Heatmap, Layer } from "./points.js";

const FRESH = 3; // generations that are drawn one by one
const NEAR = 12; // pixels within which a pointer means a point
const ROBOT_RADIUS = 8;
const GOAL_RADIUS = 5;

export class MapView {
  constructor(run, canvas, palette) {
    this.run = run;
    this.canvas = canvas;
    this.palette = palette;
    this.layer = new Layer(run);
    this.heatmap = new Heatmap(run);
  }

  draw(state) {
    const { context, width, height, ratio } = prepare(this.canvas);
    const { run, palette } = this;
    const born = run.bornBy(state.clock.moment);
    const generation = run.generationOf(Math.max(born - 1, 0));
    this.plane = new Plane(run.bounds, width, height, Boolean(run.maze), run.maze ? 14 : 26);
    this.born = born;
    // what was expected is told of one generation, so nobody else is shown with it
    this.oldest = state.expected ? run.first[generation] : 0;
    if (state.heat) this.heatmap.draw(context, born, this.plane, palette);
    const selected = state.run === run.index ? state.robot : null;
    this.dimmed = selected === null ? 1 : 0.35; // so that a lineage and a drive can be told from everybody else
    if (!state.expected && !state.heat) {
      context.globalAlpha = this.dimmed;
      const settled = Math.max(born - FRESH * run.generationSize, 0);
      const faint = this.layer.upTo(settled, this.plane, width, height, ratio, state.colour, palette);
      context.drawImage(faint, 0, 0, width, height);
      context.globalAlpha = 1;
    }
    if (run.maze) this.drawMaze(context);
    else this.drawAxes(context, width, height);
    if (state.expected && run.hasArchive) drawArchive(context, run, generation, this.plane, palette);
    this.drawFresh(context, born, state);
    if (state.expected && run.hasExpected) drawExpected(context, run, generation, this.plane, palette);
    if (selected !== null) this.drawLineage(context, state);
    if (selected !== null) this.drawSelected(context, state);
    if (run.maze) this.nameStartAndGoal(context);
    if (run.solution !== null && born > run.solution) this.drawSolution(context);
    if (state.hover && state.hover.run === run.index) this.drawHover(context, state.hover.number);
  }

  /** The birth nearest to a place on the canvas, null if none is near; of equally near ones the latest. */
  find(x, y) {
    let nearest = NEAR * NEAR;
    let found = null;
    const { run, plane } = this;
    for (let number = this.oldest; number < this.born; number++) {
      const distance = (plane.x(run.x[number]) - x) ** 2 + (plane.y(run.y[number]) - y) ** 2;
      if (distance <= nearest) [nearest, found] = [distance, number];
    }
    return found;
  }

  at(number) {
    return [this.plane.x(this.run.x[number]), this.plane.y(this.run.y[number])];
  }

  screen([x, y]) {
    return [this.plane.x(x), this.plane.y(y)];
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
    context.strokeStyle = context.fillStyle = ink;
    const [startX, startY] = this.screen(maze.start);
    context.lineWidth = 1.5;
    disc(context, startX, startY, 5);
    context.stroke();
    const [goalX, goalY] = this.screen(maze.goal);
    context.strokeStyle = goal;
    context.lineWidth = 2.5;
    disc(context, goalX, goalY, Math.max(GOAL_RADIUS * this.plane.scaleX, 6));
    context.stroke();
  }

  nameStartAndGoal(context) {
    const { maze } = this.run;
    const { ink, goal, panel } = this.palette;
    const [startX, startY] = this.screen(maze.start);
    word(context, "start", startX + 9, startY + 4, ink, panel);
    const [goalX, goalY] = this.screen(maze.goal);
    word(context, "goal", goalX + Math.max(GOAL_RADIUS * this.plane.scaleX, 6) + 5, goalY + 4, goal, panel);
  }

  drawAxes(context, width, height) {
    const [across, up] = this.run.axes;
    const { soft, line: rule } = this.palette;
    context.strokeStyle = rule;
    context.lineWidth = 1;
    context.strokeRect(20.5, 20.5, width - 41, height - 41);
    context.fillStyle = soft;
    context.font = "11px system-ui, sans-serif";
    context.textAlign = "center";
    context.fillText(across, width / 2, height - 5);
    context.save();
    context.translate(12, height / 2);
    context.rotate(-Math.PI / 2);
    context.fillText(up, 0, 0);
    context.restore();
    context.textAlign = "start";
  }

  drawFresh(context, born, state) {
    const span = FRESH * this.run.generationSize;
    for (let number = Math.max(born - span, this.oldest, 0); number < born; number++) {
      const age = state.expected ? 0 : (born - number) / span;
      context.globalAlpha = this.dimmed * (1 - 0.7 * age);
      context.fillStyle = colourOf(this.run, number, state.colour, this.palette);
      disc(context, ...this.at(number), state.expected ? 2.6 : 3 - 1.2 * age);
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
    const below = this.run.maze ? Math.max(y, this.plane.y(this.run.maze.goal[1])) : y; // so as not to hide "goal"
    word(context, `first solution, ${count(this.run.solution + 1)}`, x + 11, below + 19, goal, panel);
  }

  /** Behaviours of the ancestors: first parents joined in order, the others faint. */
  drawLineage(context, { lineage }) {
    const { ink, panel } = this.palette;
    context.strokeStyle = context.fillStyle = ink;
    context.globalAlpha = 0.5;
    context.lineWidth = 1;
    context.beginPath();
    for (const number of lineage.everybody) {
      const [x, y] = this.at(number);
      context.rect(x - 1.2, y - 1.2, 2.4, 2.4); // there may be thousands, and squares are drawn fastest
    }
    context.fill();
    context.setLineDash([5, 4]);
    line(context, lineage.line.map((number) => this.at(number)));
    context.setLineDash([]);
    context.globalAlpha = 1;
    context.lineWidth = 1.4;
    lineage.line.forEach((number) => {
      disc(context, ...this.at(number), 4);
      context.fillStyle = panel;
      context.fill();
      context.stroke();
    });
  }

  drawSelected(context, state) {
    const { ink, panel, accent } = this.palette;
    const trail = state.drive ? state.drive.poses : this.run.trail(state.robot);
    if (trail) {
      context.lineJoin = "round";
      this.way(context, trail, panel, 4);
      this.way(context, trail, accent, 1.3);
    }
    if (state.drive) {
      this.way(context, trail.slice(0, state.step + 1), accent, 3);
      this.drawRobot(context, state.drive, state.step);
    }
    const [x, y] = this.at(state.robot);
    context.strokeStyle = panel;
    context.lineWidth = 5;
    disc(context, x, y, 7);
    context.stroke();
    context.strokeStyle = ink;
    context.lineWidth = 2;
    context.stroke();
  }

  /** The robot in one step of its drive, with what its rangefinders reach and the radar that sees the goal. */
  drawRobot(context, drive, step) {
    const { ink, panel, expected, goal } = this.palette;
    const [x, y, heading] = drive.poses[step];
    const inputs = drive.senses[step];
    const [centreX, centreY] = this.screen([x, y]);
    const radius = ROBOT_RADIUS * this.plane.scaleX;
    context.strokeStyle = context.fillStyle = expected;
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
    const lit = inputs.indexOf(1, 7) - 7;
    const middle = ((heading + 90 * lit) * Math.PI) / 180;
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
    const trail = this.run.trail(number);
    if (trail) {
      this.way(context, trail, panel, 3.5);
      this.way(context, trail, ink, 1.2);
    }
    context.strokeStyle = ink;
    context.lineWidth = 2;
    disc(context, ...this.at(number), 6);
    context.stroke();
  }

  way(context, points, colour, width) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    line(context, points.map((point) => this.screen(point)));
  }
}

/** One line on a birth, for a pointer that rests on it. */
export function describe(run, number, palette) {
  const parts = [
    `${run.noun} ${count(number + 1)}`,
    `generation ${run.generation[run.generationOf(number)]}`,
    `${run.measure} ${figure(run.quality[number])}`,
  ];
  if (run.hasScores) parts.push(`score ${figure(run.score[number])}`);
  if (run.species[number] >= 0) {
    parts.push(`species ${run.species[number] + 1} (${palette.speciesWord(run.species[number])})`);
  }
  return parts;
}

function star(context, x, y, radius) {
  context.beginPath();
  for (let corner = 0; corner < 10; corner++) {
    const angle = (corner / 5 - 0.5) * Math.PI;
    const reach = corner % 2 ? radius * 0.45 : radius;
    context.lineTo(x + reach * Math.cos(angle), y + reach * Math.sin(angle));
  }
  context.closePath();
}
