// The whole drive of a robot: its pose, the readings of its sensors and the activations of its network in each step.

export const INPUTS = 11;
export const OUTPUTS = 2;
// directions on the map, where y points down and angles grow clockwise
const INPUT_NAMES = [
  "bias", "left", "half left", "ahead", "half right", "right", "behind",
  "goal ahead", "goal right", "goal behind", "goal left",
];
export const OUTPUT_NAMES = ["turn", "speed"];
export const RAYS = [-90, -45, 0, 45, 90, 180]; // degrees from the heading, of the rangefinders in the order of inputs
export const REACH = 100;
const REAR = 6; // the input of the rear rangefinder; the radars' follow
const WARM_UP = 10; // passes of the network before the first step
const SLOPE = 4.924273; // of the sigmoid
const RELAXED = 19; // passes of one activation where an output is silent, as in Lehman's program

/** The readings of the sensors: the bias 1, six distances to walls, and four radars of which one is 1. */
export function sense(maze, x, y, heading) {
  const inputs = new Float64Array(INPUTS);
  inputs[0] = 1;
  RAYS.forEach((angle, ray) => {
    const towards = ((heading + angle) * Math.PI) / 180;
    inputs[1 + ray] = distance(maze.walls, x, y, Math.cos(towards), Math.sin(towards)) / REACH;
  });
  const bearing = (Math.atan2(maze.goal[1] - y, maze.goal[0] - x) * 180) / Math.PI - heading;
  inputs[7 + (Math.floor((bearing + 45) / 90) & 3)] = 1;
  return inputs;
}

/** The inputs of the network: for the five-rangefinder robot radars replace the rear rangefinder, and the last input is 0. */
function asRead(readings, robot) {
  if (robot !== "five-rangefinder") return readings;
  const inputs = new Float64Array(INPUTS);
  inputs.set(readings.subarray(0, REAR));
  inputs.set(readings.subarray(REAR + 1), REAR);
  return inputs;
}

/** The distance to the nearest wall along a direction. */
function distance(walls, x, y, cosine, sine) {
  let nearest = REACH;
  for (const [x1, y1, x2, y2] of walls) {
    const [alongX, alongY] = [x2 - x1, y2 - y1];
    const across = cosine * alongY - sine * alongX;
    if (across === 0) continue;
    const ahead = ((x1 - x) * alongY - (y1 - y) * alongX) / across;
    const fraction = ((x1 - x) * sine - (y1 - y) * cosine) / across;
    if (ahead > 0 && ahead < nearest && fraction >= 0 && fraction <= 1) nearest = ahead;
  }
  return nearest;
}

/** The drive of a robot that has one: poses [x, y, heading], inputs and activations of each step. */
export class Drive {
  constructor(run, number) {
    const place = run.robotAt.get(number);
    this.role = run.roles[place];
    this.steps = run.robotSteps[place];
    this.links = [];
    for (let link = run.linkStart[place]; link < run.linkStart[place + 1]; link++) {
      this.links.push({ source: run.linkSource[link], target: run.linkTarget[link], weight: run.linkWeight[link] });
    }
    this.poses = posesOf(run, place, this.steps);
    this.senses = this.poses.map(([x, y, heading]) => sense(run.maze, x, y, heading));
    this.inputs = this.senses.map((readings) => asRead(readings, run.maze.robot));
    this.inputNames = run.maze.robot === "five-rangefinder" ? [...INPUT_NAMES.toSpliced(REAR, 1), "nothing"] : INPUT_NAMES;
    this.nodes = nodesOf(this.links);
    this.silent = new Set(run.maze.silence_unreached ? unreached(this.nodes, this.links) : []);
    this.activations = this.think();
  }

  /** The activation of every node by its id, in each step. */
  think() {
    let before = new Map(this.nodes.map((node) => [node, 0]));
    const all = [];
    const outputs = this.nodes.slice(INPUTS, INPUTS + OUTPUTS);
    const passes = outputs.some((node) => this.silent.has(node)) ? RELAXED : 1;
    for (let step = 0; step < this.steps; step++) {
      for (let pass = 0; pass < passes * (step ? 1 : WARM_UP + 1); pass++) {
        this.inputs[step].forEach((value, input) => before.set(input, value));
        const sums = new Map(this.nodes.slice(INPUTS).map((node) => [node, 0]));
        for (const { source, target, weight } of this.links) {
          sums.set(target, sums.get(target) + weight * before.get(source));
        }
        const after = new Map(before);
        for (const [node, sum] of sums) after.set(node, this.silent.has(node) ? 0 : 1 / (1 + Math.exp(-SLOPE * sum)));
        before = after;
      }
      all.push(before);
    }
    all.push(before); // the drive is over where it ended
    return all;
  }
}

function posesOf(run, place, steps) {
  let [x, y] = run.maze.start.map((part) => Math.round(part * run.grid));
  let heading = Math.round(run.maze.heading * run.grid);
  const poses = [[x / run.grid, y / run.grid, heading / run.grid]];
  for (let move = run.moveStart[place]; move < run.moveStart[place] + steps; move++) {
    x += run.moveX[move];
    y += run.moveY[move];
    heading += run.moveHeading[move];
    poses.push([x / run.grid, y / run.grid, heading / run.grid]);
  }
  return poses;
}

/** The nodes that no path leads to from an input. */
function unreached(nodes, links) {
  const reached = new Set(nodes.slice(0, INPUTS));
  for (let before = 0; before < reached.size; ) {
    before = reached.size;
    for (const { source, target } of links) if (reached.has(source)) reached.add(target);
  }
  return nodes.filter((node) => !reached.has(node));
}

/** Inputs, outputs, then hidden nodes in the order of their ids. */
function nodesOf(links) {
  const fixed = Array.from({ length: INPUTS + OUTPUTS }, (_, node) => node);
  const hidden = new Set(links.flatMap(({ source, target }) => [source, target]).filter((node) => node >= fixed.length));
  return [...fixed, ...[...hidden].sort((a, b) => a - b)];
}
