// The network of a robot: weights as width and colour, activations as opacity.

import { disc, figure, prepare } from "./canvas.js";
import { INPUTS, OUTPUT_NAMES, OUTPUTS } from "./drive.js";

const LEFT = 112; // room for the names of inputs and their values
const RIGHT = 54;
const RADIUS = 6.5;
const STRONG = 3; // a weight that is drawn at full width

export function drawNetwork(canvas, drive, step, palette) {
  const { context, width, height } = prepare(canvas);
  const places = layOut(drive, width, height);
  const active = drive.activations[step];
  for (const link of drive.links) drawLink(context, link, places, active, palette);
  context.globalAlpha = 1;
  for (const node of drive.nodes) {
    const [x, y] = places.get(node);
    disc(context, x, y, RADIUS);
    context.fillStyle = palette.panel;
    context.fill();
    context.globalAlpha = Math.min(Math.max(active.get(node), 0), 1);
    context.fillStyle = palette.goal;
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = palette.ink;
    context.lineWidth = 1.2;
    context.stroke();
  }
  context.font = "11px system-ui, sans-serif";
  drive.inputNames.forEach((name, input) => drawInput(context, name, places.get(input), active.get(input), palette));
  OUTPUT_NAMES.forEach((name, output) => {
    const [x, y] = places.get(INPUTS + output);
    context.fillStyle = palette.ink;
    context.fillText(name, x + RADIUS + 6, y + 1);
    context.fillStyle = palette.soft;
    context.fillText(active.get(INPUTS + output).toFixed(2), x + RADIUS + 6, y + 14);
  });
}

function drawInput(context, name, [x, y], value, palette) {
  context.textAlign = "right";
  context.fillStyle = palette.ink;
  context.fillText(name, 72, y + 4);
  context.textAlign = "start";
  context.fillStyle = palette.line;
  context.fillRect(78, y - 3, x - RADIUS - 6 - 78, 6);
  context.fillStyle = palette.goal;
  context.fillRect(78, y - 3, (x - RADIUS - 6 - 78) * value, 6);
}

function drawLink(context, { source, target, weight }, places, active, palette) {
  const [from, to] = [places.get(source), places.get(target)];
  context.strokeStyle = weight < 0 ? palette.negative : palette.positive;
  context.setLineDash(weight < 0 ? [4, 3] : []);
  context.lineWidth = 0.6 + 2.6 * Math.min(Math.abs(weight) / STRONG, 1);
  context.globalAlpha = 0.2 + 0.8 * Math.min(Math.max(active.get(source), 0), 1);
  context.beginPath();
  if (source === target) {
    context.arc(from[0], from[1] - RADIUS - 4, 6, 0.8 * Math.PI, 2.2 * Math.PI);
  } else if (to[0] > from[0] + 1) {
    context.moveTo(...from);
    context.lineTo(...to);
  } else {
    // a link that leads back is a bow
    context.moveTo(...from);
    context.quadraticCurveTo((from[0] + to[0]) / 2 + 20, Math.min(from[1], to[1]) - 34, ...to);
  }
  context.stroke();
  context.setLineDash([]);
}

/** Inputs on the left, outputs on the right, hidden nodes between them by how many links they are from the inputs. */
function layOut(drive, width, height) {
  const depth = new Map(Array.from({ length: INPUTS }, (_, node) => [node, 0]));
  for (let changed = true; changed; ) {
    changed = false;
    for (const { source, target } of drive.links) {
      if (depth.has(source) && !depth.has(target) && target >= INPUTS + OUTPUTS) {
        depth.set(target, depth.get(source) + 1);
        changed = true;
      }
    }
  }
  const hidden = drive.nodes.slice(INPUTS + OUTPUTS);
  const columns = Math.max(0, ...hidden.map((node) => depth.get(node) ?? 1));
  const places = new Map();
  const [left, right] = [LEFT, width - RIGHT];
  for (let node = 0; node < INPUTS; node++) places.set(node, [left, spread(node, INPUTS, height)]);
  for (let node = 0; node < OUTPUTS; node++) places.set(INPUTS + node, [right, spread(node, OUTPUTS, height)]);
  for (let column = 1; column <= columns; column++) {
    const nodes = hidden.filter((node) => (depth.get(node) ?? 1) === column);
    nodes.forEach((node, row) => {
      const shift = nodes.length > 1 ? (row % 2 ? 9 : -9) : 0; // so that links between them do not hide each other
      places.set(node, [left + ((right - left) * column) / (columns + 1) + shift, spread(row, nodes.length, height)]);
    });
  }
  return places;
}

function spread(row, rows, height) {
  return 14 + ((row + 0.5) / rows) * (height - 28);
}

export function describeNetwork(drive) {
  const hidden = drive.nodes.length - INPUTS - OUTPUTS;
  const strongest = drive.links.reduce((most, { weight }) => Math.max(most, Math.abs(weight)), 0);
  return `${drive.links.length} enabled links, ${hidden} hidden node${hidden === 1 ? "" : "s"}, strongest weight ${figure(strongest)}`;
}
